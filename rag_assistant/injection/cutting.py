"""A text cut into what a model may read and what is hidden from it.

Of words that nobody sees the span alone is hidden. Words that read like orders take their paragraph
along, or their sentence where the paragraph is long; what stands between two such places is read.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rag_assistant.injection.detector import suspicions
from rag_assistant.text.fences import mark_of
from rag_assistant.values.documents import HIDDEN, Suspicion

LONGEST_PARAGRAPH = 600
"""Characters of a paragraph that goes as a whole; of a longer one a sentence goes."""

_BLANK = re.compile(r"\n[ \t]*\n\s*")
"""Between two paragraphs."""
_SENTENCE_END = re.compile(r"[.!?…。！？]['\"”’)\]]*\s+|\n(?=[ \t]*[-*•#|>\d])")

Part = tuple[int, int, Suspicion | None]
"""A part of a text: start, end, and the suspicion for which it is hidden, if it is."""


def parts(text: str, offset: int, barred: Sequence[Suspicion]) -> Iterator[Part]:
    """Cut a text that begins at `offset` of its entry into what models may read and may not.

    `barred` are spans in the entry, in order, none within another.
    """
    place = 0
    for low, high, why in _hidden_parts(text, offset, barred):
        if text[place:low].strip():
            yield place, low, None
        yield low, high, why
        place = high
    if text[place:].strip() or not place:
        yield place, len(text), None


def _hidden_parts(
    text: str, offset: int, barred: Sequence[Suspicion]
) -> Iterator[tuple[int, int, Suspicion]]:
    """Give what is hidden of a text, joined where only white space is between."""
    last: tuple[int, int, Suspicion] | None = None
    first = bisect_left(barred, offset, key=lambda one: one.end)
    for one in barred[first:]:
        if one.start >= offset + len(text):
            break
        low, high = max(0, one.start - offset), min(len(text), one.end - offset)
        if low >= high:
            continue
        if one.kind != HIDDEN:
            low, high = _around(text, low, high)
        if last and not text[last[1] : low].strip():
            last = (last[0], max(last[1], high), last[2])
            continue
        if last:
            yield last
        last = (low, high, one)
    if last:
        yield last


def _around(text: str, low: int, high: int) -> tuple[int, int]:
    """Give the paragraph of a span, or where that is long, the sentences that it is in."""
    start = max((gap.end() for gap in _BLANK.finditer(text, 0, low)), default=0)
    after = _BLANK.search(text, high)
    end = after.start() if after else len(text)
    if end - start <= LONGEST_PARAGRAPH:
        return start, end
    start = max((stop.end() for stop in _SENTENCE_END.finditer(text, start, low)), default=start)
    stop = None if text[:high].endswith((".", "!", "?")) else _SENTENCE_END.search(text, high, end)
    return start, stop.end() if stop else high


def with_marks(text: str, offset: int, barred: Sequence[Suspicion]) -> str:
    """Give a text with a line in place of each hidden part; see `parts`."""
    return "".join(
        text[low:high] if why is None else f"\n{mark_of(why.kind)}\n"
        for low, high, why in parts(text, offset, barred)
    )


def for_models(text: str) -> tuple[str, tuple[str, ...]]:
    """Give a text that is in no index as models may read it, and the reasons for what is hidden."""
    found = suspicions(text)
    return (with_marks(text, 0, found) if found else text), tuple(one.reason for one in found)
