"""Rows of the tables of documents: which there are in which, and what stands in their columns."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.errors import ToolFailed
from rag_assistant.injection.naming import prompt_heading
from rag_assistant.library.database import Database
from rag_assistant.library.entry_tables import EntryTable, entry_tables
from rag_assistant.tools.exact_words import item_of
from rag_assistant.values.documents import Entry, Passage
from rag_assistant.values.evidence import EvidenceItem

_TOTALS = ("total", "subtotal", "sum", "grand total", "gesamt", "summe", "somme", "suma")


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of a document, with the passages of it that models may read."""

    database: Database
    entry: Entry
    table: EntryTable
    passages: tuple[Passage, ...]

    @property
    def heads(self) -> list[str]:
        """What its columns are called; a number, from 1, for one without a head."""
        whole = self.table.table
        said = (" ".join(whole.heads_of(column)) for column in range(whole.columns))
        named = (prompt_heading(name) for name in said)
        return [name or str(number) for number, name in enumerate(named, 1)]

    @property
    def name(self) -> str:
        """What it is called: its caption, or the section that it stands in."""
        heading = self.passage_of(self.table.lines[0][0])
        section = (heading.location.heading or "") if heading else ""
        return prompt_heading(self.table.table.caption) or prompt_heading(section) or ""

    def column(self, wanted: str) -> int:
        """Give the number of a column by its head, or a part that no other has; -1 for none."""
        folded = [" ".join(head.casefold().split()) for head in self.heads]
        name = " ".join(wanted.casefold().split())
        if name in folded:
            return folded.index(name)
        found = [number for number, head in enumerate(folded) if name in head]
        return found[0] if len(found) == 1 else -1

    def rows(self) -> Iterator["FoundRow"]:
        """Give the rows below the heads that are whole where models may read."""
        whole = self.table.table
        for number in range(whole.heads, whole.rows):
            if not whole.is_section(number) and self._is_visible(self.table.lines[number]):
                yield FoundRow(self, number)

    def _is_visible(self, line: tuple[int, int]) -> bool:
        at, end = line
        while at < end:
            passage = self.passage_of(at)
            if passage is None:
                return False
            at = passage.location.end
        return True

    def passage_of(self, offset: int) -> Passage | None:
        """Give the passage that holds a character of the entry's text; None where it is hidden."""
        at = bisect_right(self.passages, offset, key=lambda one: one.location.start) - 1
        holds = at >= 0 and offset < self.passages[at].location.end
        return self.passages[at] if holds else None


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row of a table, by its number in it."""

    table: FoundTable
    number: int

    def cell(self, column: int) -> str:
        """Give the words of a cell, "" where it is empty."""
        held = self.table.table.table.at(self.number, column)
        return held.text if held else ""

    @property
    def is_total(self) -> bool:
        """Whether it only sums up the others, by its label."""
        return self.cell(0).strip(" *_:").casefold() in _TOTALS

    @property
    def item(self) -> EvidenceItem:
        """The row as it can be cited."""
        start, end = self.table.table.lines[self.number]
        passage = self.table.passage_of(start)
        assert passage is not None
        begin = start - passage.location.start
        stop = min(end - passage.location.start, len(passage.text))
        return item_of(self.table.database.name, self.table.entry, passage, begin, stop)


def tables_in(database: Database, entry: Entry) -> list[FoundTable]:
    """Give the tables of a document, in order; it blocks."""
    text = database.text(entry.id)
    found = entry_tables(text) if "|" in text else []
    if not found:
        return []
    passages = database.part(entry.id, database.passages(entry.id)).passages
    return [FoundTable(database, entry, one, passages) for one in found]


def chosen(tables: Sequence[FoundTable], wanted: str, columns: Sequence[str]) -> list[FoundTable]:
    """Give the tables that have all columns, and are the wanted one: by number, or by its name.

    Raises ToolFailed where there is none, naming what there is.
    """
    found = [one for one in tables if all(one.column(name) >= 0 for name in columns)]
    if wanted.isdecimal():
        found = [one for one in tables[int(wanted) - 1 : int(wanted)] if one in found]
    elif wanted:
        found = [one for one in found if wanted.casefold() in one.name.casefold()]
    if not found:
        there = [f"{n}: {one.name[:60]} {one.heads}" for n, one in enumerate(tables[:12], 1)]
        raise ToolFailed(
            "No table has that name or those columns.",
            hint=f"There are: {'; '.join(there) or 'none'}.",
        )
    return found
