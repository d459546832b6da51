"""The blocks of a Markdown text, with their places in it: where headings, code and tables stand.

markdown-it-py finds them, as CommonMark 0.31.2 and GitHub's tables have it; what is said here is
its reading, in characters of the text as it was handed in, whatever its line ends are.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

Span = tuple[int, int]
"""Where characters of a text begin, and where they end."""

TAB = 4
"""Columns from one tab stop to the next."""

CODE_INDENT = 4
"""Columns of indentation that make code of a line, and that no fence, heading or rule has."""

DEEPEST = 60
"""Levels of containers around a block; a list and its item are one each, and the parser recurses
for them. What would begin a further one is read as words of a paragraph."""

MOST_QUOTES = 12
"""Quotes around a block: each costs another reading of the lines that lazily go on in it."""

LONGEST_FRONT_MATTER = 20_000
"""Characters within which the lines of front matter must end."""

_STROKE = re.compile(r"(?<!\\)\|")
_FRONT_MATTER = re.compile(r"---[ \t]*(?:\r\n?|\n)")
_FRONT_MATTER_END = re.compile(r"(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)")


class Kind(Enum):
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


CODE = frozenset({Kind.FENCE, Kind.INDENTED_CODE})
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

    kind: Kind
    start: int
    end: int
    depth: int = 0
    words: tuple[Span, ...] = ()
    level: int = 0
    info: str = ""


def blocks(
    text: str, kinds: Collection[Kind] = frozenset(Kind), *, answer: bool = False
) -> list[Block]:
    """Read the blocks of a text in order, each before those in it; those of `kinds` alone.

    With `answer` it is read as answers are shown: HTML, definitions of links and front matter are
    words like others. Containers in more of them than anybody writes (`DEEPEST`,
    `MOST_QUOTES`) are read as paragraphs. The time is in proportion to the text.
    """
    from rag_assistant.text.block_rules import read_blocks  # noqa: PLC0415  brings markdown-it

    begin = 0 if answer else front_matter_end(text)
    found = [_front_matter(text, begin)] if begin and Kind.FRONT_MATTER in kinds else []
    return [*found, *read_blocks(text, begin, frozenset(kinds), answer=answer)]


def front_matter_end(text: str) -> int:
    """Give where the YAML between `---` lines at the very top ends, its last line included.

    0 where there is none. The last line may be `...` as well (YAML 1.2.2, section 9.1.2).
    """
    opening = _FRONT_MATTER.match(text)
    if opening is None:
        return 0
    # The line end of the opening may be the one before the closing.
    end = _FRONT_MATTER_END.search(text, opening.end() - 1, LONGEST_FRONT_MATTER)
    return end.end() if end else 0


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


def _front_matter(text: str, end: int) -> Block:
    first = _line_end(text, 0)
    lines = []
    while first < end:
        start, first = first, _line_end(text, first)
        lines.append((start, start + len(text[start:first].rstrip("\r\n"))))
    return Block(Kind.FRONT_MATTER, 0, end, words=tuple(lines[:-1]))


_LINE_END = re.compile(r"\r\n?|\n|\Z")


def _line_end(text: str, start: int) -> int:
    found = _LINE_END.search(text, start)
    assert found  # it matches the end of the text
    return found.end()
