"""The blocks of a Markdown text, with their places in it: where headings, code and tables stand.

markdown-it-py finds them, as CommonMark 0.31.2 and GitHub's tables have it; what is said here is
its reading, in characters of the text as it was handed in, whatever its line ends are.
"""

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from rag_assistant.text.blocks import Block, BlockKind

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx"})
"""What the names of Markdown files end with."""

LONGEST_FRONT_MATTER = 20_000
"""Characters within which the lines of front matter must end."""

_FRONT_MATTER = re.compile(r"---[ \t]*(?:\r\n?|\n)")
_FRONT_MATTER_END = re.compile(r"(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)")


def is_markdown(path: str) -> bool:
    """Tell whether the file of a path is Markdown, by its name."""
    return PurePosixPath(path).suffix.lower() in MARKDOWN_SUFFIXES


def blocks(
    text: str, kinds: Collection[BlockKind] = frozenset(BlockKind), *, answer: bool = False
) -> list[Block]:
    """Read the blocks of a text in order, each before those in it; those of `kinds` alone.

    With `answer` it is read as answers are shown: HTML, definitions of links and front matter are
    words like others. Containers in more of them than anybody writes (`DEEPEST`,
    `MOST_QUOTES`) are read as paragraphs, as is what stands below `MOST_LINES` lines. The time is
    in proportion to the text.
    """
    from rag_assistant.text.block_rules import read_blocks  # noqa: PLC0415  brings markdown-it

    begin = 0 if answer else front_matter_end(text)
    found = [_front_matter(text, begin)] if begin and BlockKind.FRONT_MATTER in kinds else []
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


def _front_matter(text: str, end: int) -> Block:
    first = _line_end(text, 0)
    lines = []
    while first < end:
        start, first = first, _line_end(text, first)
        lines.append((start, start + len(text[start:first].rstrip("\r\n"))))
    return Block(BlockKind.FRONT_MATTER, 0, end, words=tuple(lines[:-1]))


_LINE_END = re.compile(r"\r\n?|\n|\Z")


def _line_end(text: str, start: int) -> int:
    found = _LINE_END.search(text, start)
    assert found  # it matches the end of the text
    return found.end()
