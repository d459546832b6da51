"""What is replied when a request is not done: JSON with one line that says why, and the next step.

The shape is that of OpenAI's errors, which chat programs show: `{"error": {"message", "type",
"code", "param"}}`.
"""

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse

from rag_assistant.api.asking import RunStopped
from rag_assistant.errors import (
    ConfigError,
    EgressError,
    EntryNotFound,
    IndexDamaged,
    LibraryError,
    ModelError,
    RagError,
    ToolFailed,
    in_full,
)
from rag_assistant.text.safe_text import clean_line

_LONGEST_LINE = 600

INTERNAL = "The server met a defect of its own; what it was stands where `rag-assistant api` runs."


class Refused(Exception):
    """A request that is not done, with the status and the headers of the reply."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        hint: str,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.said = in_full(message, hint)
        self.headers = dict(headers or {})


_KINDS: tuple[tuple[type[RagError], int, str], ...] = (
    (RunStopped, 503, "run_stopped"),
    (EntryNotFound, 404, "entry_not_found"),
    (LibraryError, 404, "database_not_found"),
    (IndexDamaged, 500, "database_damaged"),
    (EgressError, 403, "not_allowed"),
    (ModelError, 502, "model_failed"),
    (ConfigError, 500, "settings_unreadable"),
    (ToolFailed, 400, "invalid_request"),
)
"""The status and the code of each kind of failure, the narrow kinds first."""


def refusal_of(error: Exception, home: str) -> Refused:
    """Make a reply of a failure; where the home lies is not told, nor what a defect is."""
    if isinstance(error, Refused):
        return error
    if not isinstance(error, RagError):
        return Refused(500, "defect", INTERNAL, "")
    status, code = next(
        ((status, code) for kind, status, code in _KINDS if isinstance(error, kind)),
        (400, "invalid_request"),
    )
    return Refused(status, code, str(error).replace(home, "HOME"), "")


def error_json(why: Refused) -> dict[str, Any]:
    """Give the JSON of a refusal."""
    kind = "invalid_request_error" if why.status < 500 else "server_error"
    said = clean_line(why.said)[:_LONGEST_LINE]
    return {"error": {"message": said, "type": kind, "code": why.code, "param": None}}


def error_reply(why: Refused) -> JSONResponse:
    """Give the response of a refusal."""
    return JSONResponse(error_json(why), why.status, headers=why.headers)
