"""A request that is answered by one JSON value: plain values in, the decoded reply out.

Every failure of the SDK and of the network leaves here as a ModelError in words, but for a refusal,
of which the caller knows best what to do. Importing this file costs a second; those who use it do
so when the first request is due.
"""

import json
import time
from contextlib import closing
from typing import Any

import httpx2
import openai

from rag_assistant.errors import ModelError
from rag_assistant.models import faults
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.openai_link import CONNECT_SECONDS
from rag_assistant.models.patience import retry_after_seconds

RETRIES = 2
"""Attempts after the first, which the SDK makes by itself: such requests are short."""

MOST_BYTES = 8 << 20
"""Of a reply that has to come within a time; a longer one is taken for damaged."""


class Refused(Exception):
    """An answer with an HTTP status other than 200; `wait` in seconds, where it names one."""

    def __init__(self, error: openai.APIStatusError) -> None:
        super().__init__(error.status_code)
        self.status = error.status_code
        self.body = error.body
        self.text = str(error.body or error)
        self.wait = retry_after_seconds(error.response.headers.get("retry-after", ""))

    def fault(self, endpoint: Endpoint) -> ModelError:
        """Say it in the words that fit any model."""
        return faults.refused(endpoint, self.status, self.body, self.wait)


class JsonLink:
    """A client of one endpoint, with its open connection.

    `seconds` is how long it may stay silent.
    """

    def __init__(
        self, endpoint: Endpoint, base_url: str, seconds: float, retries: int = RETRIES
    ) -> None:
        self._endpoint = endpoint
        self._seconds = seconds
        self._connect = min(CONNECT_SECONDS, seconds)
        timeout = httpx2.Timeout(seconds, connect=self._connect)
        try:
            http = openai.DefaultHttpx2Client(
                timeout=timeout,
                trust_env=not endpoint.loopback,  # a proxy must not get what stays here
                follow_redirects=False,  # nor may an endpoint pass a text on to another
            )
        except (OSError, ImportError, ValueError) as error:
            raise faults.unusable(error) from None
        self._client = openai.OpenAI(
            api_key=endpoint.key or "none",  # the SDK refuses an empty one
            base_url=base_url,
            timeout=timeout,
            max_retries=retries,
            http_client=http,
        )

    def post(self, path: str, payload: dict[str, Any], *, within: float | None = None) -> object:
        """Give the body of the reply, which nothing is known of yet; None where it is no JSON.

        `within` seconds the whole of it must be here. Raises Refused and ModelError.
        """
        # Faults are raised `from None`: the SDK's own messages may quote the key.
        try:
            if within is None:
                return self._client.post(path, body=payload, cast_to=object)
            return self._in_time(path, payload, within)
        except openai.APIStatusError as error:
            raise Refused(error) from None
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            if isinstance(error.__cause__, httpx2.ConnectTimeout):
                raise faults.no_connection_in(self._endpoint, self._connect) from None
            raise faults.silent(self._endpoint, self._seconds) from None
        except (openai.APIResponseValidationError, ValueError, RecursionError):
            return None  # no JSON, none in UTF-8, or none that ends
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            raise faults.unreachable(self._endpoint, error) from None

    def _in_time(self, path: str, payload: dict[str, Any], seconds: float) -> object:
        until = time.monotonic() + seconds
        stream = self._client.post(
            path, body=payload, cast_to=object, stream=True, stream_cls=openai.Stream[object]
        )
        body = bytearray()
        with closing(stream.response) as response:
            for piece in response.iter_bytes():
                body += piece
                if time.monotonic() > until:
                    raise faults.late(self._endpoint, seconds)
                if len(body) > MOST_BYTES:
                    return None
        return json.loads(body)

    def close(self) -> None:
        """Close the connection kept for the next request."""
        self._client.close()
