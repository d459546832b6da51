"""Numbers that tools counted, in sentences of an answer."""

import pytest

from rag_assistant.claims.judging import with_support
from rag_assistant.values.coverage import Coverage, Tally, coverage_details, coverage_statement
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Support

TALLIES = (
    Tally("council", "documents for “roof path:minutes”", "17", "20"),
    Tally("council", "sum of Net of “Costs” in a.md", "£1,500.50"),
)


def judged(text: str, question: str = "How many minutes mention the roof?") -> Answer:
    coverage = Coverage(("council",), 58, tallies=TALLIES)
    return with_support(Answer(question, text, (), (), coverage, "m", Usage(), 1))


@pytest.mark.parametrize(
    "text",
    [
        "17 of the 20 minutes mention the roof.",
        "The roof is mentioned in seventeen minutes.",
        "17",
        "The net costs come to £1,500.50.",
        "The net costs are 1,500.50 pounds in all.",
    ],
)
def test_what_a_tool_counted_may_be_said(text: str) -> None:
    """An exact count would be marked as a number that stands nowhere."""
    answer = judged(text)
    assert [one.support for one in answer.sentences] == [Support.COMPUTED]
    assert answer.answered and not answer.unsupported
    assert "council" in answer.sentences[0].note


@pytest.mark.parametrize(
    "text",
    [
        "18 of the 20 minutes mention the roof.",
        "There are 17 cows.",
        "17 minutes mention the roof, at 48 meetings.",
        "The net costs come to £1,500.",
    ],
)
def test_any_other_number_is_marked(text: str) -> None:
    """A tool's count would vouch for whatever number stands beside it."""
    answer = judged(text)
    assert answer.sentences[0].support is Support.NOWHERE
    assert not answer.answered


def test_the_coverage_says_what_was_counted() -> None:
    """A person could not see what the number is of, and whether all was looked at."""
    coverage = Coverage(("council",), 58, tallies=(*TALLIES, Tally("c", "x", "1", complete=False)))
    said = coverage_statement(coverage)
    assert "Looked through council" in said
    assert "documents for “roof path:minutes”: 17 of 20, all looked at" in said
    assert ("counted", "c, x: 1, not all looked at") in coverage_details(coverage)
