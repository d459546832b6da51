"""A row of a table as a line of a text, written and read back: cells with strokes between them, at
the edges too in Markdown. Whatever writes or reads the rows of a document does it by these rules.
"""

import re
from collections.abc import Iterable, Sequence

from rag_assistant.text.blocks import Span, cells

BAR = " | "
"""Between the cells of a row."""

LONGEST_CAPTION = 200
"""Characters of a line before a table that may be its caption."""

_ROW = re.compile(r"[^|\n]*\|[^\n]*")
_RULE = re.compile(r"[\s|:=+-]+")


def escaped(text: str) -> str:
    """Give the words of a cell as they may stand between bars: in one line, its own bars marked."""
    return " ".join(text.split()).replace("|", "\\|")


def unescaped(written: str) -> str:
    """Give the words of a cell as they were before they stood between bars."""
    return written.replace("\\|", "|")


def row_line(texts: Iterable[str]) -> str:
    """Write a row of Markdown, given the escaped words of each cell."""
    return f"| {BAR.join(texts)} |"


def delimiter_line(columns: int) -> str:
    """Write the line between the head and the rows."""
    return "|" + " --- |" * columns


def is_row(line: str) -> bool:
    """Say whether a line is a row of a table."""
    return "|" in line and _ROW.fullmatch(line.strip()) is not None


def is_rule(line: str) -> bool:
    """Say whether a line only parts the head of a table from its rows."""
    return bool(line) and _RULE.fullmatch(line) is not None


def cells_of(row: str) -> list[str]:
    """Give the words of the cells of a row in order, those of empty ones too."""
    line = row.strip()
    return [unescaped(line[start:end]) for start, end in cells(line, 0, len(line))]


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
