"""The one file that imports the openai SDK: it opens a stream of decoded events.

Every failure of the SDK and of the network leaves here as a ModelError in words; a stream that is
cut merely ends, for only the wire format knows whether its reply was complete. Importing this file
costs a second, so `openai_model` does it in a thread, when a model is first asked.
"""

import json
from collections.abc import AsyncGenerator
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

import httpx2
import openai

from rag_assistant.config import ModelSettings
from rag_assistant.messages import JsonObject
from rag_assistant.models import faults
from rag_assistant.models.endpoint import Endpoint

CONNECT_SECONDS = 5.0
RETRIES = 2
_BODY_LIMIT = 65_536
"""Bytes read of a body that is not a stream, to look for an error in it."""


class Link:
    """A client of one endpoint, with its open connections."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings) -> None:
        self._endpoint = endpoint
        self._silence = settings.timeout_seconds
        self._takes_include = True
        self._connect = min(CONNECT_SECONDS, self._silence)
        timeout = httpx2.Timeout(self._silence, connect=self._connect)
        try:
            http = openai.DefaultAsyncHttpx2Client(
                timeout=timeout,
                trust_env=not endpoint.loopback,  # a proxy must not get what stays here
                follow_redirects=False,  # nor may an endpoint pass a question on to another
            )
        except (OSError, ImportError, ValueError) as error:
            raise faults.unusable(error) from None
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",  # the SDK refuses an empty one
            base_url=settings.base_url,
            timeout=timeout,
            max_retries=RETRIES,
            http_client=http,
        )

    async def events(self, path: str, payload: dict[str, Any]) -> AsyncGenerator[JsonObject, None]:
        """Send a request and give the events of the answer. Closing this closes the connection."""
        stream = await self._open(path, payload)
        async with stream:
            await self._expect_stream(stream.response)
            try:
                async for event in stream:
                    if not isinstance(event, dict):
                        raise faults.malformed(self._endpoint)
                    yield event
            except openai.APITimeoutError:
                raise faults.silent(self._endpoint, self._silence) from None
            except (openai.APIConnectionError, httpx2.HTTPError):
                return
            except openai.APIError as error:
                raise faults.reported(self._endpoint, error.body) from None
            except ValueError:  # of the JSON or of its encoding
                raise faults.malformed(self._endpoint) from None

    async def close(self) -> None:
        """Close the connections kept for the next request."""
        await self._client.close()

    async def _open(self, path: str, payload: dict[str, Any]) -> openai.AsyncStream[object]:
        # Faults are raised `from None`: the SDK's own messages may quote the key.
        try:
            try:
                return await self._post(path, payload)
            except openai.BadRequestError as error:
                # Models that do not reason refuse to be asked for their reasoning.
                if not ("include" in payload and "ncrypted content" in error.message):
                    raise
                self._takes_include = False
            return await self._post(path, payload)
        except openai.APIStatusError as error:
            wait = retry_after_seconds(error.response.headers.get("retry-after", ""))
            raise faults.refused(self._endpoint, error.status_code, error.body, wait) from None
        except openai.APITimeoutError as error:
            if isinstance(error.__cause__, httpx2.ConnectTimeout):
                raise faults.no_connection_in(self._endpoint, self._connect) from None
            raise faults.silent(self._endpoint, self._silence) from None
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            raise faults.unreachable(self._endpoint, error) from None

    async def _post(self, path: str, payload: dict[str, Any]) -> openai.AsyncStream[object]:
        # `object` keeps the events plain dicts: the SDK's types take half a second of the event
        # loop to build, and read an event they do not know as one they do.
        if not self._takes_include:
            payload = {name: value for name, value in payload.items() if name != "include"}
        return await self._client.post(
            path,
            body=payload,
            cast_to=object,
            stream=True,
            stream_cls=openai.AsyncStream[object],
        )

    async def _expect_stream(self, response: httpx2.Response) -> None:
        """Raise ModelError for a page or a lone JSON value, which the SDK takes for no events."""
        content_type = response.headers.get("content-type", "")
        if "html" not in content_type and "application/json" not in content_type:
            return
        body = b""
        try:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > _BODY_LIMIT:
                    break
            value = json.loads(body)
        except (httpx2.HTTPError, ValueError):
            value = None
        raise faults.not_a_stream(self._endpoint, content_type, value)


def retry_after_seconds(retry_after: str) -> float | None:
    """Give the wait a Retry-After header asks for: seconds, or a date (RFC 9110, 10.2.3)."""
    try:
        wait = float(retry_after)
    except ValueError:
        try:
            wait = parsedate_to_datetime(retry_after).timestamp() - time()
        except ValueError:
            return None
    return wait if 0 < wait < 1e6 else None
