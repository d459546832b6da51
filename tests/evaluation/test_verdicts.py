"""What is said of a question in a word each, without a run."""

from rag_assistant.evaluation.measuring.answers import answer_measures
from rag_assistant.evaluation.measuring.report import MeasuredQuestion
from rag_assistant.evaluation.measuring.verdicts import verdict_of
from rag_assistant.evaluation.questions.values import Question
from tests.evaluation.made_answers import made_outcome


def answered(question: Question, *quotes: str) -> bool | None:
    """Judge the answer to a question that cites these, or a refusal where it cites none."""
    outcome = made_outcome("It says so [1].", quotes)
    asked = MeasuredQuestion(question, None, None, outcome, answer_measures(question, outcome))
    return verdict_of(asked).answered


def test_a_refusal_of_what_is_quoted_is_wrong_and_of_what_is_not_known_is_not() -> None:
    """Refusals would be missing among what went wrong, or questions without references be there."""
    assert answered(Question("q", "?", quotes=("It says so.",))) is False
    assert answered(Question("q", "?", quotes=("It says so.",)), "It says so.") is None
    assert answered(Question("q", "?")) is None
    assert answered(Question("q", "?", answers=("so",)), "It says so.") is True
    assert answered(Question("q", "?", answerable=False)) is True
