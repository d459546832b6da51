"""Making a report of a run: each outcome measured, then all together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rag_assistant.agents.retrieval import taken_over
from rag_assistant.evaluation.measuring.answers import (
    ANSWER_MEASURES,
    answer_measures,
    judge_metrics,
    refusal_metrics,
)
from rag_assistant.evaluation.measuring.excerpts import EVIDENCE_MEASURES, evidence_measures
from rag_assistant.evaluation.measuring.ranking import (
    RANKING_MEASURES,
    ranking_measures,
    why_no_measures,
)
from rag_assistant.evaluation.measuring.reliability import (
    reliability,
    reliability_intervals,
    reliability_metrics,
)
from rag_assistant.evaluation.measuring.report import Interval, MeasuredQuestion, Metrics, Report
from rag_assistant.evaluation.measuring.significance import interval
from rag_assistant.evaluation.measuring.summary import mean, percentile
from rag_assistant.evaluation.measuring.unmeasured import why_unmeasured
from rag_assistant.evaluation.measuring.voices import (
    VOICE_MEASURES,
    chance_metrics,
    chances,
)
from rag_assistant.evaluation.questions.naming import first_of
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.runs.outcomes import (
    AnswerOutcome,
    EvidenceOutcome,
    QuestionCost,
    SearchOutcome,
    Stage,
)
from rag_assistant.evaluation.runs.store import KeptRun


def report_of(kept: KeptRun) -> Report:
    """Measure a run as far as it went."""
    asked = asked_of(kept)
    settings = kept.header.settings
    measured = [one.measures for one in asked]
    metrics: dict[str, float | None] = {}
    if "search" in settings.stages:
        metrics |= _means(RANKING_MEASURES, measured)
        if not settings.ranking:
            metrics |= _traffic("search", [one.search for one in asked])
    if "retrieve" in settings.stages:
        metrics |= _means(EVIDENCE_MEASURES, measured)
        metrics |= _traffic("retrieve", [one.evidence for one in asked])
    pairs = [(one.question, one.answer) for one in asked if one.answer]
    if "answer" in settings.stages:
        metrics |= refusal_metrics(pairs)
        metrics |= _means(ANSWER_MEASURES, measured)
        metrics |= judge_metrics(pairs)
        metrics |= reliability_metrics(pairs)
        metrics |= _spoken(measured, pairs)
        metrics |= _traffic("answer", [one.answer for one in asked])
    return Report(
        kept.header,
        asked,
        metrics,
        {**_intervals(measured, settings.seed), **reliability_intervals(pairs, settings.seed)},
        reliability(pairs),
        (*kept.header.notes, *kept.notes, *_notes(asked), *why_unmeasured(metrics, asked)),
    )


def asked_of(kept: KeptRun, *, with_rankings: bool = True) -> tuple[MeasuredQuestion, ...]:
    """Put the outcomes of a run beside their questions, and measure each.

    The measures of rankings need a library that takes a while to load, and can be left out.
    """
    searches: dict[str, SearchOutcome] = {}
    found: dict[str, EvidenceOutcome] = {}
    answers: dict[str, AnswerOutcome] = {}
    for outcome in kept.outcomes:
        if isinstance(outcome, SearchOutcome):
            searches[outcome.question_id] = outcome
        elif isinstance(outcome, EvidenceOutcome):
            found[outcome.question_id] = outcome
        else:
            answers[outcome.question_id] = outcome
    judged = [searches[one.id] for one in kept.questions if one.ranks and one.id in searches]
    ranking = ranking_measures(judged) if with_rankings else {}
    return tuple(
        _one(
            question,
            searches.get(question.id),
            found.get(question.id),
            answers.get(question.id),
            ranking.get(question.id, {}),
        )
        for question in kept.questions
    )


def _one(
    question: Question,
    search: SearchOutcome | None,
    evidence: EvidenceOutcome | None,
    answer: AnswerOutcome | None,
    ranking: Mapping[str, float],
) -> MeasuredQuestion:
    measures = dict(ranking)
    if evidence:
        measures |= evidence_measures(evidence)
    if answer:
        measures |= answer_measures(question, answer)
    return MeasuredQuestion(question, search, evidence, answer, measures)


def _means(names: Iterable[str], measured: Sequence[Mapping[str, float]]) -> Metrics:
    """Average each measure over the questions that it was taken of."""
    return {name: mean([one[name] for one in measured if name in one]) for name in names}


def _spoken(
    measured: Sequence[Mapping[str, float]], pairs: Sequence[tuple[Question, AnswerOutcome]]
) -> Metrics:
    """Give what is measured of voices and their chances, where any was told."""
    if not any(one.answer.chance is not None for _, one in pairs):
        return {}
    return {**chance_metrics(list(chances(pairs))), **_means(VOICE_MEASURES, measured)}


def _intervals(measured: Sequence[Mapping[str, float]], seed: int) -> Mapping[str, Interval]:
    names = dict.fromkeys(name for one in measured for name in one)
    values = {name: [one[name] for one in measured if name in one] for name in names}
    found = {name: interval(held, seed=seed) for name, held in values.items()}
    return {name: ends for name, ends in found.items() if ends}


def _traffic(
    stage: Stage, outcomes: Iterable[SearchOutcome | EvidenceOutcome | AnswerOutcome | None]
) -> Metrics:
    return traffic_metrics(stage, [outcome.traffic for outcome in outcomes if outcome])


def _notes(asked: Sequence[MeasuredQuestion]) -> tuple[str, ...]:
    """Say what of the outcomes a reader of the figures must know."""
    notes: list[str] = []
    if any(one.search and one.question.ranks for one in asked) and (why := why_no_measures()):
        notes.append(why)
    joined = [
        one.question.id
        for one in asked
        if one.search and dict(one.search.grades) != dict(one.question.relevant)
    ]
    if joined:
        notes.append(
            "Versions of a document are judged as one; other tools judge them apart in a TREC run:"
            f" {_named(joined)}"
        )
    unplaced = [one.question.id for one in asked if one.evidence and one.evidence.unplaced]
    if unplaced:
        notes.append(f"Quotes that stand in no document that was searched: {_named(unplaced)}")
    broken = {one.question.id: one.evidence.stopped for one in asked if one.evidence}
    if broken := {question_id: why for question_id, why in broken.items() if why}:
        notes.append(
            f"Evidence broke off, or is the built-in model's: {_named(list(broken))},"
            f" first: {next(iter(broken.values()))}"
        )
    notes += _broken_answers([one.answer for one in asked if one.answer])
    instead = [one.question.id for one in asked if one.answer and one.answer.answer.fallback]
    if instead:
        notes.append(f"Answered by another model than was asked: {_named(instead)}")
    judged = [one.answer.judgement for one in asked if one.answer and one.answer.judgement]
    if failed := [judgement for judgement in judged if not judgement.verdict]:
        notes.append(
            f"{len(failed)} of {len(judged)} answers have no verdict of the judge:"
            f" {failed[0].failure}"
        )
    return tuple(notes)


def _broken_answers(answers: Sequence[AnswerOutcome]) -> Iterator[str]:
    """Name the answers that are not what the model that was asked can do, with the first reason."""
    broken = {one.question_id: one.stopped for one in answers if one.stopped}
    helped = {
        one.question_id: next(filter(None, map(taken_over, one.answer.evidence)), "")
        for one in answers
    }
    for what, why in (
        ("Broke off, and count as not answered", broken),
        ("Answered from evidence of the built-in model", helped),
    ):
        if those := {question_id: said for question_id, said in why.items() if said}:
            yield f"{what}: {_named(list(those))}, first: {next(iter(those.values()))}"


def _named(ids: Sequence[str]) -> str:
    return f"{first_of(ids)} ({len(ids)} in all)"


def traffic_metrics(stage: Stage, traffic: Sequence[QuestionCost]) -> Metrics:
    """Give times (percentiles, in milliseconds), calls of tools, tokens and cost of a stage.

    `first` is the time until there is something to read, of the questions for which there was;
    hits come all at once, and without a model, so a search has only its time. Calls are a mean,
    tokens and cost are sums; the cost is that of the models that have prices, None when none has.
    """
    times = [one.elapsed_ms for one in traffic]
    took = {f"{stage}_p{percent}_ms": percentile(times, percent) for percent in (50, 95, 99)}
    if stage == "search":
        return took
    first = [one.first_ms for one in traffic if one.first_ms is not None]
    costs = [one.cost for one in traffic if one.cost is not None]
    return {
        **took,
        **{f"{stage}_first_p{percent}_ms": percentile(first, percent) for percent in (50, 95)},
        f"{stage}_tool_calls": mean([one.tool_calls for one in traffic]),
        f"{stage}_tokens_in": float(sum(one.tokens_in for one in traffic)),
        f"{stage}_tokens_out": float(sum(one.tokens_out for one in traffic)),
        f"{stage}_cost": sum(costs) if costs else None,
    }
