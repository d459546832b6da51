"""Thoughts at the beginning of a text, however it is cut."""

import pytest

from rag_assistant.models.thoughts import ThoughtFilter


def answer_of(*pieces: str) -> str:
    thoughts = ThoughtFilter()
    return "".join([thoughts.feed(piece) for piece in pieces]) + thoughts.finish()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>Hm.</think>Yes.", "Yes."),
        ("\n<think>\nHm < 3 </thin>\n</think>\n\n  Yes. <think>x</think>", "Yes. <think>x</think>"),
        ("<think>a</think> <think>b</think> Yes.", "Yes."),
        ("<think></think>", ""),
        ("<think>Hm", ""),
        ("<thinking> is a word.", "<thinking> is a word."),
        ("  Yes, a <think> tag</think>", "  Yes, a <think> tag</think>"),
        ("<thin", "<thin"),
        ("\n ", "\n "),
        ("", ""),
    ],
)
def test_every_cut_gives_the_same_answer(text: str, answer: str) -> None:
    """Else thoughts are shown as the answer, or words of the answer are lost."""
    assert answer_of(*text) == answer
    for cut in range(len(text) + 1):
        assert answer_of(text[:cut], text[cut:]) == answer


def test_an_answer_without_thoughts_is_given_at_once() -> None:
    """Else the first words wait for the end."""
    thoughts = ThoughtFilter()
    assert [thoughts.feed(piece) for piece in ("<", "b", ">")] == ["", "<b", ">"]
