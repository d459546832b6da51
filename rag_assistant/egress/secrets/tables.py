"""Secrets told by the head of their column: CSV, tables of Markdown, columns of spaces."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_assistant.egress.secrets.labelled import NAMES
from rag_assistant.egress.secrets.labels import Kind, Label, labels
from rag_assistant.egress.secrets.spans import SecretSpan
from rag_assistant.egress.secrets.values import is_key_here, is_loose_key, is_password_here

_BREAK = re.compile(r"\n|\\[nr]")
_LONGEST_LINE = 600
_LINE = re.compile(rf"(?:(?!\\n|\\r)[^\n\r]){{1,{_LONGEST_LINE}}}")
_CELLS = {
    "|": re.compile(r"[^|]+"),
    "\t": re.compile(r"[^\t]+"),
    ";": re.compile(r"\"(?:[^\"]|\"\")*\"|[^;]+"),
    ",": re.compile(r"\\?\"(?:[^\"\\]|\"\")*\\?\"|[^,]+|(?<=,)(?=,)"),
    "  ": re.compile(r"\S+(?: \S+)*"),
}
_AROUND = " \t\"'`*_\\"
_LONGEST_HEAD = 32
_LONGEST_CELL = 60
_MOST_COLUMNS = 40
_COLUMNS: tuple[Kind, ...] = ("password", "key", "loose", "pin", "codes")


@dataclass(slots=True)
class _Table:
    """A table whose head was read: how its cells are told apart, how many there are, and what the
    columns of secrets hold. `misses` counts lines that are none of its rows."""

    cell: re.Pattern[str]
    columns: int
    kinds: Mapping[int, Kind]
    misses: int = 0


def tabled(text: str, found: Sequence[Label]) -> Iterator[SecretSpan]:
    """Find what stands in columns whose head is one of the labels of the text."""
    heads = sorted(label.start for label in found if label.kind in _COLUMNS)
    table: _Table | None = None
    at, next_head = 0, 0
    while True:
        while next_head < len(heads) and heads[next_head] < at:
            next_head += 1
        if table is None:
            if next_head == len(heads):
                return
            at = max(at, _line_begin(text, heads[next_head]))
        line = _LINE.search(text, at)
        if line is None:
            return
        at = line.end()
        has_head = next_head < len(heads) and heads[next_head] < at
        begun = _table_of(text, line) if has_head else None
        if table and not begun:
            yield from _row(text, line, table)
        table = begun or (table if table and table.misses < 2 else None)


def _line_begin(text: str, at: int) -> int:
    least = max(0, at - _LONGEST_LINE)
    breaks = [found.end() for found in _BREAK.finditer(text, least, at)]
    return breaks[-1] if breaks else least


def _table_of(text: str, head: re.Match[str]) -> _Table | None:
    """Give the table that a line is the head of, where a column of it holds secrets."""
    for sign, cell in _CELLS.items():
        if sign not in head[0]:
            continue
        cells = list(cell.finditer(text, *head.span()))
        if not 2 <= len(cells) <= _MOST_COLUMNS:
            continue
        kinds = {
            number: kind
            for number, found in enumerate(cells)
            if (kind := _kind_of(found[0].strip(_AROUND)))
        }
        if kinds and all(len(found[0]) <= _LONGEST_CELL for found in cells):
            return _Table(cell, len(cells), kinds)
    return None


def _row(text: str, line: re.Match[str], table: _Table) -> Iterator[SecretSpan]:
    cells = list(table.cell.finditer(text, *line.span()))
    if len(cells) < max(2, table.columns - 1):
        table.misses += 1
        return
    for number, kind in table.kinds.items():
        value = cells[number][0].strip(_AROUND) if number < len(cells) else ""
        if _is_secret(value, kind):
            start = text.index(value, cells[number].start())
            yield SecretSpan(NAMES[kind], start, start + len(value))


def _kind_of(head: str) -> Kind | None:
    """Give what a column holds, by its head: a label, with at most two words beside it."""
    if not 2 <= len(head) <= _LONGEST_HEAD or len(head.split()) > 4:
        return None
    for label in labels(head, head.lower()):
        if label.kind in _COLUMNS and label.end >= len(head.rstrip("s:? ")):
            return label.kind
    return None


def _is_secret(value: str, kind: Kind) -> bool:
    if " " in value or len(value) < 4:
        return False
    if kind == "key":
        return is_key_here(value)
    if kind == "loose":
        return is_loose_key(value)
    if kind == "password":
        return is_password_here(value, quoted=True)
    return any(map(str.isdigit, value)) and len(value) <= 24
