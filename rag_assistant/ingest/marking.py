"""What of a document looks as if it were written for a model: of its text, and of what goes along.

Nothing is taken out here; what is marked is stored with the index, with the reason.
"""

from collections.abc import Iterator

from rag_assistant.documents import HIDDEN, Document, Suspicion
from rag_assistant.suspicion.detector import suspicions, why_suspicious


def suspicions_of(document: Document, path: str) -> tuple[Suspicion, ...]:
    """Give the suspicious spans of a document, then its names, metadata and hidden words."""
    seen = [span for span in document.hidden if span.end > span.start]
    return (*suspicions(document.text, seen), *_beside(document, path))


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
