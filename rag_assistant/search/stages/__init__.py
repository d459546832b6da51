"""The stages of ranking: each adds to the score of every entry in the pool, and has a name.

A stage is a function of the pool and the scores so far. `QUESTION` is the whole pipeline; what each
stage gains and costs is in the table of the benchmark `ablation`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_assistant.search.pool import Pool
from rag_assistant.search.stages import bm25, compounds, feedback, ngrams


@dataclass(frozen=True, slots=True)
class Stage:
    """A named part of the score. `contribute` gives one number, zero or more, for each extract."""

    name: str
    contribute: Callable[[Pool, Sequence[float]], list[float]]


QUESTION = (
    Stage("words", bm25.words),
    Stage("title", bm25.title),
    Stage("compounds", compounds.side_by_side),
    Stage("n-grams", ngrams.shared),
    Stage("feedback", feedback.like_the_best),
)


def contributions(pool: Pool, stages: Sequence[Stage] = QUESTION) -> dict[str, list[float]]:
    """Run the stages in order and give what each adds, extract by extract."""
    scores = [0.0] * len(pool.extracts)
    parts: dict[str, list[float]] = {}
    for stage in stages:
        part = stage.contribute(pool, scores)
        scores = [score + more for score, more in zip(scores, part, strict=True)]
        parts[stage.name] = part
    return parts
