"""The documents as a model of a chat program: OpenAI's models and chat completions.

`rag-assistant` answers from all databases, `rag-assistant/NAME` from one. What the person set up
answers; parameters of models have no effect, nor do instructions of a chat program: what answers
copies from documents, or is instructed by this program.
"""

import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rag_assistant.clients.access import ClientAccess, Tell
from rag_assistant.errors import RagError
from rag_assistant.http_api import schemas
from rag_assistant.http_api.asking import alive, event, exchanges, streamed
from rag_assistant.http_api.chat_words import Said, chat_shape, conversation_in, said_of
from rag_assistant.http_api.operations import Given, Operation, Parameter
from rag_assistant.http_api.replies import Refused, error_json, refusal_of
from rag_assistant.http_api.running import Running, Streamed, Work

ALL = "rag-assistant"
_OWNER = "rag-assistant"
_PIECE = 60
"""Characters of a piece of a streamed answer, about."""

_ID = Parameter(
    "id", "path", {"type": "string", "minLength": 1, "maxLength": 200}, "the id of a model"
)


def chat_operations(running: Running, home: Path) -> list[Operation]:
    """Make the operations."""

    async def models(request: Request, _: Given) -> Response:
        found = await running.lookup(request, lambda: _models(request.state.access))
        return JSONResponse({"object": "list", "data": found})

    async def model(request: Request, given: Given) -> Response:
        found = await running.lookup(request, lambda: _models(request.state.access))
        return JSONResponse(_named(given.parameters["id"], found))

    async def complete(request: Request, given: Given) -> Response:
        body = given.body
        past, question = conversation_in(body["messages"])
        access = request.state.access
        databases = await _databases(access, body["model"])
        work = _answering(access, question, past, databases)
        head = _head(body["model"])
        if not body.get("stream"):
            said = said_of(await running.run(request, work))
            return JSONResponse(_whole(head, said))
        wants_usage = bool((body.get("stream_options") or {}).get("include_usage"))
        return streamed(_chunks(running.begin(work), head, home, wants_usage=wants_usage))

    return [
        Operation(
            "listModels",
            "GET",
            "/v1/models",
            "All documents as a model, and each database as one.",
            models,
            schemas.MODELS,
        ),
        Operation(
            "getModel",
            "GET",
            "/v1/models/{id:path}",
            "One of them.",
            model,
            schemas.MODEL,
            (_ID,),
            errors=(404,),
        ),
        Operation(
            "createChatCompletion",
            "POST",
            "/v1/chat/completions",
            "An answer from the documents, for programs that speak to models. The last messages of "
            "the user are the question, what was said before is taken over; other roles and "
            "parameters have no effect. Citations stand in the text, with their sources below it, "
            "and as annotations.",
            complete,
            schemas.COMPLETION,
            body=schemas.CHAT,
            streams=True,
            errors=(403, 404, 502, 503, 504),
        ),
    ]


async def _models(access: ClientAccess) -> list[dict[str, Any]]:
    names = [ALL, *(f"{ALL}/{name}" for name in await access.names())]
    return [{"id": name, "object": "model", "created": 0, "owned_by": _OWNER} for name in names]


def _named(wanted: str, models: list[dict[str, Any]]) -> dict[str, Any]:
    for one in models:
        if one["id"] == wanted:
            return one
    names = ", ".join(one["id"] for one in models)
    raise Refused(
        404, "model_not_found", f"There is no model {wanted[:60]!r}", f"There are: {names}."
    )


async def _databases(access: ClientAccess, model: str) -> list[str]:
    name = _named(model, await _models(access))["id"]
    return [] if name == ALL else [name.partition("/")[2]]


def _answering(
    access: ClientAccess, question: str, past: list[tuple[str, str]], databases: list[str]
) -> Work:
    async def work(tell: Tell) -> Any:
        return await access.ask(
            question,
            databases=databases,
            past=await exchanges(access, past),
            tell=tell,
            shape=chat_shape,
        )

    return work


def _head(model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": model}


def _whole(head: dict[str, Any], said: Said) -> dict[str, Any]:
    message = {
        "role": "assistant",
        "content": said.content,
        "refusal": None,
        "annotations": said.annotations,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {**head, "object": "chat.completion", "choices": [choice], "usage": said.usage}


async def _chunks(
    run: Streamed, head: dict[str, Any], home: Path, *, wants_usage: bool
) -> AsyncGenerator[str, None]:
    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        body = {**head, "object": "chat.completion.chunk", "choices": [choice]}
        return event("", {**body, **({"usage": None} if wants_usage else {}), **more})

    yield chunk({"role": "assistant", "content": ""})
    async with aclosing(run.words()) as words:
        async for doing in words:
            yield alive(doing)
    try:
        said = said_of(run.result())
    except Exception as error:
        yield event("", error_json(refusal_of(error, str(home))))
        if not isinstance(error, Refused | RagError):
            raise  # a defect: the person is told
        return
    for piece in _pieces(said.content):
        yield chunk({"content": piece})
    yield chunk({"annotations": said.annotations}, "stop")
    if wants_usage:
        yield chunk({}, choices=[], usage=said.usage)
    yield "data: [DONE]\n\n"


def _pieces(text: str) -> list[str]:
    """Cut a text behind spaces and line ends, in pieces of about the same length."""
    pieces, begun = list[str](), ""
    for word in text.replace("\n", "\n\0").replace(" ", " \0").split("\0"):
        begun += word
        if len(begun) >= _PIECE:
            pieces.append(begun)
            begun = ""
    return [*pieces, begun] if begun else pieces
