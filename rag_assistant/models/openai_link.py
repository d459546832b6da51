"""The one file that imports the openai SDK: it opens a stream of decoded events.

Every failure of the SDK and of the network leaves here as a ModelError in words; before it gives up
it asks again where that can help, and says so. A stream that is cut merely ends, for only the wire
format knows whether its reply was complete. Importing this file costs a second, so `openai_model`
does it in a thread, when a model is first asked.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import httpcore2
import httpx2
import openai

from rag_assistant.config import ModelSettings
from rag_assistant.egress.hosts import check_peer, host_of
from rag_assistant.errors import EgressError
from rag_assistant.models import faults
from rag_assistant.models.bounded_body import BoundedBody
from rag_assistant.models.endpoint import OPENAI_HOST, Endpoint
from rag_assistant.models.patience import (
    Failure,
    Patience,
    may_pass,
    wait_asked,
)
from rag_assistant.models.reply_size import ERROR_BYTES, most_bytes
from rag_assistant.models.silence import SILENCE_SECONDS, Done, KeptAlive, silence_of, watched
from rag_assistant.values.messages import JsonObject, ReplyPending, ReplyWait

CONNECT_SECONDS = 5.0

# It would log what a server says in its headers, which may be the key that it was sent.
logging.getLogger("httpcore2").setLevel(logging.WARNING)

_Stream = openai.AsyncStream[object]


def keep_environment_from(client: openai.AsyncOpenAI | openai.OpenAI, host: str) -> None:
    """Take out of a client what it found in the environment, unless it is for OpenAI itself.

    That is OPENAI_ORG_ID, OPENAI_PROJECT_ID, OPENAI_ADMIN_KEY, OPENAI_WEBHOOK_SECRET and the
    headers of OPENAI_CUSTOM_HEADERS; the SDK knows no argument for "none of it".
    """
    if host == OPENAI_HOST:
        return
    client.organization = client.project = client.admin_api_key = client.webhook_secret = None
    client._custom_headers = {}


class EndpointClient:
    """A client of one endpoint, with its open connections."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings, patience: Patience) -> None:
        self._endpoint = endpoint
        self._host = host_of(settings.base_url)
        self._patience = patience
        self._settings = settings
        self._silence = settings.timeout_seconds or SILENCE_SECONDS
        self._most_bytes = most_bytes(settings.max_output_tokens)
        self._takes_include = True
        self._connect = min(CONNECT_SECONDS, self._silence)
        # Silence of an answer is watched here: the network knows no requests.
        timeout = httpx2.Timeout(self._silence, connect=self._connect, read=None)
        try:
            http = openai.DefaultAsyncHttpx2Client(
                timeout=timeout,
                trust_env=not endpoint.loopback,  # a proxy must not get what stays here
                follow_redirects=False,  # nor may an endpoint pass a question on to another
                event_hooks={"request": [self._watch], "response": [self._bound]},
            )
        except (OSError, ImportError, ValueError) as error:
            raise faults.unusable(error) from None
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",  # the SDK refuses an empty one
            base_url=settings.base_url,
            timeout=timeout,
            max_retries=0,  # it would wait without a word
            http_client=http,
        )
        keep_environment_from(self._client, self._host)

    async def events(
        self, path: str, payload: dict[str, Any]
    ) -> AsyncGenerator[JsonObject | ReplyWait | ReplyPending, None]:
        """Send a request and give the events of the answer; before them, waits between attempts.

        Where nothing comes, that is said from time to time. Closing this closes the connection.
        Raises ModelError.
        """
        silence = silence_of(self._settings, payload)
        async with aclosing(self._opened(path, payload, silence)) as opening:
            async for step in opening:
                if isinstance(step, Done):
                    stream = step.value
                else:
                    yield step
        async with stream:
            await self._expect_stream(stream.response)
            async with aclosing(self._heard(stream, silence)) as heard:
                async for event in heard:
                    yield event

    async def _opened(
        self, path: str, payload: dict[str, Any], silence: float
    ) -> AsyncGenerator[ReplyWait | ReplyPending | Done[_Stream], None]:
        """Send a request until it is answered; give the stream last."""
        retried = 0
        while True:
            work = watched(self._open(path, payload), self._connect + silence)
            try:
                async with aclosing(work) as steps:
                    async for step in steps:
                        if isinstance(step, Done):
                            opened = step.value
                        else:
                            yield step
            except TimeoutError:
                raise faults.silent(self._endpoint, silence) from None
            if not isinstance(opened, Failure):
                yield Done(opened)
                return
            seconds = self._patience.wait_after(opened, retried)
            if seconds is None:
                raise opened.fault
            yield ReplyWait(seconds, opened.fault.message.removesuffix("."))
            await asyncio.sleep(seconds)
            retried += 1

    async def _heard(
        self, stream: _Stream, silence: float
    ) -> AsyncGenerator[JsonObject | ReplyPending, None]:
        """Give the events of an answer, and that it is waited for where none comes."""
        event: JsonObject | None = {}
        while event is not None:
            try:
                async with aclosing(
                    watched(self._next(stream), silence, lambda: _taken(stream))
                ) as steps:
                    async for step in steps:
                        if isinstance(step, Done):
                            event = step.value
                        else:
                            yield step
            except KeptAlive as kept:
                raise faults.kept_waiting(self._endpoint, kept.seconds) from None
            except TimeoutError:
                raise faults.silent(self._endpoint, silence) from None
            if event is not None:
                yield event

    async def close(self) -> None:
        """Close the connections kept for the next request."""
        await self._client.close()

    async def _watch(self, request: httpx2.Request) -> None:
        request.extensions["trace"] = _Connecting(self._host)

    async def _bound(self, response: httpx2.Response) -> None:
        """Let no more of an answer in than a reply, or the words of an error, may have."""
        if not isinstance(response.stream, httpx2.AsyncByteStream):
            return
        most, excess = ERROR_BYTES, None
        if response.status_code == 200:
            most = self._most_bytes
            excess = faults.endless(self._endpoint, f"{most / (1 << 20):.0f} MB")
        response.stream = BoundedBody(response.stream, most, excess)

    async def _next(self, stream: _Stream) -> JsonObject | None:
        """Give the next event; None where the stream ends, or is cut."""
        try:
            event = await anext(stream)
        except StopAsyncIteration:
            return None
        except (openai.APIConnectionError, httpx2.HTTPError):
            return None
        except openai.APIError as error:
            raise faults.reported(self._endpoint, error.body) from None
        except (ValueError, RecursionError):  # of the JSON or of its encoding
            raise faults.malformed(self._endpoint) from None
        if not isinstance(event, dict):
            raise faults.malformed(self._endpoint)
        return event

    async def _open(self, path: str, payload: dict[str, Any]) -> _Stream | Failure:
        # Nothing of the SDK's errors goes on: their messages may quote the key.
        endpoint = self._endpoint
        try:
            return await self._post(path, payload)
        except openai.APIStatusError as error:
            status, headers, wait = error.status_code, error.response.headers, None
            if passing := may_pass(status, headers, error.code or error.type):
                wait = wait_asked(headers)
            return Failure(faults.refused(endpoint, status, error.body, wait), passing, wait)
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            if isinstance(error.__cause__, httpx2.ConnectTimeout):
                return Failure(faults.no_connection_in(endpoint, self._connect))
            return Failure(faults.silent(endpoint, self._silence))
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            return _unreachable(endpoint, error)

    async def _post(self, path: str, payload: dict[str, Any]) -> _Stream:
        try:
            return await self._post_once(path, payload)
        except openai.BadRequestError as error:
            # Models that do not reason refuse to be asked for their reasoning.
            if not ("include" in payload and "ncrypted content" in error.message):
                raise
            self._takes_include = False
        return await self._post_once(path, payload)

    async def _post_once(self, path: str, payload: dict[str, Any]) -> _Stream:
        # `object` keeps the events plain dicts: the SDK's types take half a second of the event
        # loop to build, and read an event they do not know as one they do.
        if not self._takes_include:
            payload = {name: value for name, value in payload.items() if name != "include"}
        return await self._client.post(
            path, body=payload, cast_to=object, stream=True, stream_cls=_Stream
        )

    async def _expect_stream(self, response: httpx2.Response) -> None:
        """Raise ModelError for a page or a lone JSON value, which the SDK takes for no events."""
        content_type = response.headers.get("content-type", "")
        if "html" not in content_type and "application/json" not in content_type:
            return
        body, value = b"", None
        try:
            async with asyncio.timeout(self._silence):
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > ERROR_BYTES:
                        break
            value = json.loads(body)
        except (httpx2.HTTPError, TimeoutError, ValueError, RecursionError):
            pass  # then it is no JSON, which is all there is to know of it
        raise faults.not_a_stream(self._endpoint, content_type, value)


def _unreachable(endpoint: Endpoint, error: BaseException) -> Failure:
    """Tell a connection that failed, which may pass, from one that never can be."""
    if refusal := faults.egress_refused(error):
        return Failure(refusal)
    causes = list(faults.causes_of(error))
    damaged = [cause for cause in causes if isinstance(cause, httpx2.RemoteProtocolError)]
    closed = any("disconnected" in str(cause) for cause in damaged)
    if damaged and not closed:
        return Failure(faults.not_http(endpoint))
    passing = closed or any(
        isinstance(cause, ConnectionError | httpx2.ReadError | httpx2.WriteError)
        for cause in causes
    )
    return Failure(faults.unreachable(endpoint, error), passing)


class _Connecting:
    """Closes the connection of a request that is cancelled while it becomes a secure one.

    The network library would leave it open until the server closes it. One that was meant for this
    machine and led to another is closed before anything is sent.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._connection: httpcore2.AsyncNetworkStream | None = None

    async def __call__(self, name: str, info: JsonObject) -> None:
        """Hear of a step of the request; see httpcore's `trace` extension."""
        if name == "connection.connect_tcp.complete":
            self._connection = connection = info["return_value"]
            try:
                check_peer(self._host, connection.get_extra_info("server_addr"))
            except EgressError:
                await connection.aclose()
                raise
        elif name == "connection.start_tls.failed" and self._connection:
            await self._connection.aclose()


def _taken(stream: _Stream) -> int:
    body = stream.response.stream
    return body.taken if isinstance(body, BoundedBody) else 0
