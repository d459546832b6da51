"""A source in its place: the passage that an answer quotes, with those beside it."""

from collections.abc import Iterator

from rag_assistant.cli.drawn import MARK, DrawnWords, Part, bold, draw, is_drawn, quiet
from rag_assistant.cli.places import describe
from rag_assistant.library.library import Library
from rag_assistant.values.evidence import Citation

_AROUND = 1
"""Passages shown on either side of the one that is cited."""

_BETWEEN = "\n\n"
"""What stands between blocks of Markdown."""


def show_source(library: Library, citation: Citation) -> None:
    """Print the passage with the quoted words marked. Raises RagError where it is gone."""
    item = citation.item
    at = item.location.start if item.verified else 0
    found = library.database(item.database).read_around(item.entry_id, at, _AROUND)
    draw()
    place = " · ".join(filter(None, (item.path, describe(item.location))))
    draw(bold(item.title), quiet(f" ({place})"), hang=2)
    text = "".join(passage.text for passage in found.passages)
    if is_drawn() and found.entry.media_type == "text/markdown":
        _draw_rendered(text, item.quote)
    else:
        _draw_written(text, item.quote)
    draw()


def _draw_rendered(text: str, quote: str) -> None:
    """Lay out Markdown, but for the block that the quoted words stand in."""
    from rag_assistant.cli.drawn_markdown import draw_markdown

    at = max(text.find(quote), 0)
    begin = text.rfind(_BETWEEN, 0, at) + 1
    end = text.find(_BETWEEN, at + len(quote))
    end = len(text) if end < 0 else end
    if before := text[:begin].strip("\n"):
        draw_markdown(before, {})
        draw()
    _draw_written(text[begin:end].strip("\n"), quote)
    if after := text[end:].strip("\n"):
        draw()
        draw_markdown(after, {})


def _draw_written(text: str, quote: str) -> None:
    for line in _lines_with(text, quote):
        draw(*line)


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
