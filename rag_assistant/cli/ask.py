"""`rag-assistant ask`: answer a question, go on with a conversation, play a kept run again.

With --dry-run it prints what would be sent, and to whom, and sends nothing.
"""

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_assistant.assistant import Assistant
from rag_assistant.cli.answer_printer import AnswerPrinter, form_of
from rag_assistant.cli.conversations import asked_before, place_of, say_notes, store_of
from rag_assistant.cli.main import Exit
from rag_assistant.cli.permission import terminal_permit
from rag_assistant.cli.session import (
    assistant_of,
    config_of,
    file_finder,
    home_of,
    library_of,
    print_json,
    print_text,
    say,
)
from rag_assistant.cli.streams import holds_all
from rag_assistant.egress.gate import DryGate, DryRunRequest
from rag_assistant.errors import RagError
from rag_assistant.history.kept import KeptExchange, Past, Replay
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.contents import documents_at
from rag_assistant.tools.permission import Permit
from rag_assistant.values.events import Event, Note
from rag_assistant.values.scope import Wanted, name_of

LATER = (
    "Nothing was sent. Further requests depend on what the model replies; each is shown here "
    "afterwards: rag-assistant egress"
)


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """What is asked, of what, and after what was said in a kept conversation."""

    question: str
    databases: Sequence[Wanted]
    model: str | None
    past: Past = Past()
    follows: Follows | None = None
    images: Sequence[Path] = ()
    has_tools: bool = True


def run_ask(options: Namespace) -> int:
    """Ask, or play a kept run again. Exit code 1 when the run was stopped before an answer."""
    if options.replay is None and options.conversation is None and not options.question:
        say("rag-assistant ask: the question is missing: rag-assistant ask QUESTION")
        return Exit.USAGE
    if options.replay is not None and options.question:
        say("rag-assistant ask: --replay plays a kept run and takes no question.")
        return Exit.USAGE
    store = store_of(options)
    try:
        run = _ask if options.replay is None else _replay
        return asyncio.run(run(store, options))
    finally:
        say_notes(store)


async def _ask(store: ConversationStore, options: Namespace) -> int:
    asked = await asyncio.to_thread(_asked, store, options)
    asked = replace(asked, has_tools=not options.no_tools)
    assistant = assistant_of(options)
    if options.paths:
        names = list(map(name_of, asked.databases))
        found = await asyncio.to_thread(documents_at, assistant.library, names, options.paths)
        asked = replace(asked, databases=found)
    if options.dry_run:
        await assistant.aclose()
        return await _dry_run(asked, options)
    recorder = Recorder(store, asked.follows)
    kept = assistant.config.history and not options.no_history
    files = file_finder(assistant.library)
    printer = AnswerPrinter(
        form_of(options), lambda: recorder.conversation if kept else None, files
    )
    try:
        permit = terminal_permit(options.allow)
        await _print(_events(assistant, asked, recorder if kept else None, permit), printer)
        return printer.code
    finally:
        await assistant.aclose()


async def _events(
    assistant: Assistant, asked: PreparedQuestion, recorder: Recorder | None, permit: Permit
) -> AsyncGenerator[Event, None]:
    conversation = assistant.conversation(asked.past.exchanges, asked.past.evidence)
    answering = conversation.ask(
        asked.question,
        databases=asked.databases,
        model=asked.model,
        images=asked.images,
        permit=permit,
        tools=() if asked.has_tools else None,
    )
    if recorder:
        answering = recorder.recorded(answering, conversation)
    try:
        async with aclosing(answering) as events:
            async for event in events:
                yield event
    finally:
        await conversation.aclose()


async def _print(events: AsyncGenerator[Event, None], printer: AnswerPrinter) -> None:
    try:
        async with aclosing(events) as run:
            async for event in run:
                printer.show(event)
    finally:
        printer.close()


def _asked(store: ConversationStore, options: Namespace) -> PreparedQuestion:
    """Gather the question and, where a conversation goes on, what was said in it before."""
    question = " ".join(options.question).strip()
    databases, model = options.databases or (), options.model
    images = tuple(map(Path, options.images))
    if options.conversation is None:
        return PreparedQuestion(_not_empty(question), databases, model, images=images)
    place = place_of(store, options.conversation)
    kept = store.show(place.conversation)
    last = kept.exchanges[-1]
    up_to = last.ordinal if place.ordinal is None else place.ordinal
    if up_to >= last.ordinal:
        question = question or _left_unanswered(last)
        _refuse_running(last)
    return PreparedQuestion(
        _not_empty(question),
        databases or asked_before(store, place.conversation, up_to) or kept.summary.databases,
        model or kept.summary.model,
        store.resume(place.conversation, up_to),
        Follows(place.conversation, up_to),
        images,
    )


def _not_empty(question: str) -> str:
    if not question:
        raise RagError(
            "The question is empty.", hint="Ask something: `rag-assistant ask QUESTION`."
        )
    return question


def _left_unanswered(last: KeptExchange) -> str:
    """Give the last question once more where its run did not come to its end."""
    return last.question if last.state in ("stopped", "interrupted") else ""


def _refuse_running(last: KeptExchange) -> None:
    if last.state == "running":
        raise RagError(
            "The last question of this conversation is still being answered.",
            hint="Wait for it, or start a new conversation without --continue.",
        )


async def _dry_run(asked: PreparedQuestion, options: Namespace) -> int:
    """Prepare a question, and show each request that it comes to: to whom, and with what in it."""
    from rag_assistant.assistant.dry_run import DryConversation

    gate = DryGate(home_of(options), config_of(options))
    assistant = assistant_of(options, gate, mcp=False)
    notes: list[str] = []
    past = asked.past
    conversation = DryConversation(assistant.setup, past.exchanges, past.evidence)
    asking = conversation.ask(
        asked.question,
        databases=asked.databases,
        model=asked.model,
        images=asked.images,
        tools=() if asked.has_tools else None,
    )
    try:
        async with aclosing(asking) as events:
            async for event in events:
                notes += [event.text] if isinstance(event, Note) else []
    finally:
        await conversation.aclose()
        await assistant.aclose()
    if assistant.config.mcp:
        notes.append("MCP servers were not started: their tools are not in the first request.")
    for names, host in gate.would_ask:
        notes.append(f"You would be asked first whether the text of {names} may go to {host}.")
    await asyncio.to_thread(_print_requests, asked.question, gate.shown, notes, options)
    return Exit.DONE


def _print_requests(
    question: str, shown: Sequence[DryRunRequest], notes: Sequence[str], options: Namespace
) -> None:
    if options.json or options.events:
        requests = [_request_json(request) for request in shown]
        told = {"question": question, "requests": requests, "notes": list(notes), "sent": False}
        print_json(told)
        return
    for number, request in enumerate(shown, 1):
        to = request.to
        where = "this machine" if to.stays else "another machine"
        print_text(f"{number}. {request.provenance.purpose or 'request'} by {to.model}")
        print_text(f"   to {to.url} ({where}): {_carried(request)}")
        in_ascii = not holds_all(sys.stdout)
        print_text(json.dumps(request.body, ensure_ascii=in_ascii, indent=2))
    for note in notes:
        say(note)
    if not shown:
        say("Nothing would be sent: what answers runs within this program.")
    else:
        say(LATER)


def _carried(request: DryRunRequest) -> str:
    entries = len(request.provenance.entries)
    parts = [
        f"{entries} entr{'y' if entries == 1 else 'ies'} in it",
        f"{request.masked.characters:,} characters of text",
    ]
    if not request.to.stays:
        count = request.masked.secrets
        parts.append(f"{count} secret{'' if count == 1 else 's'} masked")
    return ", ".join(parts)


def _request_json(request: DryRunRequest) -> dict[str, Any]:
    to, provenance = request.to, request.provenance
    return {
        "to": to.url,
        "host": to.host,
        "this_machine": to.stays,
        "model": to.model,
        "purpose": provenance.purpose,
        "databases": list(provenance.databases),
        "entries": [{"database": name, "id": entry} for name, entry in provenance.entries],
        "characters": request.masked.characters,
        "masked": 0 if to.stays else request.masked.secrets,
        "body": request.body,
    }


async def _replay(store: ConversationStore, options: Namespace) -> int:
    """Play a kept run: the same events, from the file."""
    place = place_of(store, options.replay)
    replay = await asyncio.to_thread(store.replay, place.conversation, place.ordinal)
    form = form_of(options)
    printer = AnswerPrinter(form, lambda: place.conversation, file_finder(library_of(options)))
    await _print(_played(replay), printer)
    if replay.skipped:
        kinds = ", ".join(sorted(set(replay.skipped)))
        say(f"{len(replay.skipped)} events that this version does not know were left out: {kinds}.")
    if printer.ended:
        return printer.code
    if form == "json":
        print_json({"answer": replay.text, "answered": False, "stopped": replay.state})
    elif form == "text":
        print_text(replay.text)
    say(f"This run has not come to its end: {replay.state}.")
    return Exit.FAILED


async def _played(replay: Replay) -> AsyncGenerator[Event, None]:
    for event in replay.events:
        yield event
