"""How Markdown of models and documents is read to be shown, the same on every screen.

HTML stays visible as text, and nothing in a text can define what `[1]` links to. Deep nesting is
followed further than any answer goes, since the parser drops what lies below its limit.
"""

import re

from markdown_it import MarkdownIt

_STROKE = re.compile(r"(?<!\\)\|")


def markdown_parser() -> MarkdownIt:
    """Make the parser."""
    options = {"html": False, "linkify": False, "maxNesting": 100}
    return MarkdownIt("gfm-like", options).disable(["reference", "image", "autolink"])


def count_cells(line: str) -> int:
    """Count the cells of a row of a table as it is written; a stroke is escaped by a backslash."""
    return len(_STROKE.split(line.strip().removeprefix("|").removesuffix("|")))
