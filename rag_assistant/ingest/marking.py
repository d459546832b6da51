"""What of a document looks as if it were written for a model: of its text, and of what goes along.

Nothing is taken out here; what is marked is stored with the index, with the reason.
"""

from collections.abc import Iterator
from dataclasses import replace

from rag_assistant.injection.detector import suspicions, why_suspicious
from rag_assistant.values.documents import HIDDEN, Document, HiddenText, Suspicion

_PART, _OVERLAP = 2_000_000, 2_000
"""Characters of a long text that are looked at together, and again with the next ones."""


def suspicions_of(document: Document, path: str) -> tuple[Suspicion, ...]:
    """Give the suspicious spans of a document, then its names, metadata and hidden words."""
    seen = [span for span in document.hidden if span.end > span.start]
    return (*_in_text(document.text, seen), *_beside(document, path))


def _in_text(text: str, seen: list[HiddenText]) -> Iterator[Suspicion]:
    """Look at a long text part by part: the detector holds several copies of what it looks at."""
    done = 0
    for start in range(0, max(len(text), 1), _PART):
        end = min(start + _PART, len(text))
        first = max(start - _OVERLAP, 0)
        there = [
            replace(span, start=max(span.start, first) - first, end=min(span.end, end) - first)
            for span in seen
            if span.start < end and span.end > first
        ]
        for one in suspicions(text[first:end], there):
            if one.end + first > done:
                begin, done = max(one.start + first, done), one.end + first
                yield replace(one, start=begin, end=done)


def _beside(document: Document, path: str) -> Iterator[Suspicion]:
    if why := why_suspicious(path):
        yield Suspicion("instruction", 0, 0, f"the file's name {why}", "name")
    if why := why_suspicious(document.title):
        yield Suspicion("instruction", 0, 0, f"the title {why}", "title")
    for name, value in document.metadata.items():
        if why := why_suspicious(value):
            yield Suspicion("instruction", 0, 0, f"{name} {why}", "metadata")
    for span in document.hidden:
        if span.start == span.end and (why := why_suspicious(span.words)):
            yield Suspicion(HIDDEN, 0, 0, f"{span.reason}, which {why}", "left out")
