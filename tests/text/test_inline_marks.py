"""The marks within words are those of CommonMark, and hostile words cost no more than others."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_assistant.text.inline_marks import Mark, blanked, marks_of, without_marks
from tests.examples import examples

WORDS = st.lists(
    st.sampled_from(
        ["a", "b ", " ", "*", "**", "***", "_", "__", "`", "``", "\\", "\\*", "[", "![", "]", "](",
         ")", "](x)", "](<y z>)", '](x "t")', "](x 't", "('", ".", "é", "“", "-", "\n", "(", "!",
         "x"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


def shown(tokens: list[Token]) -> str:
    """Give the words that a reader of the text would see."""
    return "".join(
        "\n"
        if token.type in ("softbreak", "hardbreak")
        else shown(token.children or [])
        if token.type == "image"
        else token.content
        for token in tokens
    )


@settings(max_examples=examples(300))
@given(WORDS)
def test_marks_are_those_of_commonmark(text: str) -> None:
    """A heading would keep signs that nobody sees, or words between signs would be lost."""
    text = " ".join(text.split())
    parser = MarkdownIt("commonmark").disable(["html_inline", "autolink", "entity", "newline"])
    (inline,) = parser.parseInline(text)
    assert without_marks(text) == shown(inline.children or [])
    wanted = {"strong_open": Mark.STRONG, "em_open": Mark.EMPHASIS, "code_inline": Mark.CODE}
    found = [mark.mark for mark in marks_of(text) if mark.mark in wanted.values()]
    told = [token for token in _all(inline.children or []) if token.type in wanted]
    assert sorted(found, key=str) == sorted((wanted[token.type] for token in told), key=str)


def _all(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *_all(token.children or []))]


@settings(max_examples=examples(200))
@given(WORDS)
def test_blanked_words_stay_where_they_are(text: str) -> None:
    """A mark at a sentence would stand at another place."""
    blank = blanked(text)
    assert len(blank) == len(text)
    assert all(after in (before, " ") for before, after in zip(text, blank, strict=True))


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("**Note** on `a*b` and *it*", "Note on a*b and it"),
        ("[A *link*](https://x.y \"z\") and ![one](i.png)", "A link and one"),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("\\*no\\* [1] a[2](b c)", "*no* [1] a[2](b c)"),
    ],
)  # fmt: skip
def test_the_words_are_what_is_shown(written: str, words: str) -> None:
    """A heading path would show signs, or lose what only looks like them."""
    assert without_marks(written) == words


def test_a_label_makes_a_link_where_labels_are_asked_for() -> None:
    """Two citations side by side would be read as a link, or a heading keep its label."""
    assert without_marks("Third [A][ref]", labels=True) == "Third A"
    assert without_marks("So [1][2]") == "So [1][2]"
