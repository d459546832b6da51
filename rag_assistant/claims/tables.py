"""Rows of tables in a text ("a | b"): what stands over them says what their cells are of."""

import re
from collections.abc import Sequence

_ROW = re.compile(r"[^|\n]*\|[^\n]*")
_RULE = re.compile(r"[\s|:=+-]+")
Span = tuple[int, int]
"""Two places in a text."""

LONGEST_CAPTION = 200
"""Characters of a line before a table that may be its caption."""


def is_row(line: str) -> bool:
    """Whether a line is a row of a table."""
    return "|" in line and _ROW.fullmatch(line.strip()) is not None


def cells_of(row: str) -> list[str]:
    """Give the words of the cells of a row; those of its edges are none."""
    cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
    return [cell for cell in cells if cell]


def heads_of_rows(text: str, spans: Sequence[Span]) -> dict[int, str]:
    """Give the heads and the caption of each span that is a row of a table, by the span's number.

    The first row of a table has its heads, and the line before it, where it is short, its caption.
    """
    if "|" not in text:
        return {}
    heads: dict[int, str] = {}
    head = ""
    for number, (start, end) in enumerate(spans):
        line = text[start:end]
        if not is_row(line):
            head = ""
            continue
        if head:
            heads[number] = head
            continue
        before = text[slice(*spans[number - 1])] if number else ""
        caption = before if len(before) <= LONGEST_CAPTION else ""
        head = f"{caption} \n{line}".strip()
    return heads


def is_rule(line: str) -> bool:
    """Whether a line only parts the head of a table from its rows."""
    return bool(line) and _RULE.fullmatch(line) is not None
