"""One database, for reading: list it, read its entries. `searching` searches it."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.library.hidden import hidden_characters, hidden_spans, without_hidden
from rag_assistant.store.opening import link_at, store_at
from rag_assistant.values.documents import EntryText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from rag_assistant.library.protocols import Embedder, Reranker
    from rag_assistant.store.opening import Link
    from rag_assistant.store.reading import StoreReader
    from rag_assistant.store.writing import Store
    from rag_assistant.values.documents import Entry, Passage
    from rag_assistant.values.embeddings import EmbeddingCoverage
    from rag_assistant.values.ledger import IndexFigures, LedgerLine, Listed
    from rag_assistant.values.outline import EntryFacts, ThreadMail
    from rag_assistant.values.scope import Scope
    from rag_assistant.values.suspicions import SuspicionCounts, SuspicionRow

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English text and the usual vocabularies; budgets are kept with it."""

_held: ContextVar[Mapping[tuple[Path, Scope | None], StoreReader] | None] = ContextVar(
    "held", default=None
)
"""What is open for several readings of one moment, in this thread."""


@dataclass(frozen=True, slots=True)
class Database:
    """A named database. Every method opens the file anew, so it may be used from any thread.

    Where there is a `scope`, it is as if nothing else were in it.
    """

    name: str
    path: Path
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    scope: Scope | None = None

    def reading(self) -> AbstractContextManager[StoreReader]:
        """Open it for one piece of work."""
        held = (_held.get() or {}).get((self.path, self.scope))
        return nullcontext(held) if held else self._store().reading(self.scope)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let all that is read of it in the block be of one moment: what is listed there can be
        read there, whatever is being changed. The block stays in one thread."""
        with self.reading() as reader:
            token = _held.set({**(_held.get() or {}), (self.path, self.scope): reader})
            try:
                yield
            finally:
                _held.reset(token)

    def reading_all(self) -> AbstractContextManager[StoreReader]:
        """Open it for one piece of work on all of it, whatever the scope."""
        return self._store().reading()

    def _store(self) -> Store:
        """Give what it is kept in; words that go to a store elsewhere go on the record."""
        if not self.link():
            return store_at(self.path)
        from rag_assistant.library.elsewhere import asking_from  # noqa: PLC0415 - most are here

        return store_at(self.path, asking=asking_from(self.path))

    def link(self) -> Link | None:
        """Say in which store elsewhere it is; None for one on this machine."""
        return link_at(self.path)

    def folder(self) -> str:
        """Give the folder that it indexes."""
        with self.reading() as reader:
            return reader.ledger.facts().get("folder", "")

    def figures(self) -> IndexFigures:
        """Count what it holds."""
        with self.reading() as reader:
            return reader.ledger.figures()

    def digest(self) -> str:
        """Give a digest of its entries, which is another one when any text is."""
        with self.reading() as reader:
            return reader.entries.digest()

    def coverage(self) -> EmbeddingCoverage:
        """Count its passages and their vectors."""
        with self.reading() as reader:
            return reader.vectors.coverage()

    def ledger(self, listed: Listed) -> list[LedgerLine]:
        """List the paths that `failed`, were `skipped`, are `withheld` or `partial`ly read."""
        with self.reading() as reader:
            return reader.ledger.lines(listed)

    def entry(self, entry_id: int) -> Entry:
        """Give one entry. Raises EntryNotFound."""
        with self.reading() as reader:
            return reader.entries.get(entry_id)

    def facts(self, entry_id: int) -> EntryFacts:
        """Give what is known of an entry besides, and its outline. Raises EntryNotFound."""
        with self.reading() as reader:
            reader.entries.get(entry_id)
            return reader.entries.facts(entry_id)

    def thread(self, entry_id: int) -> tuple[ThreadMail, ...]:
        """Give the mails of the thread that an entry is of, by time; none where it is alone."""
        with self.reading() as reader:
            return reader.entries.thread(entry_id)

    def entries(self) -> list[Entry]:
        """List all entries by path."""
        with self.reading() as reader:
            return reader.entries.all()

    def text(self, entry_id: int, start: int = 0, end: int | None = None) -> str:
        """Give the characters `start` to `end` of an entry's text. Raises EntryNotFound."""
        with self.reading() as reader:
            reader.entries.get(entry_id)
            return reader.passages.text(entry_id, start, end)

    def previous_text(self, entry_id: int) -> tuple[str, str] | None:
        """Give the hash and the text that an entry had before its last change, if it had any."""
        with self.reading() as reader:
            return reader.entries.previous_text(entry_id)

    def passages(self, entry_id: int) -> list[Passage]:
        """Give all passages of an entry in order. Raises EntryNotFound."""
        with self.reading() as reader:
            reader.entries.get(entry_id)
            return reader.passages.of_entry(entry_id)

    def read_around(self, entry_id: int, offset: int, neighbours: int) -> EntryText:
        """Give the passage that holds a character, with so many neighbours on either side.

        Behind the text's end that is the last passage. Raises EntryNotFound.
        """
        with self.reading() as reader:
            entry = reader.entries.get(entry_id)
            found = reader.passages.around(entry_id, offset, neighbours)
            return EntryText(entry, tuple(found), reader.passages.count(entry_id) - len(found))

    def passages_at(self, places: Sequence[tuple[int, int]]) -> list[Passage | None]:
        """Give the passages at places, an entry's id and an offset in its text; None for none."""
        with self.reading() as reader:
            found = [reader.passages.around(entry_id, at, 0) for entry_id, at in places]
        return [passages[-1] if passages else None for passages in found]

    def matching(self, entry_id: int, query: str, limit: int) -> list[Passage]:
        """Give the passages of an entry that match `query`, best first. Raises EntryNotFound."""
        from rag_assistant.search.ranking import passages_that_matter  # noqa: PLC0415 - what ranks

        with self.reading() as reader:
            reader.entries.get(entry_id)
            starts = passages_that_matter(reader, entry_id, query, limit)
            found = [reader.passages.around(entry_id, start, 0) for start in starts]
        return [passages[0] for passages in found]

    def part(self, entry_id: int, passages: Sequence[Passage]) -> EntryText:
        """Give an entry with some of its passages, as a model may read it. Raises EntryNotFound."""
        with self.reading() as reader:
            omitted = reader.passages.count(entry_id) - len(passages)
            text = EntryText(reader.entries.get(entry_id), tuple(passages), omitted)
            return without_hidden(text, hidden_spans(reader, [entry_id]).get(entry_id, ()))

    def suspicions(self, entry_id: int | None = None) -> list[SuspicionRow]:
        """List what looks as if it were written for a model, in all entries or in one."""
        with self.reading() as reader:
            return reader.suspicions.listed(entry_id)

    def suspicion_counts(self) -> SuspicionCounts:
        """Count such places."""
        with self.reading() as reader:
            return reader.suspicions.counts()

    def hidden_share(self) -> float:
        """Give the share of its characters, from 0 to 1, that are hidden from models."""
        with self.reading() as reader:
            hidden = hidden_characters(reader)
            return hidden / max(1, reader.ledger.characters()) if hidden else 0.0

    def for_prompt(self, texts: Sequence[EntryText]) -> list[EntryText]:
        """Give what was read of entries without the passages that models may not read."""
        with self.reading() as reader:
            hidden = hidden_spans(reader, [text.entry.id for text in texts])
        return [without_hidden(text, hidden.get(text.entry.id, ())) for text in texts]

    def read_for(
        self,
        entry_id: int,
        query: str,
        token_budget: int,
        meaning: Callable[[], NDArray[np.float32] | None] | None = None,
    ) -> EntryText:
        """Give the whole entry when it fits the budget, else the passages that matter to `query`.

        The beginning always comes along, since it says what the entry is, and each passage that
        matters comes with the one after it when there is room. What matters is told by words, and
        by the vector that `meaning` gives, which is asked where the entry does not fit (see
        `question_vectors`). Raises EntryNotFound.
        """
        room = token_budget * CHARACTERS_PER_TOKEN
        with self.reading() as reader:
            entry = reader.entries.get(entry_id)
            passages = reader.passages.of_entry(entry_id)
            if entry.length <= room:
                return EntryText(entry, tuple(passages))
            from rag_assistant.search.ranking import passages_that_matter  # noqa: PLC0415 - see above

            vector = meaning() if meaning else None
            starts = passages_that_matter(reader, entry_id, query, len(passages), vector)
        return _part(entry, passages, starts, room)

    def read_more(self, text: EntryText, token_budget: int) -> EntryText:
        """Give what `read_for` gives for the words that a part was chosen by, in another budget.

        Where the entry is another one by now, the part itself. Raises EntryNotFound.
        """
        room = token_budget * CHARACTERS_PER_TOKEN
        with self.reading() as reader:
            entry = reader.entries.get(text.entry.id)
            passages = reader.passages.of_entry(text.entry.id)
        if entry.text_hash != text.entry.text_hash:
            return text
        if entry.length <= room:
            return EntryText(entry, tuple(passages))
        return _part(entry, passages, text.matching, room)


def _part(
    entry: Entry, passages: Sequence[Passage], matching: Sequence[int], room: int
) -> EntryText:
    """Give as much of an entry as there is room for, characters, what matches first."""
    chosen = _fit(passages, matching, room)
    kept = tuple(passages[index] for index in sorted(chosen))
    return EntryText(entry, kept, len(passages) - len(kept), matching=tuple(matching))


def _fit(passages: Sequence[Passage], starts: Sequence[int], room: int) -> set[int]:
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
