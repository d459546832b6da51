"""What a block of Markdown is, as values, and the bounds within which blocks are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

Span = tuple[int, int]
"""Where characters of a text begin, and where they end."""

TAB = 4
"""Columns from one tab stop to the next."""

CODE_INDENT = 4
"""Columns of indentation that make code of a line, and that no fence, heading or rule has."""

DEEPEST = 40
"""Levels of containers around a block; a list and its item are one each, and the parser recurses
for them. What would begin a further one is read as words of a paragraph."""

MOST_QUOTES = 12
"""Quotes around a block: each costs another reading of the lines that lazily go on in it."""

MOST_LINES = 500_000
"""Lines that are read of a text, several times those of a long book; the rest is one paragraph."""

_STROKE = re.compile(r"(?<!\\)\|")


class BlockKind(Enum):
    """What a block is. A quote, a list and an item of a list have further blocks in them."""

    FRONT_MATTER = "front matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    FENCE = "fenced code"
    INDENTED_CODE = "indented code"
    HTML = "html"
    RULE = "thematic break"
    DEFINITION = "link reference definition"
    TABLE = "table"
    ROW = "row of a table"
    QUOTE = "block quote"
    LIST = "list"
    ITEM = "list item"


CODE = frozenset({BlockKind.FENCE, BlockKind.INDENTED_CODE})
"""The kinds of code."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block: the whole lines from `start` to `end`, the last one's line end included.

    A block in a quote or an item so begins with the signs of these; `depth` counts them (a list
    and each of its items count as one each). `words` says where its own words stand, one span for
    each line: of a heading without its hashes or underline, of code without its fences, and of a
    row one for each cell. Containers have none. `level` is a heading's, 1 to 6; `info` is what
    stands behind the fence that opens code, or the sign of a list or an item ("-", "3.").
    """

    kind: BlockKind
    start: int
    end: int
    depth: int = 0
    words: tuple[Span, ...] = ()
    level: int = 0
    info: str = ""


def cells(text: str, start: int, end: int) -> Iterator[Span]:
    """Give the cells of a row of a table that is written from `start` to `end` of a text.

    Those as well that the head of the table has no column for (https://github.github.com/gfm/,
    4.10). A stroke behind a backslash is a cell's own, in code too.
    """
    end = start + len(text[start:end].rstrip())
    strokes = [found.start() for found in _STROKE.finditer(text, start, end)]
    spans = [(edge + 1, after) for edge, after in pairwise([start - 1, *strokes, end])]
    if spans[0] == (start, start):
        del spans[0]
    if spans and spans[-1] == (end, end):
        del spans[-1]
    for begin, stop in spans:
        inside = text[begin:stop]
        first = begin + len(inside) - len(inside.lstrip())
        yield first, first + len(inside.strip())
