"""Footnotes of a PDF page stand after the paragraph that has their mark, and no line is lost."""

import pytest

from tests.ingest.pdf_writer import lines, pdf, words
from tests.ingest.reading import read

_FIRST = ("The board met in the spring of the year to hear what had been done", "by its members.")
_SECOND = ("Nobody spoke against the plan, though two of the members asked how", "it is paid.")


def _column(x: int, y: int, texts: tuple[str, ...], size: int = 12) -> bytes:
    return b"".join(words(t, x=x, y=y - 16 * n, size=size) for n, t in enumerate(texts))


def _read(*parts: bytes) -> list[str]:
    return read("a.pdf", pdf([b"".join(parts)])).text.splitlines()


def _page(mark: str, *notes: str) -> list[str]:
    """Read a page of two paragraphs, the first with a raised mark, and notes at its foot."""
    return _read(
        _column(72, 700, _FIRST),
        words(mark, x=72 + 87, y=689, size=7),
        _column(72, 660, _SECOND),
        lines(notes, y=120, size=9),
    )


def test_a_footnote_follows_the_paragraph_that_has_its_mark() -> None:
    """A passage would lack what its author says of its words, a page away in the text."""
    found = _page("1", "1 The minutes are kept in the town hall,", "where anyone may read them.")
    note = found.index("1 The minutes are kept in the town hall,")
    assert found[note + 1 : note + 3] == ["where anyone may read them.", _SECOND[0]]
    assert found[note - 1].startswith(_FIRST[1])
    assert len(found) == len(set(found))


def test_a_note_at_the_foot_of_a_column_does_not_part_a_sentence() -> None:
    """The sentence that goes on in the next column would be cut in two by other words."""
    left = (
        "The board met in the spring of",
        "the year to hear what was done",
        "since then.",
        "Nobody spoke against the plan,",
        "though two of the members had",
    )
    right = ("asked how it would be paid for.", "To this there was no answer at", "all, then.")
    found = _read(
        _column(72, 700, left[:3]),
        words("2", x=72 + 62, y=673, size=7),
        _column(72, 652, left[3:]),
        _column(72, 600, ("2 The minutes are kept here.",), 9),
        _column(330, 700, right),
    )
    assert found.index(left[-1]) + 1 == found.index(right[0])
    assert found.index("2 The minutes are kept here.") < found.index(left[3])


@pytest.mark.parametrize(
    ("mark", "notes"),
    [
        ("3", ("1 The minutes are kept here.",)),
        ("1", ("1 The minutes are kept here.", "1 The plan is kept there.")),
        ("", ("1 The minutes are kept here.",)),
    ],
    ids=["another mark", "two of one mark", "none"],
)
def test_what_may_be_no_footnote_stays(mark: str, notes: tuple[str, ...]) -> None:
    """Small lines that begin with a number, as of a list, would be torn from their place."""
    assert _page(mark, *notes)[-len(notes) :] == list(notes)


def _interrupted(caption: tuple[str, ...], *, size: int = 9, before: str = _SECOND[0]) -> list[str]:
    """Read a page on which a figure with its caption stands between the lines of a paragraph."""
    return _read(
        _column(72, 700, (*_FIRST, before)),
        _column(72, 560, caption, size),
        _column(72, 480, (_SECOND[1], "That was all.")),
    )


@pytest.mark.parametrize(
    "label", ["Figure 3.", "Fig. 2:", "Abbildung 1:", "FIGURE IV -", "Chart A.1:"]
)
def test_the_caption_of_a_figure_does_not_part_a_sentence(label: str) -> None:
    """Neither the sentence nor the caption could be found or cited whole."""
    caption = (f"{label} The quay from the", "north, in the spring.")
    found = _interrupted(caption)
    place = found.index(_SECOND[0])
    assert found[place + 1 :] == [_SECOND[1], *caption, "That was all."]


def test_a_caption_that_begins_a_page_leaves_its_footnotes_alone() -> None:
    """Below a figure at the top of a page no footnote would find its paragraph."""
    caption = ("Figure 3. The quay from the", "north, in the spring.")
    found = _read(
        _column(72, 760, caption, 9),
        _column(72, 700, _FIRST),
        words("1", x=72 + 87, y=689, size=7),
        _column(72, 660, _SECOND),
        lines(("1 The minutes are kept here.",), y=120, size=9),
    )
    assert found[:2] == list(caption)
    assert found.index("1 The minutes are kept here.") < found.index(_SECOND[0])


@pytest.mark.parametrize(
    ("caption", "size", "before"),
    [
        (("Figure 3 shows how the quay", "looks in the spring."), 9, _SECOND[0]),
        (("Figure 3. The quay from the", "north, in the spring."), 12, _SECOND[0]),
        (("Figure 3. The quay from the", "north, in the spring."), 9, "It was agreed."),
    ],
    ids=["a sentence on a figure", "of the size of the text", "behind a paragraph"],
)
def test_what_parts_no_sentence_stays(caption: tuple[str, ...], size: int, before: str) -> None:
    """Words would be torn from their place."""
    found = _interrupted(caption, size=size, before=before)
    assert found.index(caption[0]) == found.index(before) + 1
