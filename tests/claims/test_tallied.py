"""Numbers that tools counted, in sentences of an answer."""

import pytest

from rag_assistant.claims.judging import with_support
from rag_assistant.values.coverage import Coverage, Tally, coverage_details, coverage_statement
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem
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


def test_a_long_list_says_what_was_counted() -> None:
    """Of an exact list of many documents, each cited, the count would stand in nothing."""
    days = [f"2025-{month:02}-1{month % 10}" for month in range(1, 13)]
    days += ["2026-01-10", "2026-02-11", "2026-03-12", "2026-04-13"]
    items = [
        EvidenceItem(
            "council", n, f"Minutes of {day}", f"minutes/{day}.md",
            "## 3. The roof\n\nThe roof of the hall is to be mended. Nobody was against it.",
            Location(40, 109), True,
        )
        for n, day in enumerate(days, 1)
    ]  # fmt: skip
    named = ", ".join(f"{day} [{n}]" for n, day in enumerate(days, 1))
    text = f"16 of the 20 documents of the minutes have the word, all looked at: {named}."
    tally = Tally("council", "documents with “roof” in “path:minutes/”", "16", "20")
    coverage = Coverage(("council",), 58, tallies=(tally,))
    citations = tuple(Citation(n, item) for n, item in enumerate(items, 1))
    question = "Which minutes mention the roof?"
    answer = with_support(Answer(question, text, citations, (), coverage, "m", Usage(), 1))
    assert [one.support for one in answer.sentences] == [Support.COMPUTED], answer.sentences


@pytest.mark.parametrize(
    ("text", "borne_out"),
    [
        ("- 2025-04: 3 documents\n- 2025-05: 2 documents", True),
        ("- 2025-04: 2 documents\n- 2025-05: 3 documents", False),
        ("- 2025-07: 3 documents\n- 2025-08: 2 documents", False),
    ],
)
def test_what_a_count_is_of_may_be_said_with_it(text: str, borne_out: bool) -> None:
    """Counts by month would be marked, or a count of one month pass for that of another."""
    tallies = tuple(
        Tally("council", f"documents for “type:email” 2025-{month}", count, "26")
        for month, count in (("04", "3"), ("05", "2"))
    )
    coverage = Coverage(("council",), 58, tallies=tallies)
    question = "How many e-mails are there per month?"
    answer = with_support(Answer(question, text, (), (), coverage, "m", Usage(), 1))
    assert [one.support.is_borne_out for one in answer.sentences] == [borne_out] * 2
