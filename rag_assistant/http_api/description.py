"""The description of the interface: OpenAPI 3.1, whose schemas are JSON Schema 2020-12."""

import re
from collections.abc import Sequence
from typing import Any

from rag_assistant import __version__
from rag_assistant.http_api import schemas
from rag_assistant.http_api.operations import Operation

_ABOUT = (
    "Search, read and ask the documents of the person whose machine this is. Everything is "
    "read-only. `rag-assistant api token NAME` prints the token of a client. Databases that are to "
    "stay on this machine are offered to clients that the person allowed; what is handed out is "
    "on record, without secrets and without text that is hidden from models."
)
_ERRORS = {
    400: "It cannot be understood.",
    401: "The token is missing, or is none.",
    403: "It may not be asked from there, or handed out.",
    404: "There is no such thing.",
    405: "It cannot be asked in this way.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    415: "The body is not said to be JSON.",
    429: "Too many requests; Retry-After says when.",
    500: "The server met a defect, or cannot read its files.",
    502: "The model did not answer.",
    503: "Busy, or the run was stopped.",
    504: "It took too long.",
}
_ALWAYS = (400, 401, 403, 404, 405, 429, 500, 503, 504)
_WITH_BODY = (408, 413, 415)


def described(operations: Sequence[Operation], origin: str) -> dict[str, Any]:
    """Describe the interface that is served at `origin`."""
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(plain_path(one.path), {})[one.method.lower()] = _described(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "rag-assistant", "version": __version__, "description": _ABOUT},
        "servers": [{"url": origin}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": schemas.ERROR},
        },
    }


def plain_path(path: str) -> str:
    """Write a path as OpenAPI does, without the kinds of its parts."""
    return re.sub(r"\{(\w+):\w+\}", r"{\1}", path)


def _described(operation: Operation) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.about,
        "responses": _responses(operation),
    }
    if operation.parameters:
        made["parameters"] = [
            {
                "name": one.name,
                "in": one.place,
                "required": one.needed,
                "schema": one.schema,
                "description": one.about,
            }
            for one in operation.parameters
        ]
    if operation.body is not None:
        content = {"application/json": {"schema": operation.body}}
        made["requestBody"] = {"required": True, "content": content}
    return made


def _responses(operation: Operation) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": operation.reply}}
    if operation.streams:
        content["text/event-stream"] = {}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    statuses = {*_ALWAYS, *operation.errors, *(_WITH_BODY if operation.body else ())}
    return {
        "200": {"description": "It is done.", "content": content},
        **{
            str(status): {"description": _ERRORS[status], "content": error}
            for status in sorted(statuses)
        },
    }
