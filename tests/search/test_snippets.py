"""Snippets: spans that cover the query, at sentence and line bounds."""

from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.search.snippets import LONGEST, best_span
from rag_assistant.text.sentences import sentences_of

TEXTS = st.text("ab c.\n# Ä漢?", max_size=600) | st.text(max_size=900)


@given(TEXTS, st.lists(st.sampled_from(["a", "b", "c", "ab"]), max_size=4))
def test_a_span_begins_and_ends_where_sentences_do_or_is_cut_for_length(
    text: str, terms: list[str]
) -> None:
    """Snippets would begin in the middle of a word without need."""
    start, end = best_span(text, dict.fromkeys(terms, 1.0))
    assert 0 <= start <= end <= len(text)
    assert end - start <= LONGEST
    sentences = sentences_of(text)
    if sentences and all(e - s <= LONGEST for s, e in sentences):
        assert start in {s for s, _ in sentences}
        assert end in {e for _, e in sentences}


def snippet(text: str, *terms: str, heading: str = "") -> str:
    start, end = best_span(text, dict.fromkeys(terms, 1.0), heading=heading)
    return text[start:end]


def test_a_sentence_wins_over_the_heading_that_covers_as_much() -> None:
    """The reader would see the heading, which stands above the snippet already."""
    text = "## Annual leave\n\nThe annual leave is 27 days.\n"
    assert snippet(text, "annual", "leav") == "The annual leave is 27 days."


def test_a_heading_is_never_alone_where_text_follows() -> None:
    """The reader would see that there is something, and not what."""
    text = "Annual leave\n\nStaff have 27 days a year.\n\nOther things.\n"
    assert snippet(text, "annual", "leav") == "Annual leave\n\nStaff have 27 days a year."


def test_a_long_sentence_is_cut_round_most_of_the_words() -> None:
    """The reader would see the first mention of one word, and not the place that answers."""
    text = "crane " + "and so on " * 60 + "the crane lifts forty tonnes " + "and so on " * 60
    found = snippet(text, "crane", "lift", "tonn")
    assert "crane lifts forty tonnes" in found
    assert len(found) <= LONGEST


def test_scripts_without_spaces_have_snippets_too() -> None:
    """Chinese and Thai passages would always be shown by their first line."""
    text = "今日は天気がいい。\n港のクレーンは黄色です。\n明日は雨。"
    weights = {"クレ": 1.0, "レー": 1.0, "ーン": 1.0}
    start, end = best_span(text, weights)
    assert text[start:end] == "港のクレーンは黄色です。"
