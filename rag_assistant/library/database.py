"""One database, for reading: search it, list it, read its entries."""

from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.documents import Entry, EntryText, Hit, Passage
from rag_assistant.errors import ModelError
from rag_assistant.index import reader
from rag_assistant.index.connections import reading
from rag_assistant.index.reader import IndexFigures, LedgerLine
from rag_assistant.library.embedder import Embedder
from rag_assistant.search.ranking import (
    Profile,
    SearchResult,
    passages_that_matter,
    search_index,
)
from rag_assistant.vector_format import vector_facts

if TYPE_CHECKING:
    from rag_assistant.search.meaning import Meaning

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English text and the usual vocabularies; budgets are kept with it."""


@dataclass(frozen=True, slots=True)
class Database:
    """A named database. Every method opens the file anew, so it may be used from any thread."""

    name: str
    path: Path
    embedder: Embedder | None = None

    def folder(self) -> str:
        """Give the folder that it indexes."""
        with reading(self.path) as connection:
            return reader.meta(connection).get("folder", "")

    def figures(self) -> IndexFigures:
        """Count what it holds."""
        with reading(self.path) as connection:
            return reader.figures(connection)

    def ledger(self, status: str) -> list[LedgerLine]:
        """List the paths that `failed` or were `skipped`, with reasons."""
        with reading(self.path) as connection:
            return reader.ledger(connection, status)

    def search(self, query: str, limit: int, *, profile: Profile = "question") -> SearchResult:
        """Find the `limit` best entries for any text; "typing" is fast enough for each key.

        Where the database has vectors of its embedder's, meaning counts beside the words; when the
        embedder cannot be reached, the words alone do and the notes say so.
        """
        meaning, note = self._meaning(query) if profile == "question" else (None, "")
        with reading(self.path) as connection:
            found = search_index(connection, self.name, query, limit, profile, meaning)
        return replace(found, notes=(*found.notes, note)) if note else found

    def _meaning(self, query: str) -> "tuple[Meaning | None, str]":
        """Give the vector of a question, or a line that says why there is none."""
        if self.embedder is None or not query.strip():
            return None, ""
        with reading(self.path) as connection:
            facts = vector_facts(connection)
        if facts is None:
            return None, ""
        if facts.kind.model != self.embedder.name:
            return None, (
                f"{self.name} has vectors of {facts.kind.model}, not of {self.embedder.name}: "
                f"searched by words alone; make new ones: rag-assistant embed {self.name}"
            )
        from rag_assistant.search.meaning import Meaning  # noqa: PLC0415 - loads numpy

        try:
            return Meaning(self.path, self.embedder.embed_query(query)), ""
        except ModelError as error:
            return None, f"searched by words alone: {error}"

    def entry(self, entry_id: int) -> Entry:
        """Give one entry. Raises EntryNotFound."""
        with reading(self.path) as connection:
            return reader.entry(connection, entry_id)

    def entries(self) -> list[Entry]:
        """List all entries by path."""
        with reading(self.path) as connection:
            return reader.entries(connection)

    def text(self, entry_id: int, start: int = 0, end: int | None = None) -> str:
        """Give the characters `start` to `end` of an entry's text. Raises EntryNotFound."""
        with reading(self.path) as connection:
            reader.entry(connection, entry_id)
            return reader.text(connection, entry_id, start, end)

    def previous_text(self, entry_id: int) -> tuple[str, str] | None:
        """Give the hash and the text that an entry had before its last change, if it had any."""
        with reading(self.path) as connection:
            return reader.previous_text(connection, entry_id)

    def passages(self, entry_id: int) -> list[Passage]:
        """Give all passages of an entry in order. Raises EntryNotFound."""
        with reading(self.path) as connection:
            reader.entry(connection, entry_id)
            return reader.passages(connection, entry_id)

    def read_for(self, entry_id: int, query: str, token_budget: int) -> EntryText:
        """Give the whole entry when it fits the budget, else the passages that matter to `query`.

        The beginning always comes along, since it says what the entry is, and each passage that
        matters comes with the one after it when there is room. Raises EntryNotFound.
        """
        room = token_budget * CHARACTERS_PER_TOKEN
        with reading(self.path) as connection:
            entry = reader.entry(connection, entry_id)
            passages = reader.passages(connection, entry_id)
            if entry.length <= room:
                return EntryText(entry, tuple(passages))
            starts = passages_that_matter(connection, entry_id, query, len(passages))
        chosen = _fit(passages, starts, room)
        kept = tuple(passages[index] for index in sorted(chosen))
        return EntryText(entry, kept, omitted=len(passages) - len(kept))


def _fit(passages: list[Passage], starts: list[int], room: int) -> set[int]:
    """Choose the passages at `starts` in that order, then their neighbours, as far as they fit."""
    index_of = {passage.location.start: index for index, passage in enumerate(passages)}
    matching = [index_of[start] for start in starts]
    chosen: set[int] = set()
    for index in [0, *matching, *(index + 1 for index in matching)]:
        if index in chosen or index >= len(passages):
            continue
        if len(passages[index].text) <= room:
            chosen.add(index)
            room -= len(passages[index].text)
    return chosen


def merge_hits(results: list[SearchResult], limit: int) -> list[Hit]:
    """Merge the hits of several databases and rank them anew.

    By score; where vectors took part in some of the searches only, whose scores do not compare, by
    taking turns.
    """
    if len({result.by_meaning for result in results if result.hits}) > 1:
        turns = chain.from_iterable(zip_longest(*(result.hits for result in results)))
        hits = [hit for hit in turns if hit]
    else:
        every = (hit for result in results for hit in result.hits)
        hits = sorted(every, key=lambda hit: -hit.score)
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits[:limit], 1)]
