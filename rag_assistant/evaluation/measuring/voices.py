"""The voices of the built-in model: how often each is used, and is right in its first quote."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from random import Random

from rag_assistant.evaluation.measuring.report import Interval, Metrics
from rag_assistant.evaluation.measuring.wording import contains_answer, same_words
from rag_assistant.evaluation.questions.values import Question, document_id
from rag_assistant.evaluation.runs.outcomes import AnswerOutcome
from rag_assistant.values.evidence import Voice

Told = tuple[float, float]
"""The chance that was told, and what came: 1 where the first quote is right, else 0."""

VOICE_MEASURES = tuple(
    name for voice in Voice for name in (f"voice_{voice.value}", f"voice_{voice.value}_right")
)
"""The names of what `voice_measures` may give."""

FEWEST = 20
"""Answers below which neither area is given."""

RESAMPLES = 400
"""Areas of an interval: they take longer than means, and its ends need be no finer."""


def voice_measures(question: Question, outcome: AnswerOutcome) -> Mapping[str, float]:
    """Say which voice what was quoted has, and whether its first quote is right there.

    The mean of `voice_answer` over the questions is then how often they are answered in that voice,
    that of `voice_answer_right` its precision. Nothing where no chance was told.
    """
    answer = outcome.answer
    if answer.voice is None or answer.chance is None:
        return {}
    measured = {f"voice_{voice.value}": float(answer.voice is voice) for voice in Voice}
    right = first_right(question, outcome)
    return measured if right is None else {**measured, f"voice_{answer.voice.value}_right": right}


def first_right(question: Question, outcome: AnswerOutcome) -> float | None:
    """Say whether the first citation is right, 1 or 0; None where that cannot be told.

    It is where it is of a relevant document, if any is named, and has words of a reference quote
    (`same_words`) or holds a reference answer. Nothing is right for a question without an answer.
    """
    if not question.answerable:
        return 0.0
    if not (question.quotes or question.answers):
        return None
    relevant = [document for document, grade in question.relevant.items() if grade > 0]
    first = outcome.answer.citations[:1]
    if not first or (relevant and documents(outcome)[0] not in relevant):
        return 0.0
    quote = first[0].item.quote
    held = any(same_words(quote, reference) for reference in question.quotes)
    return float(held or contains_answer(quote, question.answers))


def documents(outcome: AnswerOutcome) -> tuple[str, ...]:
    """Give the document of each citation, in their order."""
    paths = tuple(document_id(citation.item.path) for citation in outcome.answer.citations)
    return outcome.documents or paths


def chances(pairs: Sequence[tuple[Question, AnswerOutcome]]) -> Iterator[Told]:
    """Give each chance that was told with what came, where that is known."""
    for question, outcome in pairs:
        if outcome.answer.chance is not None:
            right = first_right(question, outcome)
            if right is not None:
                yield outcome.answer.chance, right


def chance_metrics(told: Sequence[Told]) -> Metrics:
    """Give the two areas; None of fewer than FEWEST answers, or where all are right or none."""
    some = [right for _, right in told]
    if len(told) < FEWEST or min(some) == max(some):
        return {"chance_ROC": None, "chance_AURC": None}
    return {"chance_ROC": roc(told), "chance_AURC": aurc(told)}


def roc(told: Sequence[Told]) -> float:
    """Give the area under the ROC curve: how often one that is right has the higher chance.

    Of a right one and a wrong one drawn at random; an equal chance counts half. Source: Hanley and
    McNeil 1982, doi 10.1148/radiology.143.1.7063747. Not a number where all are right, or none.
    """
    wrong_below = above = 0.0
    for _, same in groupby(sorted(told), key=lambda one: one[0]):
        came = [right for _, right in same]
        right, wrong = sum(came), len(came) - sum(came)
        above += right * (wrong_below + wrong / 2)
        wrong_below += wrong
    rights = len(told) - wrong_below
    return above / (rights * wrong_below) if rights and wrong_below else float("nan")


def aurc(told: Sequence[Told]) -> float:
    """Give the area under the curve of risk and coverage, from 0 (none is wrong) to 1.

    The mean, over k, of the share that is wrong of the k with the highest chances; of equal ones
    each is as wrong as all of them. Source: Geifman and El-Yaniv 2017, arXiv 1705.08500, and the
    area Geifman, Uziel and El-Yaniv 2019, arXiv 1805.08206.
    """
    risks = wrong = 0.0
    count = 0
    for _, same in groupby(sorted(told, reverse=True), key=lambda one: one[0]):
        came = [right for _, right in same]
        share = 1 - sum(came) / len(came)
        for _ in came:
            count += 1
            wrong += share
            risks += wrong / count
    return risks / count if count else float("nan")


def resampled(
    measure: Callable[[Sequence[Told]], float], told: Sequence[Told], seed: int
) -> Interval | None:
    """Give the 95 % interval of a measure of answers: percentiles of the bootstrap (Efron 1979)."""
    chance = Random(seed)
    drawn = [measure(chance.choices(told, k=len(told))) for _ in range(RESAMPLES)]
    values = sorted(value for value in drawn if value == value)  # noqa: PLR0124 - not a number
    if len(values) < RESAMPLES // 2:
        return None
    outside = len(values) // 40
    return Interval(values[outside], values[-1 - outside])
