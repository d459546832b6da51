"""The measures of answers, each against an example computed by hand."""

import pytest

from rag_assistant.evaluation.answer_measures import (
    contains_answer,
    exact_match,
    quote_coverage,
    quote_recall,
    quote_token_recall,
    refusal_precision,
    refusal_recall,
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


def test_refusals_are_right_or_wrong_both_ways() -> None:
    """If this fails, refusing everything or nothing looks good."""
    # (refused, answerable): one right refusal, one wrong one, one invented answer, one answer.
    outcomes = [(True, False), (True, True), (False, False), (False, True)]
    assert refusal_precision(outcomes) == 0.5
    assert refusal_recall(outcomes) == 0.5
    assert refusal_precision([(False, True)]) is None
    assert refusal_recall([(True, True)]) is None
