"""Quotes are found by code; what is shown as verified must stand in the entry."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.agents.quotes import find_quote
from rag_assistant.documents import Location, Passage

TEXT = "# Leave\n\nParents get **sixteen weeks** of\npaid “leave” — in full.\n\nAsk Zoë."


def passages(*cuts: int) -> list[Passage]:
    bounds = [0, *cuts, len(TEXT)]
    return [
        Passage(TEXT[a:b], Location(a, b, heading="Leave", line=1 + TEXT.count("\n", 0, a)))
        for a, b in pairwise(bounds)
    ]


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Parents get **sixteen weeks** of", "Parents get **sixteen weeks** of"),
        ("parents GET **sixteen weeks** of paid", "Parents get **sixteen weeks** of\npaid"),
        ('paid "leave" - in full.', "paid “leave” — in full."),
        ('"Ask Zoë."', "Ask Zoë."),
    ],
)
def test_a_quote_is_found_and_given_as_the_entry_has_it(quote: str, found: str) -> None:
    """Citations of a model that tidies white space or quotation marks would count as invented."""
    result = find_quote(quote, passages(9, 40))
    assert result is not None
    assert result.text == found
    assert TEXT[result.location.start : result.location.end] == found
    assert result.location.line == 1 + TEXT.count("\n", 0, result.location.start)


@pytest.mark.parametrize("quote", ["Parents get seventeen weeks", "", "  ", "…", "''"])
def test_other_words_are_not_found(quote: str) -> None:
    """An invented quote would be shown as verified."""
    assert find_quote(quote, passages(9)) is None


def test_a_quote_across_left_out_text_is_not_found() -> None:
    """Words that never stood together could be quoted as if they did."""
    first, _, last = passages(9, 72)
    assert find_quote("# Leave Ask Zoë.", [first, last]) is None


@given(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)), st.integers(1, len(TEXT) - 1))
def test_every_span_of_the_text_is_found_as_itself(a: int, b: int, cut: int) -> None:
    """A verbatim quote would be called unverified, or be given another place's words."""
    quote = TEXT[min(a, b) : max(a, b)]
    result = find_quote(quote, passages(cut))
    if quote.strip():
        assert result is not None
        assert result.text == quote
