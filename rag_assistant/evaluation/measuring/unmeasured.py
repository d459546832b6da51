"""Why metrics of a report could not be measured, in words for the person who reads a "-"."""

from collections.abc import Mapping, Sequence

from rag_assistant.evaluation.measuring.answers import rightness
from rag_assistant.evaluation.measuring.excerpts import EVIDENCE_MEASURES
from rag_assistant.evaluation.measuring.ranking import RANKING_MEASURES, why_no_measures
from rag_assistant.evaluation.measuring.reliability import LEAST
from rag_assistant.evaluation.measuring.report import MeasuredQuestion, Metrics
from rag_assistant.evaluation.measuring.voices import FEWEST

_NOT_YET = "not all was asked yet"
_OF_ANSWERS: Mapping[str, str] = {
    "token_f1": "no question has answers",
    "exact_match": "no question has answers",
    "answer_contains": "no question has answers",
    "quote_recall": "no question has quotes",
    "quote_token_recall": "no question has quotes",
    "evidence_quote_recall": "no question has quotes",
    "citation_recall": "no question has quotes or relevant documents",
    "citation_precision": "nothing was cited that references could judge",
    "citation_verified": "nothing was cited",
    "answered": "all questions are said to have no answer",
    "refusal_recall": "no question is said to have no answer",
    "refusal_precision": "no question was refused",
}


def why_unmeasured(metrics: Metrics, asked: Sequence[MeasuredQuestion]) -> tuple[str, ...]:
    """Say for each reason which metrics it keeps from being measured, a line for each reason.

    What another note tells of (a library or a verdict that is missing) has none here.
    """
    reasons: dict[str, list[str]] = {}
    for name, value in metrics.items():
        why = "" if value is not None else _reason(name, metrics, asked)
        if why:
            reasons.setdefault(why, []).append(name)
    return tuple(f"Not measured, because {why}: {', '.join(of)}" for why, of in reasons.items())


def _reason(name: str, metrics: Metrics, asked: Sequence[MeasuredQuestion]) -> str:
    if name in RANKING_MEASURES:
        if not any(one.question.ranks for one in asked):
            return "no question has relevant documents"
        return "" if all(one.search for one in asked) and why_no_measures() else _NOT_YET
    if name in EVIDENCE_MEASURES:
        whole = all(one.evidence for one in asked)
        return "no quote of a question was found in the documents" if whole else _NOT_YET
    if name.endswith("_cost"):  # the built-in model costs nothing, and counts no tokens
        counted = metrics.get(name.replace("_cost", "_tokens_in"))
        return "no model that was asked has prices in config.toml" if counted else ""
    return _of_answers(name, asked)


def _of_answers(name: str, asked: Sequence[MeasuredQuestion]) -> str:
    if name.startswith("confidence_"):
        return f"it takes {LEAST} answers that references can judge, and there are {_told(asked)}"
    if name.startswith("chance_"):
        return f"it takes {FEWEST} first quotes, right ones and wrong ones"
    if name.startswith("voice_"):
        return "nothing that references could judge was said in this voice"
    if name in _OF_ANSWERS and not all(one.answer for one in asked):
        return _NOT_YET
    return _OF_ANSWERS.get(name, "")


def _told(asked: Sequence[MeasuredQuestion]) -> int:
    """Count the answers of which it is known whether they are right."""
    answers = [(one.question, one.answer) for one in asked if one.answer]
    return sum(
        rightness(question, answer) is not None and bool(answer.answer.confidence)
        for question, answer in answers
    )
