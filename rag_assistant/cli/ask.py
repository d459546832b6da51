"""`rag-assistant ask`: the answer as it streams, then its numbered sources."""

import asyncio
import json
import sys
from argparse import Namespace
from contextlib import aclosing

from rag_assistant.assistant import Assistant
from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import assistant_of, print_json, print_text, say
from rag_assistant.errors import RagError
from rag_assistant.events import Answered, Event, Note, Stopped, TextDelta, ToolFinished
from rag_assistant.evidence import Answer, Coverage
from rag_assistant.json_shapes import answer_json, event_json
from rag_assistant.safe_text import clean, clean_line


def run_ask(options: Namespace) -> int:
    """Ask. Exit code 1 when the run was stopped before an answer."""
    return asyncio.run(_ask(options))


async def _ask(options: Namespace) -> int:
    question = " ".join(options.question)
    if not question.strip():
        raise RagError("The question is empty.", hint="Ask something: rag-assistant ask QUESTION")
    assistant = assistant_of(options)
    try:
        return await _follow(assistant, question, options)
    finally:
        await assistant.aclose()


async def _follow(assistant: Assistant, question: str, options: Namespace) -> int:
    events = assistant.ask(question, databases=options.databases or (), model=options.model)
    code = Exit.DONE
    streamed = False
    async with aclosing(events) as run:
        async for event in run:
            if isinstance(event, Stopped):
                code = Exit.FAILED
            if options.events:
                print(json.dumps(event_json(event), ensure_ascii=False), flush=True)
            elif options.json:
                _print_whole(event)
            else:
                streamed = _show(event, streamed)
    return code


def _print_whole(event: Event) -> None:
    """Print the answer as one object; a stopped run is one too, with the reason."""
    if isinstance(event, Answered):
        print_json(answer_json(event.answer))
    elif isinstance(event, Stopped):
        print_json({**answer_json(event.partial), "stopped": event.reason, "hint": event.hint})
        say(f"{event.reason} {event.hint}")


def _show(event: Event, streamed: bool) -> bool:
    """Show an event to a person; gives whether text of this answer is on the screen already.

    Into a pipe the answer goes as a whole, because streamed text may turn out to be a remark.
    """
    live = sys.stdout.isatty()
    match event:
        case TextDelta(text) if live:
            print(clean(text), end="", flush=True)
            return True
        case Note(text, was_streamed):
            if was_streamed and live:
                print()
            elif not was_streamed:
                say(text)
            return False
        case ToolFinished(_, tool, _, summary, seconds) if sys.stderr.isatty():
            say(f"· {tool}: {summary} ({seconds:.2f} s)")
        case Answered(answer):
            _print_answer(answer, streamed)
        case Stopped(reason, hint, partial):
            _print_answer(partial, streamed)
            say(f"{reason} {hint}")
    return streamed


def _print_answer(answer: Answer, streamed: bool) -> None:
    print_text("" if streamed else answer.text)
    if answer.citations:
        print_text("\nSources")
    for citation in answer.citations:
        item = citation.item
        place = describe(item.location) if item.verified else "NOT FOUND in the source"
        where = f"{item.database} {item.entry_id}: {item.path}" + (f" · {place}" if place else "")
        print_text(f"[{citation.marker}] {clean_line(item.title)} ({clean_line(where)})")
        print_text(f"    “{clean_line(item.quote)}”")
    say(_coverage_line(answer.coverage))


def _coverage_line(coverage: Coverage) -> str:
    failed = f", {coverage.entries_failed} unread" if coverage.entries_failed else ""
    return (
        f"Searched {', '.join(coverage.databases)} ({coverage.entries_indexed} entries{failed}): "
        f"{coverage.searches} searches, {coverage.entries_read} entries read."
    )
