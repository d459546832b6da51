"""A request that is answered by one JSON value: plain values in, the decoded reply out.

Every failure of the SDK and of the network leaves here as a ModelError in words, but for a refusal,
of which the caller knows best what to do. Importing this file costs a second; those who use it do
so when the first request is due.
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import Any

import httpx2
import openai

from rag_assistant.egress.gate import Gate
from rag_assistant.egress.hosts import host_of
from rag_assistant.egress.provenance import carried
from rag_assistant.errors import ModelError
from rag_assistant.models import faults
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.openai_link import CONNECT_SECONDS, keep_environment_from
from rag_assistant.models.outgoing import release
from rag_assistant.models.patience import retry_after_seconds
from rag_assistant.models.peer_check import watch_peer

RETRIES = 2
"""Attempts after the first, which the SDK makes by itself: such requests are short."""

MOST_BYTES = 8 << 20
"""Of a reply that has to come within a time; a longer one is taken for damaged."""

_STREAMED: Mapping[str, Any] = {
    "cast_to": object,
    "stream": True,
    "stream_cls": openai.Stream[object],
}
"""How the SDK is asked for a reply that is read piece by piece."""

_NONE: Mapping[str, str] = {}


class HttpRefusal(Exception):
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

    `seconds` is how long it may stay silent. What goes to another machine passes `gate`.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        base_url: str,
        seconds: float,
        retries: int = RETRIES,
        gate: Gate | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._gate = gate or Gate()
        self._seconds = seconds
        self._connect = min(CONNECT_SECONDS, seconds)
        timeout = httpx2.Timeout(seconds, connect=self._connect)
        try:
            http = openai.DefaultHttpx2Client(
                timeout=timeout,
                trust_env=not endpoint.loopback,  # a proxy must not get what stays here
                follow_redirects=False,  # nor may an endpoint pass a text on to another
                event_hooks={"request": [watch_peer]},
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
        keep_environment_from(self._client, host_of(base_url))

    def post(self, path: str, payload: dict[str, Any], *, within: float | None = None) -> object:
        """Give the body of the reply, which nothing is known of yet; None where it is no JSON.

        `within` seconds the whole of it must be here. Raises Refused and ModelError.
        """
        body = release(self._gate, self._endpoint, path, payload, carried()).body
        if within is None:
            return self._told(lambda: self._client.post(path, body=body, cast_to=object))
        asked = partial(self._client.post, path, body=body, **_STREAMED)
        return self._told(lambda: self._in_time(asked, within))

    def get(self, path: str, *, within: float, headers: Mapping[str, str] = _NONE) -> object:
        """Give what is there, as `post` does; `headers` go beside the key."""
        asked = partial(self._client.get, path, options={"headers": dict(headers)}, **_STREAMED)
        return self._told(lambda: self._in_time(asked, within))

    def _told(self, request: Callable[[], object]) -> object:
        """Make a request; tell how it failed in our words."""
        # Faults are raised `from None`: the SDK's own messages may quote the key.
        try:
            return request()
        except openai.APIStatusError as error:
            raise HttpRefusal(error) from None
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            if isinstance(error.__cause__, httpx2.ConnectTimeout):
                raise faults.no_connection_in(self._endpoint, self._connect) from None
            raise faults.silent(self._endpoint, self._seconds) from None
        except (openai.APIResponseValidationError, ValueError, RecursionError):
            return None  # no JSON, none in UTF-8, or none that ends
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            if refusal := faults.egress_refused(error):
                raise refusal from None
            raise faults.unreachable(self._endpoint, error) from None

    def _in_time(self, ask: Callable[[], openai.Stream[object]], seconds: float) -> object:
        until = time.monotonic() + seconds
        body = bytearray()
        with closing(ask().response) as response:
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
