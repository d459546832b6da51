"""What can be asked: each operation with what it takes, which is checked before it is done.

The description of the interface (OpenAPI) is made of the same values, so neither says what the
other does not.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response

from rag_assistant.http_api.bounds import Bounds, json_body
from rag_assistant.http_api.replies import Refused

Schema = Mapping[str, Any]

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_LONGEST_MISTAKE = 200


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of the address: of its path or of its query. An array is given by repetition."""

    name: str
    place: Literal["path", "query"]
    schema: Schema
    about: str

    @property
    def needed(self) -> bool:
        """Whether a request must have it."""
        return self.place == "path" or "default" not in self.schema


@dataclass(frozen=True, slots=True)
class Given:
    """What a request gives, checked: its parameters, and the JSON that it carries."""

    parameters: Mapping[str, Any]
    body: Any = None


Handler = Callable[[Request, Given], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """`body` is the schema of what it takes and `reply` of what it gives; where it `streams`, a
    request may ask for server-sent events in its place. `errors` are statuses of its own."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    about: str
    handler: Handler
    reply: Schema
    parameters: tuple[Parameter, ...] = ()
    body: Schema | None = None
    streams: bool = False
    errors: tuple[int, ...] = field(default=())

    async def given(self, request: Request, bounds: Bounds) -> Given:
        """Read and check what a request gives. Raises Refused."""
        named = {one.name: self._read(one, request) for one in self.parameters}
        body = None
        if self.body is not None:
            body = await json_body(request, bounds)
            check("", body, self.body)
        return Given({name: value for name, value in named.items() if value is not None}, body)

    @staticmethod
    def _read(parameter: Parameter, request: Request) -> Any:
        name, schema = parameter.name, parameter.schema
        if parameter.place == "path":
            written = [str(request.path_params[name])]
        else:
            written = request.query_params.getlist(name)
        if not written:
            if parameter.needed:
                raise _mistaken(name, "it is missing")
            return schema.get("default")
        if schema.get("type") == "array":
            value: Any = written
        elif len(written) > 1:
            raise _mistaken(name, "it is given more than once")
        elif schema.get("type") == "integer":
            value = int(written[0]) if _INTEGER.fullmatch(written[0]) else written[0]
        else:
            value = written[0]
        check(name, value, schema)
        return value


def check(name: str, value: Any, schema: Schema) -> None:
    """Hold a value against its schema. Raises Refused with the first mistake."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - it takes a while to load
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    mistake = best_match(Draft202012Validator(schema).iter_errors(value))
    if mistake is not None:
        place = "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}" for part in mistake.path
        )
        said = mistake.message
        if mistake.validator in ("contains", "pattern") and "description" in mistake.schema:
            said = f"it must be {mistake.schema['description']}"
        raise _mistaken(f"{name}{place}".lstrip(".") or "the body", said)


def _mistaken(name: str, mistake: str) -> Refused:
    if len(mistake) > _LONGEST_MISTAKE:
        mistake = f"{mistake[: _LONGEST_MISTAKE // 2]} … {mistake[-_LONGEST_MISTAKE // 2 :]}"
    return Refused(
        400, "invalid_request", f"{name}: {mistake}", "What it may be stands in /openapi.json."
    )
