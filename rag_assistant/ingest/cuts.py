"""Where a text may be cut, from paragraphs down to single characters."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rag_assistant.text.sentences import LONGEST_ABBREVIATION, sentences_of

LEVELS = 4
"""Of `breaks`: 0 paragraphs (code whole), 1 paragraphs, 2 lines that end a thought, 3 lines."""

_PARAGRAPH_END = re.compile(r"\n(?:[ \t]*+\n)+")
_LINE_END = re.compile(r"\n")
_ENDS_A_THOUGHT = frozenset('.!?…:;。！？"”’)|')
_ITEM = re.compile(
    r"[ \t]*+(?:[-*+•>]|\d{1,3}[.)]|\d{1,3}(?:\.\d{1,3})++[.)]?"
    r"|\(?(?:[A-Za-z]|[ivxIVX]{1,5})\))[ \t]|[ \t]*+\|"
)
_WIDE_STOP = re.compile(
    "[。！？；，、][”’」』）]*"
)  # Chinese and Japanese put no space after these


def breaks(
    text: str, span: tuple[int, int], level: int, code: Sequence[tuple[int, int]]
) -> Iterator[int]:
    """Find the offsets strictly within `span` where a text may be cut at a level, in order.

    `code` are the spans of fenced code, in order. The lines of wrapped prose end within
    sentences, so at level 2 a line end counts only after a stop, or before an item or a row.
    """
    start, end = span
    boundary = _PARAGRAPH_END if level < 2 else _LINE_END
    for found in boundary.finditer(text, start, end):
        cut = found.end()
        if cut == end:
            return
        if level == 0 and _within(cut, code):
            continue
        if level == 2 and text[cut - 2] not in _ENDS_A_THOUGHT and not _ITEM.match(text, cut):
            continue
        yield cut


def cut_line(text: str, window: tuple[int, int], ideal: int) -> int:
    """Choose where to cut a line that goes on past `window`: an offset within it, near `ideal`.

    The best place is the end of a sentence, then of a word, then any.
    """
    start, limit = window
    least = start + max(1, (ideal - start) // 3)  # something is cut off, or it would never end
    # What lies behind the ideal is read only where nothing before it will do: most lines that are
    # cut are made of sentences, and reading all of the window takes twice the time.
    before = [cut for cut in _sentence_starts(text, least, ideal) if least <= cut]
    if before:
        return before[-1]
    after = [cut for cut in _sentence_starts(text, ideal, limit) if cut > ideal]
    if after:
        return after[0]
    wide = [found.end() for found in _WIDE_STOP.finditer(text, start, ideal)]
    if wide and wide[-1] >= least:
        return wide[-1]
    words = text[start:ideal].rsplit(None, 1)
    if len(words) == 2 and ideal - len(words[1]) >= least:
        return ideal - len(words[1])
    return ideal


def _sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Find where sentences begin in a span of the text, one that begins at its end included."""
    first = max(0, start - LONGEST_ABBREVIATION - 1)
    return [first + begin for begin, _ in sentences_of(text[first : end + 1])[1:]]


def _within(offset: int, code: Sequence[tuple[int, int]]) -> bool:
    place = bisect_left(code, (offset,))
    return place > 0 and offset < code[place - 1][1]
