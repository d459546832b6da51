"""Putting the questions of a set to search and to the assistant, and measuring what comes back.

Search is judged over the questions whose answer is in the documents and whose place is known; the
others are searched for their latency alone.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.past import without_markers
from rag_assistant.documents import Hit
from rag_assistant.errors import LibraryError, ModelError
from rag_assistant.evaluation import answer_measures, measures
from rag_assistant.evaluation.questions import Question, document_of
from rag_assistant.events import Answered, Stopped
from rag_assistant.evidence import Answer
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases

Metrics = Mapping[str, float | None]
"""Names and values; None where the questions give nothing to measure it on."""

QUESTIONS_AT_ONCE = 4
"""Questions asked at the same time; latencies are measured in that company."""

SEARCH_MEASURES: Mapping[str, Callable[[Sequence[str], Mapping[str, int]], float]] = {
    "nDCG@10": lambda ranking, grades: measures.ndcg(ranking, grades, 10),
    "R@10": lambda ranking, grades: measures.recall(ranking, grades, 10),
    "R@100": lambda ranking, grades: measures.recall(ranking, grades, 100),
    "MRR@10": lambda ranking, grades: measures.reciprocal_rank(ranking, grades, 10),
    "MAP": measures.average_precision,
}

ANSWER_MEASURES = (
    "quote_recall",
    "quote_token_recall",
    "evidence_quote_recall",
    "token_f1",
    "exact_match",
    "answer_contains",
    "citation_verified",
    "sentences_quoted",
    "sentences_supported",
    "sentences_unsupported",
    "sentences_no_claim",
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an evaluation is."""

    stage: Literal["search", "answer"]
    done: int
    total: int


def _silently(_: Progress) -> None:
    return


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document of a ranking, named as in the question set, with its score (higher is better)."""

    document: str
    score: float


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What search gave for one question. `measures` is empty where no ranking can be judged."""

    question: Question
    ranking: tuple[Ranked, ...]
    measures: Mapping[str, float]
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class SearchResults:
    """All outcomes in the order of the questions, and their means."""

    outcomes: tuple[SearchOutcome, ...]
    metrics: Metrics


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What the assistant gave for one question.

    `stopped` says why the run ended early, if it did; `answer` is then what there was. `measures`
    has what the question's references allow to measure.
    """

    question: Question
    answer: Answer
    stopped: str
    measures: Mapping[str, float]

    @property
    def outcome(self) -> Literal["answered", "refused", "stopped"]:
        """A run that broke is neither an answer nor a refusal."""
        if self.stopped:
            return "stopped"
        return "answered" if self.answer.answered else "refused"


@dataclass(frozen=True, slots=True)
class AnswerResults:
    """All outcomes in the order of the questions, and their means."""

    outcomes: tuple[AnswerOutcome, ...]
    metrics: Metrics
    questions_at_once: int


def evaluate_search(
    library: Library,
    questions: Sequence[Question],
    *,
    limit: int = 100,
    on_progress: Callable[[Progress], None] = _silently,
) -> SearchResults:
    """Search for each question in its databases (in all when it has none), `limit` hits deep.

    Raises LibraryError when there is no such database.
    """
    outcomes: list[SearchOutcome] = []
    for question in questions:
        outcomes.append(_search(library, question, limit))
        on_progress(Progress("search", len(outcomes), len(questions)))
    return SearchResults(tuple(outcomes), _search_metrics(outcomes))


def _search(library: Library, question: Question, limit: int) -> SearchOutcome:
    databases = library.databases(list(question.databases))
    started = time.perf_counter()
    found = search_databases(databases, question.text, limit)
    elapsed = time.perf_counter() - started
    if len(found.databases) < len(databases):  # what is left out would look like misses
        raise LibraryError(f"{found.notes[0]}.")
    ranking = _ranking(found.hits, question)
    documents = [ranked.document for ranked in ranking]
    grades = _grades(found.hits, question)
    measured = {
        name: measure(documents, grades)
        for name, measure in SEARCH_MEASURES.items()
        if question.ranks
    }
    return SearchOutcome(question, ranking, measured, elapsed * 1000)


def _ranking(hits: Iterable[Hit], question: Question) -> tuple[Ranked, ...]:
    """Rank the documents, each where its first hit is: a file may hold several entries."""
    first: dict[str, Ranked] = {}
    for hit in hits:
        document = document_of(hit.path, hit.key, question.relevant)
        first.setdefault(document, Ranked(document, hit.score))
    return tuple(first.values())


def _grades(hits: Sequence[Hit], question: Question) -> Mapping[str, int]:
    """Judge versions of a document as one, where a hit stands for the others: by the best grade."""
    judged = question.relevant
    grades = dict(judged)
    shown = {document_of(hit.path, hit.key, judged) for hit in hits}
    for hit in hits:
        document = document_of(hit.path, hit.key, judged)
        for version in hit.versions:
            hidden = document_of(version.path, "", judged)
            if version.relation != "newer" and hidden in grades and hidden not in shown:
                grades[document] = max(grades.pop(hidden), grades.get(document, 0))
    return grades


def _search_metrics(outcomes: Sequence[SearchOutcome]) -> Metrics:
    times = [outcome.elapsed_ms for outcome in outcomes]
    return {
        **_means(SEARCH_MEASURES, [outcome.measures for outcome in outcomes]),
        "search_p50_ms": measures.percentile(times, 50),
        "search_p95_ms": measures.percentile(times, 95),
    }


def _means(names: Iterable[str], measured: Sequence[Mapping[str, float]]) -> Metrics:
    """Average each measure over the questions that it was taken of."""
    return {
        name: measures.mean([values[name] for values in measured if name in values])
        for name in names
    }


async def evaluate_answers(
    assistant: Assistant,
    questions: Sequence[Question],
    *,
    at_once: int = QUESTIONS_AT_ONCE,
    on_progress: Callable[[Progress], None] = _silently,
) -> AnswerResults:
    """Ask each question of its databases (of all when it has none), `at_once` at a time.

    A run that ends early is an outcome; the rest goes on. Raises LibraryError or ModelError when
    runs cannot start at all.
    """
    free = asyncio.Semaphore(at_once)
    done = 0

    async def take(question: Question) -> AnswerOutcome:
        nonlocal done
        async with free:
            outcome = await _ask(assistant, question)
        done += 1
        on_progress(Progress("answer", done, len(questions)))
        return outcome

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(take(question)) for question in questions]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    outcomes = tuple(task.result() for task in tasks)
    return AnswerResults(outcomes, _answer_metrics(outcomes), at_once)


async def _ask(assistant: Assistant, question: Question) -> AnswerOutcome:
    async with aclosing(assistant.ask(question.text, databases=question.databases)) as events:
        async for event in events:
            if isinstance(event, Answered):
                return AnswerOutcome(question, event.answer, "", _measure(question, event.answer))
            if isinstance(event, Stopped):
                partial = event.partial
                return AnswerOutcome(question, partial, event.reason, _measure(question, partial))
    raise ModelError("A run ended without an answer.", hint="Ask again.")


def _measure(question: Question, answer: Answer) -> dict[str, float]:
    """Measure an answer by the references that the question has."""
    items = [citation.item for citation in answer.citations]
    measured: dict[str, float] = {}
    if question.answerable and question.quotes:
        cited = [item.quote for item in items]
        seen = [item.quote for evidence in answer.evidence for item in evidence.items]
        recall = answer_measures.quote_recall
        measured["quote_recall"] = recall(question.quotes, cited)
        token_recall = answer_measures.quote_token_recall(question.quotes, cited)
        measured["quote_token_recall"] = token_recall
        measured["evidence_quote_recall"] = recall(question.quotes, seen)
    if question.answerable and question.answers:
        text = without_markers(answer.text)
        measured["token_f1"] = answer_measures.token_f1(text, question.answers)
        measured["exact_match"] = answer_measures.exact_match(text, question.answers)
        measured["answer_contains"] = answer_measures.contains_answer(text, question.answers)
    if items:
        measured["citation_verified"] = sum(item.verified for item in items) / len(items)
    return {**measured, **answer_measures.support_shares(answer.sentences)}


def _answer_metrics(outcomes: Sequence[AnswerOutcome]) -> Metrics:
    answerable = [o.outcome == "answered" for o in outcomes if o.question.answerable]
    refusals = [(o.outcome == "refused", o.question.answerable) for o in outcomes]
    times = [float(outcome.answer.elapsed_ms) for outcome in outcomes]
    return {
        "answered": measures.mean(answerable),
        **_means(ANSWER_MEASURES, [outcome.measures for outcome in outcomes]),
        "refusal_precision": answer_measures.refusal_precision(refusals),
        "refusal_recall": answer_measures.refusal_recall(refusals),
        "stopped": measures.mean([outcome.outcome == "stopped" for outcome in outcomes]),
        "answer_p50_ms": measures.percentile(times, 50),
        "answer_p95_ms": measures.percentile(times, 95),
    }
