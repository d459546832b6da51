"""Secrets told by the head of their column: CSV, tables of Markdown, columns of spaces."""

import re
from collections.abc import Iterator, Sequence

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
_MOST_ROWS = 5000
_COLUMNS: tuple[Kind, ...] = ("password", "key", "loose", "pin", "codes")


def tabled(text: str, found: Sequence[Label]) -> Iterator[SecretSpan]:
    """Find what stands in columns whose head is one of the labels of the text."""
    heads = {label.start for label in found if label.kind in _COLUMNS}
    done = -1
    for at in sorted(heads):
        if at < done:
            continue
        least = max(0, at - _LONGEST_LINE)
        breaks = [m.end() for m in _BREAK.finditer(text, least, at)]
        start = breaks[-1] if breaks else least
        head = _LINE.match(text, start)
        if head is None:
            continue
        done = head.end()
        if breaks or start == 0:
            yield from _columns(text, head)


def _columns(text: str, head: re.Match[str]) -> Iterator[SecretSpan]:
    for sign, cell in _CELLS.items():
        if sign not in head[0]:
            continue
        cells = list(cell.finditer(text, *head.span()))
        kinds = {
            number: kind
            for number, found in enumerate(cells)
            if (kind := _kind_of(found[0].strip(_AROUND)))
        }
        if kinds and 2 <= len(cells) <= 40 and all(len(c[0]) <= 60 for c in cells):
            yield from _rows(text, head.end(), cell, kinds, len(cells))
            return


def _kind_of(head: str) -> Kind | None:
    """Give what a column holds, by its head: a label, with at most two words beside it."""
    if not 2 <= len(head) <= _LONGEST_HEAD or len(head.split()) > 4:
        return None
    for label in labels(head, head.lower()):
        if label.kind in _COLUMNS and label.end >= len(head.rstrip("s:? ")):
            return label.kind
    return None


def _rows(
    text: str, at: int, cell: re.Pattern[str], kinds: dict[int, Kind], columns: int
) -> Iterator[SecretSpan]:
    misses = 0
    for count, line in enumerate(_LINE.finditer(text, at)):
        if count > _MOST_ROWS or misses > 1:
            return
        cells = list(cell.finditer(text, *line.span()))
        if len(cells) < max(2, columns - 1):
            misses += 1
            continue
        for number, kind in kinds.items():
            if number >= len(cells):
                continue
            value = cells[number][0].strip(_AROUND)
            if _is_secret(value, kind):
                start = text.index(value, cells[number].start())
                yield SecretSpan(NAMES[kind], start, start + len(value))


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
