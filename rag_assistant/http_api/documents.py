"""What is asked of documents: the databases that there are, a search, entries."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rag_assistant.clients.access import ClientAccess
from rag_assistant.http_api import schemas
from rag_assistant.http_api.operations import Given, Operation, Parameter
from rag_assistant.http_api.running import Running

Look = Callable[[ClientAccess, dict[str, Any]], Awaitable[Any]]

_DATABASE = Parameter("database", "path", schemas.DATABASE, "the name of a database")
_ID = Parameter("id", "path", schemas.ENTRY, "the id of an entry, as a search gives it")
_START = {**schemas.ENTRY, "default": 0}


def document_operations(running: Running) -> list[Operation]:
    """Make the operations."""

    def looking(look: Look) -> Callable[[Request, Given], Awaitable[Response]]:
        async def handle(request: Request, given: Given) -> Response:
            access = request.state.access
            found = await running.lookup(request, lambda: look(access, dict(given.parameters)))
            return JSONResponse(found)

        return handle

    return [
        Operation(
            "listDatabases",
            "GET",
            "/v1/databases",
            "The databases that this client may be handed, and what each holds.",
            looking(lambda access, _: access.databases()),
            schemas.DATABASES,
        ),
        Operation(
            "search",
            "GET",
            "/v1/search",
            "The best entries for any text, each with a snippet and its place.",
            looking(_search),
            schemas.HITS,
            (
                Parameter("q", "query", schemas.QUESTION, "what is looked for, in any words"),
                Parameter(
                    "database",
                    "query",
                    {**schemas.listed(schemas.DATABASE, maxItems=100), "default": []},
                    "only these databases; all by default",
                ),
                Parameter("limit", "query", _upto(50, 10), "entries at most"),
            ),
            errors=(404,),
        ),
        Operation(
            "listEntries",
            "GET",
            "/v1/databases/{database}/entries",
            "The entries of a database, or those that match a query, counted exactly.",
            looking(lambda access, asked: access.call("list_documents", asked)),
            schemas.ENTRIES,
            (
                _DATABASE,
                Parameter(
                    "query",
                    "query",
                    {"type": "string", "maxLength": 2_000, "default": ""},
                    "a query as in a search, with its filters; all entries by default",
                ),
                Parameter("limit", "query", _upto(100, 15), "entries at most"),
                Parameter("offset", "query", _START, "entries that are passed over"),
            ),
            errors=(404,),
        ),
        Operation(
            "readEntry",
            "GET",
            "/v1/databases/{database}/entries/{id}",
            "The text of an entry by its passages; a long one comes in parts: `next_at` is the "
            "`start` of the next.",
            looking(_read),
            schemas.PASSAGES,
            (
                _DATABASE,
                _ID,
                Parameter("start", "query", _START, "the character to begin with"),
                Parameter(
                    "end",
                    "query",
                    {**schemas.ENTRY, "default": schemas.LARGEST},
                    "the character to end before",
                ),
            ),
            errors=(404,),
        ),
        Operation(
            "outlineEntry",
            "GET",
            "/v1/databases/{database}/entries/{id}/outline",
            "What is known of an entry, and its parts with their places.",
            looking(lambda access, asked: access.call("outline", asked)),
            schemas.OUTLINE,
            (_DATABASE, _ID),
            errors=(404,),
        ),
    ]


def _upto(most: int, default: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default}


async def _search(access: ClientAccess, asked: dict[str, Any]) -> Any:
    return await access.hits(asked["q"], asked["database"], asked["limit"])


async def _read(access: ClientAccess, asked: dict[str, Any]) -> Any:
    place = {"at": asked["start"], "end": asked["end"]}
    return await access.call("read", {"database": asked["database"], "id": asked["id"], **place})
