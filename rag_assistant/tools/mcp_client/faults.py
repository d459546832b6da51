"""What the SDK, the network or a program's end raised, as one line with the next step."""

import httpx2
from mcp import MCPError
from pydantic import ValidationError

from rag_assistant.tools.mcp_client.failures import ServerFailed
from rag_assistant.tools.mcp_client.place import ServerAddress
from rag_assistant.tools.mcp_client.traffic import Traffic

GO_ON = "Go on without it."
AGAIN = "What it was asked may be half done; it is started again at the next call."


def first_cause(error: BaseException) -> BaseException:
    """Give the first error of a group, which is what went wrong; the rest followed from it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def not_started(
    place: ServerAddress, traffic: Traffic, error: BaseException | None
) -> ServerFailed:
    """Say why a server could not be started or reached. `error` is None when it just ended."""
    by_hand = "Try its command in a terminal." if place.program else place.mend("url")
    hint, detail = by_hand, ""
    if traffic.refusal:
        what, hint = traffic.refusal, f"It may be no MCP server. {by_hand}"
    elif isinstance(error, TimeoutError):
        what = f"did not answer within {place.settings.timeout_seconds:g} s of its start"
        hint, detail = f"{by_hand} If it is slow, raise timeout_seconds.", traffic.last_words()
    elif traffic.status in (401, 403):
        what = f"refused us with HTTP {traffic.status}"
        hint = f"Check the variables of its headers. {place.mend('headers')}"
    elif traffic.status:
        what = f"answered with HTTP {traffic.status}"
    elif traffic.exit_code is not None:
        what = f"ended at its start with exit code {traffic.exit_code}"
        detail = traffic.last_words()
    elif isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        reason = place.detail(str(error)) or "it does not answer"
        what, hint = f"cannot be reached {place.shown}: {reason}", f"Start it. {by_hand}"
    elif isinstance(error, OSError):
        what = f"cannot be started: {place.detail(error.strerror or str(error))}"
    elif isinstance(error, MCPError):
        what, detail = "does not speak with us", error.message
    else:
        what = f"cannot be used{_kind(error)}"
    return place.failed(what, hint=hint, detail=detail)


def ended(place: ServerAddress, traffic: Traffic, error: BaseException | None) -> ServerFailed:
    """Say how a server ended that had been started; what it was doing then may be half done."""
    if traffic.refusal:
        return place.failed(traffic.refusal, hint=f"Ask it for less. {AGAIN}")
    if traffic.exit_code is not None:
        what = f"ended with exit code {traffic.exit_code}"
        return place.failed(what, hint=AGAIN, detail=traffic.last_words())
    if traffic.status:
        return place.failed(f"answered with HTTP {traffic.status}", hint=AGAIN)
    if isinstance(error, httpx2.SSEError):
        return place.failed("sent an event that is too long", hint=f"Ask it for less. {AGAIN}")
    return place.failed(f"broke the connection{_kind(error)}", hint=AGAIN)


def answered_with(place: ServerAddress, traffic: Traffic, error: BaseException) -> ServerFailed:
    """Say what a server answered instead of a result; the connection stands."""
    if isinstance(error, ValidationError):
        return place.failed("answered with something that is no result", hint=GO_ON)
    if isinstance(error, MCPError):
        what = f"HTTP {traffic.status}" if traffic.status else "an error"
        return place.failed(f"answered with {what}", hint=GO_ON, detail=error.message)
    return place.failed(f"could not be asked{_kind(error)}", hint=GO_ON)


def _kind(error: BaseException | None) -> str:
    """Name an error that has no words of its own here; its text may quote what must not be seen."""
    return f" ({type(error).__name__})" if error else ""
