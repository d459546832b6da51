"""What a client is let at: the one way to documents and answers for whoever serves programs.

Everything is read-only. What is given was taken from databases that the client may be handed, is
without words that are hidden from models, has its secrets masked, and is on the record of what
leaves before it is given.
"""

import asyncio
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

from rag_assistant.api.asking import RunStopped
from rag_assistant.api.opening import config_file, searching_library
from rag_assistant.assistant import Assistant
from rag_assistant.assistant.agent_specs import reading_alone
from rag_assistant.clients.offered_library import OfferedLibrary
from rag_assistant.clients.shapes import (
    Shape,
    answer_shape,
    entries_in,
    entries_of,
    hits_shape,
    lines_shape,
    output_shape,
)
from rag_assistant.clients.texts import TextPart, entries_page, text_part
from rag_assistant.clients.tools import client_tools, run_tool
from rag_assistant.config import Config, load_config
from rag_assistant.egress.clients import Client, hand_out
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.own_fields import NO_FIELDS
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.errors import RagError, ToolFailed
from rag_assistant.library.about import about
from rag_assistant.library.database import Database
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.library.why_not import nowhere, path_accounts
from rag_assistant.library.why_not_found import why_not_found
from rag_assistant.library.why_not_words import why_not_lines
from rag_assistant.tools.digest import NAME as DIGEST
from rag_assistant.tools.progress import listening
from rag_assistant.values.events import Answered, Event, Stopped, ToolStarted, Waiting
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import PastExchange
from rag_assistant.values.scope import Wanted

Tell = Callable[[str], None]
"""Hears in a line how far something is; it is called in the event loop."""


def open_access(home: Path, client: Client, config: Config | None = None) -> "ClientAccess":
    """Let a client at the databases of a home. Close it with `aclose`. Raises ConfigError."""
    config = config or load_config(config_file(home))
    gate = Gate(home, config)
    library = OfferedLibrary(searching_library(home, config, gate), gate, client)
    # No persona, no tools of other programs, no Python: what answers reads these documents alone.
    return ClientAccess(Assistant(library, config, os.environ, gate=gate), client)


class ClientAccess:
    """The way of one client. Every method may raise RagError, whose words are for the client."""

    def __init__(self, assistant: Assistant, client: Client) -> None:
        self.client = client
        self._assistant = assistant
        self._library = assistant.library

    async def aclose(self) -> None:
        """Close the connections of the models that were used."""
        await self._assistant.aclose()

    async def names(self) -> list[str]:
        """List the databases that the client may be handed, by name."""
        return await asyncio.to_thread(self._library.names)

    async def databases(self) -> Shape:
        """Say of each database that the client may be handed what it holds."""
        return await asyncio.to_thread(self._databases)

    def _databases(self) -> Shape:
        told: list[Shape] = []
        named: list[tuple[str, int]] = []
        for name in self._library.names():
            try:
                database = self._library.database(name)
                figures, said = database.figures(), about(database)
            except RagError as error:
                told.append({"name": name, "error": str(error)})
                continue
            told.append(
                {
                    "name": name,
                    "about": said.text,
                    "documents": figures.entries,
                    "not_read": figures.failed + figures.partial,
                    "indexed_at": figures.indexed_at,
                }
            )
            named += ((name, entry) for entry in said.entries)
        names = [one["name"] for one in told]
        return dict(self._handed("databases", {"databases": told}, names, named))

    async def call(
        self, tool: str, arguments: Mapping[str, Any], tell: Tell | None = None
    ) -> Shape:
        """Run one of the tools that look into databases: search, read, outline, list_documents,
        grep, table, digest. `arguments` are of its schema, and may name a `database`."""
        databases = await asyncio.to_thread(self._chosen, arguments.get("database"))
        names = [database.name for database in databases]
        reading = await asyncio.to_thread(
            reading_alone, self._assistant.setup(), names, by_helper=tool == DIGEST
        )
        tools = client_tools(databases, reading)
        if tool not in tools:
            raise ToolFailed(
                f"There is no tool {tool[:60]!r}.", hint=f"There are: {', '.join(tools)}."
            )
        with listening(tell or _unheard), carrying(Provenance("tool", tuple(names))):
            output = await run_tool(tools[tool], arguments, databases)
        shape = output_shape(output)
        if reading.notes:
            shape["notes"] = [*shape.get("notes", ()), *reading.notes]
        entries = entries_in(output)
        return dict(await asyncio.to_thread(self._handed, tool, shape, names, entries))

    def _chosen(self, wanted: object) -> list[Database]:
        if wanted is not None and not isinstance(wanted, str):
            raise ToolFailed("database: it must be a text.", hint="Give the name of one.")
        return self._library.databases([wanted] if wanted else None)

    async def hits(self, query: str, databases: Sequence[str] = (), limit: int = 10) -> Shape:
        """Find the `limit` best documents, each with a snippet; `call("search")` gives passages."""
        return await asyncio.to_thread(self._hits, query, databases, limit)

    def _hits(self, query: str, wanted: Sequence[str], limit: int) -> Shape:
        opened, missing = open_databases(self._library, wanted)
        found = search_databases(opened, query, limit)
        found = replace(found, notes=(*missing, *found.notes))
        entries = [(hit.database, hit.entry_id) for hit in found.hits]
        names = [database.name for database in opened]
        return dict(self._handed("hits", hits_shape(query, found), names, entries))

    async def entries(self, database: str, offset: int = 0) -> Shape:
        """List the entries of a database by path, a hundred from `offset` on; `next_offset` says
        where the list goes on."""
        return await asyncio.to_thread(self._entries, database, offset)

    def _entries(self, name: str, offset: int) -> Shape:
        told = entries_page(self._library.database(name), max(0, offset))
        named = [(name, one["id"]) for one in told["entries"]]
        return dict(self._handed("entries", told, [name], named))

    async def text(
        self, database: str, entry_id: int, start: int = 0, end: int | None = None
    ) -> TextPart:
        """Give an entry's text from the passage on that holds `start`, as much as fits a part."""
        return await asyncio.to_thread(self._text, database, entry_id, start, end)

    def _text(self, name: str, entry_id: int, start: int, end: int | None) -> TextPart:
        part = text_part(self._library.database(name), entry_id, start, end)
        given = self._handed("text", {"text": part.text}, [name], [(name, entry_id)])
        return replace(part, text=str(given["text"]))

    async def why_not(self, path: str, question: str = "", database: str = "") -> Shape:
        """Say why a document is not found, at all or for a question; `path` is below its folder."""
        return await asyncio.to_thread(self._why_not, path, question, database)

    def _why_not(self, path: str, question: str, name: str) -> Shape:
        _check_path(path)
        scope = [name] if name else self._library.names()
        if question:
            found = [
                one
                for one in why_not_found(self._library, path, question, _SHOWN, scope)
                if one.path.database in scope
            ]
            lines = [line for one in found for line in why_not_lines(one)]
        else:
            accounts = path_accounts(self._library, path)
            lines = [f"{one.database}: {one.said}" for one in accounts if one.database in scope]
        return dict(
            self._handed("why_not", {"said": lines_shape(lines) or [nowhere(path)]}, scope, ())
        )

    async def ask(
        self,
        question: str,
        *,
        databases: Sequence[Wanted] = (),
        model: str | None = None,
        past: Sequence[PastExchange] = (),
        tell: Tell | None = None,
        shape: Callable[[Answer], Any] = answer_shape,
    ) -> Any:
        """Answer a question; give the checked answer in the `shape` that is wanted.

        `past` is what was said before. `tell` hears what is being done; no word of the answer is
        given before it was checked. Nothing is kept in the person's history, and nobody is asked
        for leave: what needs it is not done. To cancel this ends the run. Raises RunStopped.
        """
        conversation = self._assistant.conversation(past)
        answer: Answer | None = None
        try:
            asking = conversation.ask(question, databases=databases, model=model)
            async with aclosing(asking) as events:
                async for event in events:
                    if tell and (words := _doing(event)):
                        tell(words)
                    match event:
                        case Answered():
                            answer = event.answer
                        case Stopped():
                            raise RunStopped(event)
            names = conversation.carried.databases
        finally:
            await conversation.aclose()
        if answer is None:
            raise RagError("The run ended without an answer.", hint="Ask again.")
        return await asyncio.to_thread(
            self._handed, "ask", shape(answer), names, entries_of(answer)
        )

    def _handed(
        self, what: str, body: Any, databases: Iterable[str], entries: Iterable[tuple[str, int]]
    ) -> Any:
        carried = Provenance("handed out", tuple(databases), tuple(entries))
        return hand_out(self._assistant.gate, self.client, what, body, carried, NO_FIELDS)


_SHOWN = 10
"""Hits that a search shows, for the account of what did not come up."""

LONGEST_PATH = 4_096

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def _check_path(path: str) -> None:
    """Refuse what is not a path below a folder: a client learns nothing of other files."""
    parts = path.replace("\\", "/").split("/")
    if not path.strip() or len(path) > LONGEST_PATH or "\0" in path:
        raise ToolFailed("path: it must be a path of up to 4,096 characters.", hint=_BELOW)
    if path.startswith(("/", "\\", "~")) or ".." in parts or _DRIVE.match(path):
        raise ToolFailed("path: it must lead to a file of the database's folder.", hint=_BELOW)


_BELOW = "Give it as `list_documents` does: leave/parental.md."


def _doing(event: Event) -> str:
    """Say what a run is doing; of a document not a word."""
    match event:
        case ToolStarted():
            return f"{event.tool}…"
        case Waiting():
            return event.words
    return ""


def _unheard(_: str) -> None:
    return
