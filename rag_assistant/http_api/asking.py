"""A question and its checked answer, as one object or with what is done meanwhile (server-sent
events, WHATWG HTML: section 9.2)."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from rag_assistant.clients.access import ClientAccess, Tell
from rag_assistant.errors import RagError
from rag_assistant.http_api import schemas
from rag_assistant.http_api.operations import Given, Operation
from rag_assistant.http_api.replies import Refused, error_json, refusal_of
from rag_assistant.http_api.running import Running, Streamed, Work
from rag_assistant.values.messages import PastExchange

STREAM = "text/event-stream"
_STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def ask_operation(running: Running, home: Path) -> Operation:
    """Make the operation."""

    async def ask(request: Request, given: Given) -> Response:
        access, body = request.state.access, given.body
        work = _asking(access, body)
        if not body.get("stream"):
            return JSONResponse(await running.run(request, work))
        return streamed(_events(running.begin(work), home))

    return Operation(
        "ask",
        "POST",
        "/v1/ask",
        "A question, answered from the documents with citations that were checked. With `stream` "
        "what is done is told by events `progress`; the last is `answer`, or `error`. No word of "
        "the answer comes before it was checked.",
        ask,
        schemas.ANSWER,
        body=schemas.ASK,
        streams=True,
        errors=(403, 404, 502, 503, 504),
    )


def _asking(access: ClientAccess, body: dict[str, Any]) -> Work:
    async def work(tell: Tell) -> Any:
        past = [(one["question"], one["answer"]) for one in body.get("past", ())]
        return await access.ask(
            body["question"],
            databases=body.get("databases", ()),
            past=await exchanges(access, past),
            tell=tell,
        )

    return work


async def exchanges(access: ClientAccess, said: list[tuple[str, str]]) -> tuple[PastExchange, ...]:
    """Take over what a client says was said before.

    Words of any database that it is offered may stand in it, so it goes no further than these may.
    """
    if not said:
        return ()
    names = tuple(await access.names())
    return tuple(PastExchange(question, (), answer, names) for question, answer in said)


def streamed(events: AsyncGenerator[str, None]) -> Response:
    """Give a response of server-sent events, which ends `events` when the client goes away."""

    async def closing() -> AsyncGenerator[str, None]:
        async with aclosing(events) as each:
            async for event in each:
                yield event

    return StreamingResponse(closing(), media_type=STREAM, headers=_STREAM_HEADERS)


async def _events(run: Streamed, home: Path) -> AsyncGenerator[str, None]:
    async with aclosing(run.words()) as words:
        async for said in words:
            yield event("progress", {"said": said}) if said else alive()
    try:
        answer = run.result()
    except Exception as error:
        yield event("error", error_json(refusal_of(error, str(home))))
        if not isinstance(error, Refused | RagError):
            raise  # a defect: the person is told
    else:
        yield event("answer", answer)


def event(name: str, value: Any) -> str:
    """Write an event; JSON has no line breaks outside its strings, and escapes those within."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value, ensure_ascii=False)}\n\n"


def alive(said: str = "") -> str:
    """Write a comment, which readers of events pass over."""
    return f": {' '.join(said.split())}\n\n"
