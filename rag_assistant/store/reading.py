"""What is read of a database, through a reader that sees one snapshot. Any engine promises this.

Whatever a writer commits meanwhile, all that one reader gives belongs together. Entries, passages
and versions that are out of its scope, or withheld, are as if they were not there. What was not
what was written raises IndexDamaged, one that is held or cannot be reached LibraryError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

# Only named here: a search would wait for all that can be read.
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rag_assistant.store.searching import Candidates, Records, Vectors, Vocabulary
    from rag_assistant.text.likeness import ComparedText
    from rag_assistant.values.documents import Entry, EntryName, Passage, Suspicion, Version
    from rag_assistant.values.ledger import IndexedFile, IndexFigures, KnownFile, LedgerLine, Listed
    from rag_assistant.values.outline import EntryFacts, ThreadMail
    from rag_assistant.values.search_plan import CandidatePassage, PassageSource
    from rag_assistant.values.suspicions import SuspicionCounts, SuspicionRow


class Entries(Protocol):
    """The entries. Their ids survive edits, moves and rebuilding, and are never given out again."""

    def get(self, entry_id: int) -> Entry:
        """Give one entry, with its other versions. Raises EntryNotFound."""
        ...

    def all(self) -> list[Entry]:
        """List all entries by path, those of one file by id."""
        ...

    def names(self) -> list[EntryName]:
        """List what all entries go by, by id; nothing else of them is read."""
        ...

    def titles(self, entry_ids: Collection[int]) -> dict[int, str]:
        """Give the titles of entries by id; those that are not there are absent."""
        ...

    def digest(self) -> str:
        """Give a digest of all entries: another one as soon as a path, a key or a text is."""
        ...

    def facts(self, entry_id: int) -> EntryFacts:
        """Give what is known of an entry besides, and its outline; nothing of one not there."""
        ...

    def facts_of(self, entry_ids: Collection[int]) -> dict[int, EntryFacts]:
        """Give what is known of entries besides, by id; nothing of one not there."""
        ...

    def kinds(self, entry_ids: Collection[int]) -> dict[int, str]:
        """Give the kinds of entries by id, as their facts have them; those not there are absent."""
        ...

    def thread(self, entry_id: int) -> tuple[ThreadMail, ...]:
        """Give the mails of the thread that an entry is of, by time; none where it is alone."""
        ...

    def authors(self) -> dict[str, int]:
        """Count the entries of each author, by the name as it is written."""
        ...

    def languages(self) -> dict[str, int]:
        """Count the entries of each language, by its code; "" where none is told."""
        ...

    def previous_text(self, entry_id: int) -> tuple[str, str] | None:
        """Give the hash and the text that an entry had before its last change, if it had any."""
        ...

    def previous_texts(self, entry_ids: Collection[int]) -> dict[int, tuple[str, str]]:
        """Give the hashes and texts that entries had before, by id; those without are absent."""
        ...

    def compared(self, entry_id: int) -> ComparedText:
        """Give the text of an entry that is there, as texts are compared with one another."""
        ...


class Passages(Protocol):
    """The passages of an entry, end to end in order of start, are its whole text.

    Offsets are in characters of that text. A passage has an id of its own that lasts as long as
    its text does. An id that is not there gives nothing.
    """

    def of_entry(self, entry_id: int, start: int = 0, end: int | None = None) -> list[Passage]:
        """Give the passages of an entry that overlap `start` to `end`, in order."""
        ...

    def of_entries(self, entry_ids: Collection[int]) -> dict[int, list[Passage]]:
        """Give all passages of entries, by id, in order; an entry without any is absent."""
        ...

    def around(self, entry_id: int, offset: int, neighbours: int) -> list[Passage]:
        """Give the passage that holds the character at `offset`, with so many on either side.

        In order. Behind the text's end that is the last one; an entry without text has none.
        """
        ...

    def count(self, entry_id: int) -> int:
        """Count the passages of an entry."""
        ...

    def text(self, entry_id: int, start: int = 0, end: int | None = None) -> str:
        """Give the characters `start` to `end` of an entry's text (shorter at the text's end)."""
        ...

    def candidates(self, ids: Collection[int]) -> dict[int, CandidatePassage]:
        """Give passages as ranking knows them, by id."""
        ...

    def candidates_of(self, entry_id: int) -> list[CandidatePassage]:
        """Give all passages of an entry as ranking knows them, in order."""
        ...

    def starts(self, ids: Collection[int]) -> dict[int, int]:
        """Give where passages begin in the texts of their entries, by id."""
        ...

    def sources(self, ids: Collection[int]) -> dict[int, PassageSource]:
        """Give passages with what names their entries, by id."""
        ...

    def entries_of(self, ids: Collection[int]) -> dict[int, int]:
        """Give the entry of each passage, by the passage's id."""
        ...


class Ledger(Protocol):
    """The files that were met, and what is known of the database itself."""

    def facts(self) -> Mapping[str, str]:
        """Give what is known of the database itself, by key; "folder" is what it indexes."""
        ...

    def figures(self) -> IndexFigures:
        """Count what is in the database."""
        ...

    def characters(self) -> int:
        """Count the characters of all entries."""
        ...

    def files(self) -> Mapping[str, KnownFile]:
        """Give the whole ledger by path."""
        ...

    def file(self, path: str) -> KnownFile | None:
        """Give the line of a path, None where there is none."""
        ...

    def lines(self, listed: Listed) -> list[LedgerLine]:
        """List the paths that are not searchable, or not all of them, by path with the reason."""
        ...

    def indexed(self) -> list[IndexedFile]:
        """List the files of which something is indexed, by path."""
        ...


class Versions(Protocol):
    """Entries that are versions of one document, as indexing found them to be."""

    def others(self, entry_id: int) -> tuple[Version, ...]:
        """Give the other versions of an entry's document, newest first; none for most entries."""
        ...

    def newest(self, entry_ids: Collection[int]) -> dict[int, int]:
        """Give, for those entries that have versions, the id of the newest one: it or another."""
        ...


class Suspicions(Protocol):
    """Spans that look as if they were written for a model, and which of them models may read."""

    def of_entries(self, entry_ids: Collection[int]) -> dict[int, tuple[Suspicion, ...]]:
        """Give what was found in entries, by id, in order of start; those without are absent."""
        ...

    def entries(self) -> list[int]:
        """Give the entries in whose text something was found."""
        ...

    def listed(self, entry_id: int | None = None) -> list[SuspicionRow]:
        """List what was found, in all entries or in one, by path and then in order of start."""
        ...

    def counts(self) -> SuspicionCounts:
        """Count what was found."""
        ...


class StoreReader(Protocol):
    """One snapshot of a database, or of what of it is in a scope."""

    @property
    def entries(self) -> Entries:
        """The entries."""
        ...

    @property
    def passages(self) -> Passages:
        """Their passages."""
        ...

    @property
    def ledger(self) -> Ledger:
        """The files, and the facts of the database."""
        ...

    @property
    def candidates(self) -> Candidates:
        """What is found for a search."""
        ...

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms."""
        ...

    @property
    def records(self) -> Records:
        """The terms of passages and entries."""
        ...

    @property
    def vectors(self) -> Vectors:
        """The vectors of passages."""
        ...

    @property
    def versions(self) -> Versions:
        """Which entries are of one document."""
        ...

    @property
    def suspicions(self) -> Suspicions:
        """The findings of injection."""
        ...
