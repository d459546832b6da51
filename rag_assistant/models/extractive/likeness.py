"""How near sentences are in meaning to a question, by an embedder that runs on this machine."""

from collections.abc import Callable, Sequence

from rag_assistant.errors import ModelError
from rag_assistant.library.protocols import Embedder

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""Gives for a question and sentences how near each is: the cosine, from -1 to 1."""


def no_likeness(question: str, sentences: Sequence[str]) -> Sequence[float]:
    """Say nothing of any sentence, where there is no embedder."""
    return [0.0] * len(sentences)


def likeness_by(embedder: Embedder | None) -> Likeness:
    """Make what compares by an embedder.

    One that is elsewhere is not asked: the built-in model sends nothing. Where one fails, words
    alone count; the search before has told so already.
    """
    if embedder is None or embedder.destination:
        return no_likeness

    def likeness(question: str, sentences: Sequence[str]) -> Sequence[float]:
        if not sentences:
            return []
        try:
            near = embedder.embed_passages(sentences) @ embedder.embed_query(question)
        except ModelError:
            return no_likeness(question, sentences)
        cosines: list[float] = near.tolist()
        return cosines

    return likeness
