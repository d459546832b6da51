"""Where a long table is cut into passages: between whole rows, ten to twenty of them where they
fit, of about the same length. Its caption and heads stay with the first.
"""

from collections.abc import Iterator, Sequence
from math import ceil

from rag_assistant.values.tables import DocumentTable

MOST_ROWS = 20
"""Rows of a passage: a search finds a value less well among more."""

_LEAST_ROWS = 10
_MOST_CAPTION_LINES = 3


def first_row(table: DocumentTable, text: str) -> int:
    """Give where the line of the first row under the heads begins."""
    first = next((cell.start for cell in table.cells if cell.row >= table.heads), table.end)
    return max(text.rfind("\n", 0, first) + 1, table.start)


def table_span(table: DocumentTable, text: str) -> tuple[int, int]:
    """Give where a table with its caption above begins, and where the line after it does."""
    start = text.rfind("\n", 0, table.start) + 1
    line, found = start, 0
    while table.caption and line and found < _MOST_CAPTION_LINES:
        above = text.rfind("\n", 0, line - 1) + 1
        words = " ".join(text[above:line].split())
        if words and words not in table.caption:
            break
        line = above
        if words:
            start, found = above, found + 1
    end = table.end
    while end < len(text) and text[end] == "\n":
        end += 1
    return start, end


def row_groups(
    text: str, span: tuple[int, int], first: int, sizes: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Cut the span of a table into groups of whole rows, the first of which stands at `first`.

    `sizes` are the characters that a group should have and may have at most; one row or the heads
    may be longer.
    """
    starts = _line_starts(text, first, span[1])
    ends = [*starts[1:], span[1]]
    target, longest = sizes
    length = span[1] - first
    goal = min(longest, max(target, _LEAST_ROWS * ceil(length / len(starts))))
    groups = max(round(length / goal), 1)
    begin, rows, ideal = span[0], MOST_ROWS, 0.0
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if rows == MOST_ROWS or end - begin > longest or (start + end) / 2 > ideal:
            if number:
                yield begin, start
                begin = start
            left = max(groups, ceil((len(starts) - number) / MOST_ROWS))
            ideal, groups = start + (span[1] - start) / left, max(left - 1, 1)
            rows = 0
        rows += 1
    yield begin, span[1]


def _line_starts(text: str, first: int, end: int) -> Sequence[int]:
    """Give where the lines with words of a span begin; blank ones go with the line before."""
    starts: list[int] = []
    start = first
    while start < end:
        after = text.find("\n", start, end)
        after = end if after < 0 else after + 1
        if not starts or not text[start:after].isspace():
            starts.append(start)
        start = after
    return starts or [first]
