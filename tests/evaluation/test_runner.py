"""Search and answers put to a real index and measured."""

from dataclasses import replace

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, Limits
from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.questions import Question
from rag_assistant.evaluation.runner import Progress, evaluate_answers, evaluate_search
from rag_assistant.library.library import Library

SALARY = Question(
    "1",
    "On which day is the salary paid in December?",
    {"pay/pay dates.md": 1},
    ("In December the salary is paid early, on the 19th.",),
    ("19th", "19 December"),
)
CLAIM = Question("2", "Within how many days must a claim be submitted?", {"travel/expenses.md": 1})
TEAPOT = Question("3", "Which zebra ate my teapot?", answerable=False)


def test_search_ranks_files_by_path(library: Library) -> None:
    """If this fails, relevance is not matched with what the index calls a file."""
    found = evaluate_search(library, [SALARY, CLAIM])
    assert [outcome.ranking[0].document for outcome in found.outcomes] == [
        "pay/pay dates.md",
        "travel/expenses.md",
    ]
    assert found.metrics["nDCG@10"] == 1
    assert found.metrics["R@100"] == 1
    assert found.metrics["search_p95_ms"] is not None


def test_search_is_judged_over_answerable_questions_only(library: Library) -> None:
    """If this fails, questions without an answer drag the ranking down."""
    found = evaluate_search(library, [SALARY, TEAPOT])
    assert found.metrics["MAP"] == 1
    assert not found.outcomes[1].measures
    assert evaluate_search(library, [TEAPOT]).metrics["nDCG@10"] is None


def test_a_question_goes_to_its_own_databases(library: Library) -> None:
    """If this fails, a set over several databases is put to the wrong one."""
    with pytest.raises(LibraryError, match="stuff"):
        evaluate_search(library, [replace(SALARY, databases=("stuff",))])


async def test_answers_are_measured_against_their_references(assistant: Assistant) -> None:
    """If this fails, a right answer with the right quote does not score."""
    found = await evaluate_answers(assistant, [SALARY])
    assert found.outcomes[0].outcome == "answered"
    assert found.metrics["quote_recall"] == 1
    assert found.metrics["evidence_quote_recall"] == 1
    assert found.metrics["answer_contains"] == 1
    assert found.metrics["citation_verified"] == 1
    assert found.metrics["answered"] == 1
    assert found.metrics["refusal_recall"] is None


async def test_answering_the_unanswerable_lowers_refusal_recall(assistant: Assistant) -> None:
    """If this fails, invented answers go unpunished."""
    honest = await evaluate_answers(assistant, [SALARY, TEAPOT])
    assert honest.metrics["refusal_recall"] == 1
    assert honest.metrics["refusal_precision"] == 1
    answered = replace(SALARY, id="4", answerable=False)
    found = await evaluate_answers(assistant, [SALARY, TEAPOT, answered])
    assert found.metrics["refusal_recall"] == 0.5
    assert found.metrics["answered"] == 1


async def test_a_run_that_breaks_off_is_neither_answer_nor_refusal(library: Library) -> None:
    """If this fails, a broken model looks like an honest one."""
    assistant = Assistant(library, Config(limits=Limits(tokens=0)), {})
    found = await evaluate_answers(assistant, [SALARY, TEAPOT])
    assert [outcome.outcome for outcome in found.outcomes] == ["stopped", "stopped"]
    assert "tokens" in found.outcomes[0].stopped
    assert found.metrics["stopped"] == 1
    assert found.metrics["refusal_recall"] == 0
    assert found.metrics["answered"] == 0
    assert found.metrics["quote_recall"] == 0


async def test_outcomes_keep_the_order_of_the_questions(assistant: Assistant) -> None:
    """If this fails, figures are shown beside the wrong question."""
    questions = [replace(SALARY, id=str(number)) for number in range(6)]
    seen: list[Progress] = []
    found = await evaluate_answers(assistant, questions, at_once=3, on_progress=seen.append)
    assert [outcome.question.id for outcome in found.outcomes] == list("012345")
    assert [progress.done for progress in seen] == [1, 2, 3, 4, 5, 6]
    assert {(progress.stage, progress.total) for progress in seen} == {("answer", 6)}


async def test_a_run_that_cannot_start_ends_the_evaluation_in_one_line(
    assistant: Assistant,
) -> None:
    """If this fails, a person sees a group of exceptions."""
    with pytest.raises(LibraryError, match="stuff"):
        await evaluate_answers(assistant, [SALARY, replace(CLAIM, databases=("stuff",))])
