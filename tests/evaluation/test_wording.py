"""Texts against references, each measure by an example computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.evaluation.measuring.wording import (
    bears_out,
    contains_answer,
    exact_match,
    quote_coverage,
    quote_recall,
    quote_token_recall,
    same_words,
    token_f1,
    tokens_of,
)

REFERENCE = "Up to eight days may be carried over."  # 8 tokens


def test_tokens_are_those_of_squad() -> None:
    """If this fails, layout and typography decide whether an answer is right."""
    assert tokens_of("The  **“Pavilion”** roof:\n a £18,450 job.") == [
        "pavilion",
        "roof",
        "£18450",
        "job",
    ]


def test_token_f1_takes_the_best_reference() -> None:
    """If this fails, an answer is measured against a wording it did not choose."""
    # Tokens: by 30 june at latest; 2 in common with "30 June": F1 = 2 * 2 / (5 + 2).
    assert token_f1("By 30 June at the latest.", ["the summer", "30 June"]) == pytest.approx(4 / 7)
    assert token_f1("", ["30 June"]) == 0
    assert token_f1("£18,450", []) == 0


def test_repeated_words_count_once_for_each_time_in_the_reference() -> None:
    """If this fails, an answer scores by repeating itself."""
    assert token_f1("june june june", ["30 June"]) == pytest.approx(2 / 5)


def test_exact_match_and_containing_go_by_whole_tokens() -> None:
    """If this fails, "£5" counts as right within "£500"."""
    assert exact_match("The 30 June!", ["1 May", "30 june"]) == 1
    assert exact_match("by 30 June", ["30 June"]) == 0
    assert contains_answer("Use them by the 30 June.", ["30 June"]) == 1
    assert contains_answer("The excess is £500.", ["£5"]) == 0
    assert contains_answer("The excess is £500.", ["the"]) == 0


def test_quote_coverage_counts_tokens_in_rows_of_three() -> None:
    """If this fails, a quote counts as found when its words merely occur somewhere."""
    assert quote_coverage(REFERENCE, ["up to eight\n**days** may be lost"]) == pytest.approx(6 / 8)
    scattered = ["over eight be to", "carried days up may"]
    assert quote_coverage(REFERENCE, scattered) == 0
    in_two_parts = ["Up to eight days may", "may be carried over, they say"]
    assert quote_coverage(REFERENCE, in_two_parts) == 1


def test_short_references_must_be_whole() -> None:
    """If this fails, a reference of one or two words can never be found, or always is."""
    assert quote_coverage("30 June", ["used by 30 June"]) == 1
    assert quote_coverage("30 June", ["used by 30 July"]) == 0
    assert quote_coverage("...", ["anything"]) == 0


def test_quote_recall_by_hand() -> None:
    """If this fails, the headline figure for evidence is wrong."""
    # 8 tokens all covered; 6 of 8 covered, which is under 80%; 0 of 2 covered.
    references = [REFERENCE, "Paid in full for up to 52 weeks", "30 June"]
    quotes = [REFERENCE, "is paid in full for up to three years"]
    assert quote_recall(references, quotes) == pytest.approx(1 / 3)
    assert quote_token_recall(references, quotes) == pytest.approx((8 + 6 + 0) / (8 + 8 + 2))
    assert quote_recall(references, []) == 0


@pytest.mark.parametrize(
    ("quote", "same"),
    [
        ("Leave: up to eight days may be carried over. They must be used by 30 June.", True),
        ("may be carried over", True),  # a part of the reference
        ("Up to eight days may be lost", True),  # 6 of its 8 tokens
        ("Up to eight weeks of leave are paid", False),
        ("", False),
    ],
)
def test_quotes_of_the_same_words_may_be_longer_or_shorter(quote: str, same: bool) -> None:
    """If this fails, whoever quotes a paragraph, or half a sentence, cites wrongly."""
    assert same_words(quote, REFERENCE) is same


def test_texts_bear_out_by_an_answer_or_a_quote() -> None:
    """If this fails, the confidence of answers was fitted on another rule than is reported."""
    assert bears_out(["Use them by 30 June."], [], ["1 May", "30 June"])
    assert bears_out(["up to eight days may be", "be carried over then"], [REFERENCE], [])
    assert not bears_out(["by 30", "June"], [REFERENCE], ["30 June"])
    assert not bears_out([], [REFERENCE], ["30 June"])
    assert not bears_out(["anything"], [], [])


words = st.lists(st.sampled_from("up to eight days may be carried over".split()), max_size=12)


@given(words, words)
def test_shares_are_shares_whatever_the_words(one: list[str], other: list[str]) -> None:
    """If this fails, a repeated word counts twice, and a mean is above 1."""
    quote, reference = " ".join(one), " ".join(other)
    assert 0 <= quote_coverage(reference, [quote]) <= 1
    assert 0 <= token_f1(quote, [reference]) <= 1
    assert same_words(quote, reference) == same_words(reference, quote)
    if one:
        assert quote_coverage(quote, [quote]) == 1
