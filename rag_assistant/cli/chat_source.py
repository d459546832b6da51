"""A source in its place: the passage that an answer quotes, with those beside it."""

from collections.abc import Iterator

from rag_assistant.cli.drawn import MARK, DrawnWords, Part, bold, draw, quiet
from rag_assistant.cli.places import describe
from rag_assistant.library.library import Library
from rag_assistant.values.evidence import Citation

_AROUND = 1
"""Passages shown on either side of the one that is cited."""


def show_source(library: Library, citation: Citation) -> None:
    """Print the passage with the quoted words marked. Raises RagError where it is gone."""
    item = citation.item
    at = item.location.start if item.verified else 0
    found = library.database(item.database).read_around(item.entry_id, at, _AROUND)
    draw()
    place = " · ".join(filter(None, (item.path, describe(item.location))))
    draw(bold(item.title), quiet(f" ({place})"), hang=2)
    for line in _lines_with("".join(passage.text for passage in found.passages), item.quote):
        draw(*line)
    draw()


def _lines_with(text: str, quote: str) -> Iterator[list[Part]]:
    """Give a text line by line, with the quoted words marked where they stand in it."""
    start = text.find(quote) if quote else -1
    end = start + len(quote) if start >= 0 else -1
    at = 0
    for line in text.split("\n"):
        first, last = max(start, at) - at, min(end, at + len(line)) - at
        if first < last:
            yield [line[:first], DrawnWords(line[first:last], f"bold {MARK}"), line[last:]]
        else:
            yield [line]
        at += len(line) + 1
