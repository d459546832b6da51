"""`rag-assistant ask --dry-run`: prints what would be sent, and to whom, and sends nothing."""

import asyncio
import json
from argparse import Namespace
from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from rag_assistant.assistant.dry_run import DryConversation
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import assistant_of, config_of, home_of, print_json, print_text, say
from rag_assistant.egress.gate import DryGate, Shown
from rag_assistant.events import Note

if TYPE_CHECKING:
    from rag_assistant.cli.ask import Asked

LATER = (
    "Nothing was sent. Further requests depend on what the model replies; each is shown here "
    "afterwards: rag-assistant egress"
)


async def show_dry_run(asked: "Asked", options: Namespace) -> int:
    """Prepare a question, and show each request that it comes to."""
    gate = DryGate(home_of(options), config_of(options))
    assistant = assistant_of(options, gate, mcp=False)
    notes: list[str] = []
    past = asked.past
    conversation = DryConversation(assistant, past.exchanges, past.evidence)
    asking = conversation.ask(
        asked.question, databases=asked.databases, model=asked.model, images=asked.images
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
    await asyncio.to_thread(_print, asked.question, gate.shown, notes, options)
    return Exit.DONE


def _print(question: str, shown: Sequence[Shown], notes: Sequence[str], options: Namespace) -> None:
    if options.json or options.events:
        requests = [_request_json(request) for request in shown]
        told = {"question": question, "requests": requests, "notes": list(notes), "sent": False}
        print_json(told)
        return
    for number, request in enumerate(shown, 1):
        to = request.to
        where = "this machine" if to.loopback else "another machine"
        print_text(f"{number}. {request.cargo.purpose or 'request'} by {to.model}")
        print_text(f"   to {to.url} ({where}): {_carried(request)}")
        print_text(json.dumps(request.body, ensure_ascii=False, indent=2))
    for note in notes:
        say(note)
    if not shown:
        say("Nothing would be sent: what answers runs within this program.")
    else:
        say(LATER)


def _carried(request: Shown) -> str:
    entries = len(request.cargo.entries)
    parts = [
        f"{entries} entr{'y' if entries == 1 else 'ies'} in it",
        f"{request.masked.characters:,} characters of text",
    ]
    if not request.to.loopback:
        count = request.masked.secrets
        parts.append(f"{count} secret{'' if count == 1 else 's'} masked")
    return ", ".join(parts)


def _request_json(request: Shown) -> dict[str, Any]:
    to, cargo = request.to, request.cargo
    return {
        "to": to.url,
        "host": to.host,
        "this_machine": to.loopback,
        "model": to.model,
        "purpose": cargo.purpose,
        "databases": list(cargo.databases),
        "entries": [{"database": name, "id": entry} for name, entry in cargo.entries],
        "characters": request.masked.characters,
        "masked": 0 if to.loopback else request.masked.secrets,
        "body": request.body,
    }
