"""The pieces of an answer are those that a reader of its Markdown sees."""

import pytest

from rag_assistant.claims.answer_sentences import PieceKind, pieces_of


def kinds_of(text: str) -> list[tuple[str, str]]:
    """Give the pieces of a text with their kinds."""
    return [(text[piece.start : piece.end], piece.kind.value) for piece in pieces_of(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("A fence:\n\n    ```\n\nIt is paid [1].", [
            ("A fence:", "prose"), ("```", "code"), ("It is paid [1].", "prose"),
        ]),
        ("```\na\n``` b\n```\nPaid.", [("a\n``` b", "code"), ("Paid.", "prose")]),
        ("~~~\na\n```\n~~~\nPaid.", [("a\n```", "code"), ("Paid.", "prose")]),
        ("``` a`b\nPaid.", [("``` a`b\nPaid.", "prose")]),
        ("> ```\n> a\n\nPaid.", [("a", "code"), ("Paid.", "prose")]),
        ("Paid\n====\n\nYes.", [("Paid", "heading"), ("Yes.", "prose")]),
        ("> Paid. Twice\n> a year.", [("Paid.", "prose"), ("Twice\n> a year.", "prose")]),
        ("- [x] Done.\n- # Head", [("Done.", "prose"), ("# Head", "heading")]),
        ("Two:\n• one\n• two", [("Two:", "prose"), ("one", "prose"), ("two", "prose")]),
        ("| a\n|-\n| `b\\|c`\n***", [
            ("| a", "heading"), ("|-", "heading"), ("| `b\\|c`", "row"),
        ]),
    ],
)  # fmt: skip
def test_pieces_are_what_a_reader_sees(text: str, pieces: list[tuple[str, str]]) -> None:
    """Sentences behind what looks like a fence would go unjudged, or code be judged as claims."""
    assert kinds_of(text) == pieces


def test_words_are_without_signs_and_at_their_places() -> None:
    """Signs around a word would hide that the quote has it."""
    (piece,) = pieces_of("**Leave** is `16 weeks` or snake_case [1].")
    assert piece.words == "  Leave   is  16 weeks  or snake_case    ."
    assert piece.kind is PieceKind.PROSE
    assert piece.markers == (1,)


def test_citations_of_a_list_stand_beside_its_items_alone() -> None:
    """A paragraph behind a list would prove the items, or an item nothing before it."""
    first, second, inner, after = pieces_of("- a\n- b\n\n  - c [1]\n\nd [2].")
    assert (first.beside, second.beside, inner.beside, after.beside) == ((1,), (1,), (), ())
