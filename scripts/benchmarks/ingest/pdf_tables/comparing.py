"""How a reading of tables compares with what they say: cells, and values with the label of their
row and the heads of their column. White space and currency signs do not count.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rag_assistant.values.tables import DocumentTable
from scripts.benchmarks.ingest.pdf_tables.contents import Known

_ASIDE = re.compile(r"[\s$€£¥]+")


@dataclass(slots=True)
class Score:
    """Counts of cells: known, found, and both; of values: known, exact, and with wrong heads."""

    known: int = 0
    found: int = 0
    same: int = 0
    values: int = 0
    exact: int = 0
    wrong: int = 0
    tables: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Add the counts of another one."""
        for name in ("known", "found", "same", "values", "exact", "wrong", "tables"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.missed.extend(other.missed)

    @property
    def precision(self) -> float:
        """The share of the cells found that are right."""
        return self.same / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of the known cells that were found."""
        return self.same / self.known if self.known else 0.0


Value = tuple[str, tuple[str, ...], str]
"""Label, heads, words."""


def plain(words: str) -> str:
    """Give words without what does not count."""
    return _ASIDE.sub("", words).replace("—", "-")


def known_values(table: Known) -> list[Value]:
    """Give the values of a known table."""
    heads: list[list[str]] = [[] for _ in range(table.columns)]
    for row in table.heads:
        column = 0
        for words, span in row:
            for at in range(column, column + span):
                if words:
                    heads[at].append(plain(words))
            column += span
    return [
        (plain(row[0]), tuple(heads[at]), plain(words))
        for row in table.rows
        for at, words in enumerate(row[1:], 1)
        if words
    ]


def known_cells(table: Known) -> Counter[str]:
    """Count the words of the cells of a known table."""
    heads = [plain(words) for row in table.heads for words, _ in row if words]
    return Counter([*heads, *(plain(words) for row in table.rows for words in row if words)])


def read_values(tables: Sequence[DocumentTable]) -> list[Value]:
    """Give the values that were read."""
    found = []
    for table in tables:
        for cell in table.cells:
            if cell.row >= table.heads and cell.column >= table.labels:
                label = plain((table.label_of(cell.row) or ("",))[-1])
                heads = tuple(plain(head) for head in table.heads_of(cell.column))
                found.append((label, heads, plain(cell.text)))
    return found


def read_cells(tables: Sequence[DocumentTable]) -> Counter[str]:
    """Count the words of the cells that were read; heads that are said again count once."""
    return Counter(
        plain(cell.text)
        for table in tables
        for cell in table.cells
        if not (table.continued and cell.row < table.heads)
    )


def score(known: Known, tables: Sequence[DocumentTable]) -> Score:
    """Compare what was read on the pages of a known table with it."""
    cells, found = known_cells(known), read_cells(tables)
    values = known_values(known)
    read = read_values(tables)
    left = Counter((label, "".join(heads), words) for label, heads, words in read)
    by_place: dict[tuple[str, str], list[str]] = {}
    for label, heads, words in read:
        by_place.setdefault((label, words), []).append("".join(heads))
    exact = wrong = 0
    missed = []
    for label, heads, words in values:
        whole = "".join(heads)
        if left[label, whole, words] > 0:
            left[label, whole, words] -= 1
            exact += 1
            continue
        given = [found_heads for found_heads in by_place.get((label, words), []) if found_heads]
        # Heads that are a part of the right ones say too little, not what is wrong.
        if given and not any(each in whole for each in given):
            wrong += 1
        missed.append(f"{known.name}: {label} / {whole} / {words} got {given}")
    return Score(
        cells.total(),
        found.total(),
        (cells & found).total(),
        len(values),
        exact,
        wrong,
        1,
        missed,
    )
