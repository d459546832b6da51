"""Questions put to search on a real index: the ranking that comes back."""

import pytest

from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.measuring.ranking import ranking_measures
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.searching import searched
from rag_assistant.library.library import Library
from rag_assistant.values.scope import Scope

SALARY = Question(
    "1", "On which day is the salary paid in December?", {"pay/pay dates.md": 2}, ("19th",)
)
TEAPOT = Question("3", "Which zebra ate my teapot?", answerable=False)


def test_files_are_ranked_by_their_paths(library: Library) -> None:
    """If this fails, relevance is not matched with what the index calls a file."""
    outcome = searched(library, SALARY, ["staff"])
    assert outcome.ranking[0].document == "pay/pay dates.md"
    assert outcome.grades == {"pay/pay dates.md": 2}
    assert outcome.hits[0].grade == 2
    assert ranking_measures([outcome])["1"]["found@10"] == 1
    assert outcome.traffic.first_ms is not None
    names = [ranked.document for ranked in outcome.ranking]
    assert len(set(names)) == len(names)


def test_a_question_without_an_answer_is_searched_and_not_judged(library: Library) -> None:
    """If this fails, questions without an answer drag the ranking down."""
    outcome = searched(library, TEAPOT, ["staff"])
    assert outcome.grades == {}
    assert ranking_measures([outcome]) == {}


def test_documents_that_are_taken_away_are_not_found(library: Library) -> None:
    """If this fails, questions made unanswerable are answered after all."""
    outcome = searched(library, SALARY, [Scope("staff", ("leave/", "travel/"))])
    assert "pay/pay dates.md" not in [ranked.document for ranked in outcome.ranking]


def test_no_more_than_the_depth_is_ranked(library: Library) -> None:
    """If this fails, recall at a depth counts what lies below it."""
    assert len(searched(library, SALARY, ["staff"], 1).ranking) == 1


def test_a_missing_database_is_no_miss(library: Library) -> None:
    """If this fails, a set over several databases is measured on those that are left."""
    with pytest.raises(LibraryError, match="stuff"):
        searched(library, SALARY, ["staff", "stuff"])
