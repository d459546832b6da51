"""Every way a model can fail, in words: one line naming the host and the cause, and the next step.

All messages about models are written here, so that they read alike whichever wire format or layer
met the failure.
"""

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from math import ceil

from rag_assistant.errors import EgressError, ModelError
from rag_assistant.models.endpoint import Endpoint

_TOO_LONG = re.compile(
    r"context[ _-]?(length|window|size)|too many tokens|(prompt|input|request) is too long",
    re.IGNORECASE,
)
_WANTS_TLS = re.compile(r"\bHTTP request\b.*\bHTTPS (server|port)\b", re.IGNORECASE)
"""What web servers say where https was meant; other TLS servers answer in no words."""

_AGAIN = "Ask again in a moment"
_SCHEME = "Check base_url: http or https?"
_NETWORK = "Check base_url, the network connection and the proxy."
_NO_REPLY_FORM = "base_url may be wrong: it usually ends in /v1."


def refused(
    endpoint: Endpoint, status: int, body: object, retry_after: float | None = None
) -> ModelError:
    """An answer with an HTTP status other than 200; `retry_after` in seconds, if known."""
    said = endpoint.detail(body)
    host, env = endpoint.host, endpoint.key_env
    if status == 413 or (status in (400, 422) and _TOO_LONG.search(said)):
        return _too_long(endpoint, f" ({status})", said)
    if status == 429:
        return _too_many(endpoint, body, retry_after)
    if status == 401 and not endpoint.key:
        what, hint = f"{host} wants a key", f"Set {env} to the key of this server."
    elif status == 401:
        what, hint = f"{host} did not accept the key in {env}", f"Put a valid key into {env}."
    elif status == 403:
        what = f"{host} does not allow the model {endpoint.model!r}"
        hint = f"Check that the key in {env} may use this model, or choose another."
    elif status == 404:
        what = f"{host} does not know the model {endpoint.model!r}"
        hint = "Check the model's name there, and that base_url is right: it usually ends in /v1."
    elif 300 <= status < 400:
        what = f"{host} sends requests on to another address"
        hint = "Put the address that answers into base_url."
    elif status >= 500 or status == 408:
        what = f"{host} failed"
        again = f"{_wait(retry_after)} and ask again" if retry_after else _AGAIN
        hint = f"{again}; if it stays, look into the server's log or choose another model."
    elif status == 400 and _WANTS_TLS.search(said):
        what, hint = f"{host} takes only secure connections", _SCHEME
    else:
        what = f"{host} did not accept the request"
        hint = "Check this model's settings: another wire, or native_tools = false, may suit it."
    return _fault(f"{what} ({status})", said, hint)


def reported(endpoint: Endpoint, error: object) -> ModelError:
    """An error that arrived inside a stream which had begun well."""
    said = endpoint.detail(error)
    if _TOO_LONG.search(said):
        return _too_long(endpoint, "", said)
    return _fault(f"{endpoint.host} reported an error", said, f"{_AGAIN}, or choose another model.")


def unreachable(endpoint: Endpoint, error: BaseException) -> ModelError:
    """No connection, or one that ended before an answer; the cause is looked for in `error`."""
    host = endpoint.host
    causes = list(causes_of(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return ModelError(
            f"The host {host} was not found.", hint="Check base_url and the network connection."
        )
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return ModelError(
            f"{host} has no certificate that this machine trusts.",
            hint="Check base_url, or name the file of its authority in SSL_CERT_FILE.",
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return ModelError(f"{host} made no secure connection.", hint=_SCHEME)
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return ModelError(
            f"Nothing answers at {host}: the connection was refused.",
            hint="Start the model server there, or correct base_url."
            if endpoint.loopback
            else _NETWORK,
        )
    return ModelError(
        f"{host} could not be reached: the connection failed or was closed without an answer.",
        hint=_NETWORK,
    )


def not_http(endpoint: Endpoint) -> ModelError:
    """An answer in another protocol, as from a server that speaks TLS."""
    return ModelError(f"{endpoint.host} did not answer in HTTP.", hint=_SCHEME)


def unusable(error: BaseException) -> ModelError:
    """This machine's own settings allow no request; proxies' addresses are not shown."""
    if isinstance(error, OSError):
        return ModelError(
            "The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read.",
            hint="Correct or unset it.",
        )
    if isinstance(error, ImportError):
        return ModelError(
            "A SOCKS proxy is set, which is not supported.",
            hint="Set an HTTP proxy, or name the model's host in NO_PROXY.",
        )
    return ModelError(
        "The address of a proxy is not a web address.",
        hint="Check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY.",
    )


def no_connection_in(endpoint: Endpoint, seconds: float) -> ModelError:
    """Connecting took too long."""
    return ModelError(
        f"{endpoint.host} took no connection within {seconds:g} seconds.",
        hint="Check base_url and the network connection.",
    )


def silent(endpoint: Endpoint, seconds: float) -> ModelError:
    """A connection on which nothing came."""
    return ModelError(
        f"{endpoint.host} stayed silent for {seconds:g} seconds (time-out).",
        hint=f"{_AGAIN}, or raise timeout_seconds of this model.",
    )


def kept_waiting(endpoint: Endpoint, seconds: float) -> ModelError:
    """A connection that is kept alive, and on which nothing of a reply came."""
    return ModelError(
        f"{endpoint.host} kept the connection, but sent nothing of a reply for {seconds:g} seconds "
        "(time-out).",
        hint=f"{_AGAIN}, or raise timeout_seconds of this model.",
    )


def endless(endpoint: Endpoint, size: str) -> ModelError:
    """A reply that was cut because it went on far beyond the output limit; `size` with its unit."""
    return ModelError(
        f"The reply of {endpoint.model!r} at {endpoint.host} did not end: it was cut at {size}.",
        hint=f"{_AGAIN}, choose another model, or raise max_output_tokens of this one.",
    )


def late(endpoint: Endpoint, seconds: float) -> ModelError:
    """An answer that came, but not the whole of it in time."""
    return ModelError(
        f"{endpoint.host} did not answer within {seconds:g} seconds.",
        hint=f"{_AGAIN}, or raise timeout_seconds of this model.",
    )


def broke_off(endpoint: Endpoint, text: str) -> ModelError:
    """A stream that ended without saying that it was complete."""
    words = len(text.split())
    after = f"after {words} word{'s' * (words != 1)}" if words else "before the first word"
    return ModelError(
        f"{endpoint.host} broke off {after}.", hint=f"{_AGAIN}; the answer is not complete."
    )


def empty(endpoint: Endpoint, *, cut: bool) -> ModelError:
    """A complete reply with neither text nor tool calls; `cut` when it met its output limit."""
    if cut:
        return ModelError(
            f"{endpoint.model!r} at {endpoint.host} met its output limit before the first word.",
            hint="Raise max_output_tokens of this model.",
        )
    return ModelError(
        f"{endpoint.model!r} at {endpoint.host} gave an empty reply.",
        hint=f"{_AGAIN}, or choose another model.",
    )


def not_a_stream(endpoint: Endpoint, content_type: str, body: object) -> ModelError:
    """A 200 answer whose body is a page or a lone value; `body` is decoded JSON, if it is that."""
    host = endpoint.host
    if isinstance(body, dict) and body.get("error"):
        return reported(endpoint, body)
    if "html" in content_type:
        return ModelError(f"{host} sent a web page, not a model's reply.", hint=_NO_REPLY_FORM)
    return ModelError(f"{host} did not stream a model's reply.", hint=_NO_REPLY_FORM)


def malformed(endpoint: Endpoint) -> ModelError:
    """A stream with an event that is not JSON, or not of the wire format."""
    return ModelError(
        f"{endpoint.host} sent a damaged reply: an event that cannot be read.",
        hint=f"{_AGAIN}; if it stays, check base_url and any proxy between.",
    )


def _fault(what: str, said: str, hint: str) -> ModelError:
    end = said if not said or said[-1] in ".!?…" else f"{said}."
    return ModelError(f"{what}: {end}" if said else f"{what}.", hint=hint)


def _too_long(endpoint: Endpoint, status: str, said: str) -> ModelError:
    what = f"The conversation is too long for {endpoint.model!r} at {endpoint.host}{status}"
    hint = "Start a new conversation, lower limits.evidence_tokens, or give the model more context."
    return _fault(what, said, hint)


def _too_many(endpoint: Endpoint, body: object, retry_after: float | None) -> ModelError:
    said = endpoint.detail(body)
    if isinstance(body, Mapping) and "insufficient_quota" in (body.get("code"), body.get("type")):
        what = f"{endpoint.host} takes no more requests on this account (429)"
        return _fault(what, said, "Check its plan and credit there, or choose another model.")
    hint = (
        f"{_wait(retry_after)} and ask again; if it stays, check the account's limits and credit."
    )
    return _fault(f"{endpoint.host} takes no more requests now (429)", said, hint)


def _wait(seconds: float | None) -> str:
    if seconds is None:
        return "Wait a minute"
    if seconds > 600:
        return f"Wait {ceil(seconds / 60)} minutes"
    return f"Wait {ceil(seconds)} second{'s' * (seconds > 1)}"


def egress_refused(error: BaseException) -> EgressError | None:
    """Give our own refusal out of an error of the network that came of it."""
    return next((cause for cause in causes_of(error) if isinstance(cause, EgressError)), None)


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Walk an exception, what it came from, and the members of groups."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for member in error.exceptions:
                yield from causes_of(member)
        error = error.__cause__ or error.__context__
