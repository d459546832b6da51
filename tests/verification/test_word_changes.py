"""What is shown of how one text became another."""

from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.verification.word_changes import as_marked_text, word_changes

TEXTS = st.text(alphabet="ab c,.\n", max_size=40)


def test_a_changed_number_is_all_that_is_marked() -> None:
    """A person would have to compare two answers by eye."""
    changes = word_changes("Staff get 27 days a year.", "Staff get 30 days a year.")
    assert as_marked_text(changes) == "Staff get [-27-] {+30+} days a year."


def test_texts_with_little_in_common_are_given_whole() -> None:
    """Two unlike answers would be shown as a salad of their words."""
    changes = word_changes("The crane is on 4410.", "Nothing was found in any database here.")
    assert [change.kind for change in changes] == ["gone", "new"]


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_the_changes(before: str, now: str) -> None:
    """Words of an answer would be missing from the comparison."""
    changes = word_changes(before, now)
    first = "".join(change.text for change in changes if change.kind != "new")
    second = "".join(change.text for change in changes if change.kind != "gone")
    assert "".join(first.split()) == "".join(before.split())
    assert second == now.rstrip()
