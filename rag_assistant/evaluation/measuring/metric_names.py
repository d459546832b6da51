"""Metrics by the names that people write: which is meant, and which way is better."""

from collections.abc import Collection

from rag_assistant.errors import QuestionSetError

LESS_IS_BETTER = frozenset(
    (
        *("sentences_unconfirmed", "sentences_contradicted", "sentences_nowhere"),
        *("stopped", "judge_failed", "confidence_ECE", "confidence_Brier"),
        "chance_AURC",
    )
)
NEITHER = frozenset(
    (
        "sentences_no_claim",
        *(f"voice_{voice}{right}" for voice in ("probably", "nearest") for right in ("", "_right")),
        "voice_answer",
    )
)
"""What is not better or worse for being more or less."""

OF_TRAFFIC = ("_ms", "_tokens_in", "_tokens_out", "_calls", "_cost")
"""How the names of metrics end that say what a run took: less is better, and loads differ."""

_NEAR = 50
"""Of 100, how alike a name must be to be offered for one that is unknown (rapidfuzz's ratio)."""


def less_is_better(metric: str) -> bool:
    """Say which way a metric is better."""
    return metric in LESS_IS_BETTER or metric.endswith(OF_TRAFFIC)


def check_metric(name: str, known: Collection[str]) -> None:
    """Raise QuestionSetError where there is no such metric, with those that may be meant."""
    if name in known:
        return
    from rapidfuzz import process, utils  # noqa: PLC0415 - only a mistake needs it

    near = process.extract(
        name, list(known), limit=3, score_cutoff=_NEAR, processor=utils.default_process
    )
    hint = f"There are: {', '.join(known)}." if known else "Nothing was measured."
    if near:
        hint = f"Did you mean {' or '.join(match[0] for match in near)}?"
    raise QuestionSetError(f"There is no metric {name!r} here.", hint=hint)
