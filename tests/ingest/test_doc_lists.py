"""Documents of Word 97 must show the numbers of clauses, lists and headings that Word shows."""

import struct
from pathlib import Path

import pytest

from scripts.benchmarks.ingest.known_files.ole import CELL, ROW_END, compound, word
from tests.ingest.doc_writer import (
    KINDS,
    LISTS,
    STYLES,
    changes,
    formatted,
    kinds,
    level,
    lists,
    starts_at,
    styled,
    styles,
    with_parts,
)
from tests.ingest.reading import outline, read

pytest.importorskip("olefile")

DOCUMENTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "documents" / "office"
LEGAL = [
    level("\0."),
    level("\0.\1"),
    level("(\2)", 4),
    level("(\3)", 2),
    *[level("\4") for _ in range(5)],
]


def document(paragraphs: list[tuple[str, bytes]], **parts: tuple[bytes, int]) -> bytes:
    """Write a document of paragraphs with their properties."""
    tree = word(["".join(text for text, _ in paragraphs)], [shape for _, shape in paragraphs])
    places = {"styles": STYLES, "kinds": KINDS, "lists": LISTS}
    return compound(with_parts(tree, {places[name]: part for name, part in parts.items()}))


def test_headings_and_clauses_have_the_numbers_that_word_shows() -> None:
    """ "What does clause 2.1 say?" would find nothing in an old contract."""
    written = [
        ("Scope\r", styled(1)),
        ("The goods.\r", styled(2)),
        ("Price\r", styled(1)),
        ("Payment is due.\r", styled(3)),
        ("in euros;\r", styled(0, changes(1, 2))),
        ("by transfer\r", styled(0, changes(1, 3))),
        ("or by cheque.\r", styled(0, changes(1, 2))),
        ("Late:\t5 %.\r", styled(2)),
        ("each month.\r", styled(0, changes(1, 2))),
        ("Unnumbered.\r", styled(2, changes(0))),
        ("Indents of its own.\r", styled(2, changes(0x10000 - 1))),
        ("Gone on.\r", styled(2, changes(0xF801))),
    ]
    data = document(
        written,
        styles=styles(
            (0, 0xFFF, b""),
            (1, 0, changes(1)),  # the heading of the first level
            (0xFFE, 0, changes(1, 1)),
            (0xFFE, 2, b""),
        ),
        kinds=kinds((77, LEGAL)),
        lists=lists((77, [])),
    )
    found = read("a.doc", data)
    assert found.text == (
        "1. Scope\n\n  1.1 The goods.\n\n2. Price\n\n  2.1 Payment is due.\n    (a) in euros;\n"
        "      (i) by transfer\n    (b) or by cheque.\n  2.2 Late: 5 %.\n    (a) each month.\n\n"
        "Unnumbered.\n\n  2.3 Indents of its own.\n\nGone on."
    )
    assert outline(found) == [(1, "1. Scope"), (1, "2. Price")]


def test_lists_go_on_and_start_again_as_they_say() -> None:
    """Numbers would differ from those on paper, and an answer would cite the wrong clause."""
    articles = [
        level("Art. \0", 1),
        level("\0.\1", flags=0x04),  # all in digits
        level("\2", flags=0x08, limit=1),  # starts anew after the first level only
        *[level("\3") for _ in range(6)],
    ]
    items = [
        (1, 0, "1."), (2, 0, "2."), (3, 0, "1."), (3, 0, "2."), (4, 0, "5."), (1, 0, "6."),
        (5, 0, "I)"), (5, 0, "II)"), (6, 0, "-"), (7, 0, "Art. I"), (7, 1, "1.1"), (7, 2, "1"),
        (7, 1, "1.2"), (7, 2, "2"), (7, 0, "Art. II"), (7, 2, "1"), (9, 0, "-"), (1, 99, "-"),
    ]  # fmt: skip
    data = document(
        [(f"x{at}\r", styled(0, changes(*item[:2]))) for at, item in enumerate(items)],
        kinds=kinds((1, LEGAL), (2, [level("\xb7", 23)]), (3, articles)),
        lists=lists(
            *((1, []), (1, []), (1, [starts_at(1)]), (1, [starts_at(5)])),
            *((1, [formatted(0, level("\0)", 1))]), (2, []), (3, [])),
        ),
    )
    lines = read("a.doc", data).text.split("\n")
    assert [line.strip().rpartition(" ")[0] for line in lines] == [mark for _, _, mark in items]


def test_a_table_shows_the_numbers_of_its_cells() -> None:
    """A first column that Word numbers by itself would be empty."""
    cell = CELL + changes(1)
    data = document(
        [
            *(("\x07", cell), ("One\x07", CELL), ("\x07", ROW_END)),
            *(("a\r", cell), ("b\x07", cell), ("Two\x07", CELL), ("\x07", ROW_END)),
        ],
        kinds=kinds((1, [level("\0.")])),
        lists=lists((1, [])),
    )
    assert read("a.doc", data).text == "1. | One\n2. a 3. b | Two"


def test_damaged_lists_cost_the_numbers_only() -> None:
    """One wrong byte would cost a whole letter, or its numbers be lost without a word."""
    content, size = kinds((1, LEGAL))
    for broken in (content[:40], struct.pack("<H", 0xFFFF) + content[2:]):
        data = document(
            [("Letter\r", styled(0, changes(1)))], lists=lists((1, [])), kinds=(broken, size)
        )
        found = read("a.doc", data)
        assert found.text == "- Letter"
        assert found.metadata["unreadable"] == "the numbers of lists"


def test_a_document_that_word_wrote_shows_the_numbers_that_libreoffice_shows() -> None:
    """What Word writes in its own way would be read as our tests write it only."""
    path = DOCUMENTS / "testWORD_numbered_list.doc"
    if not path.exists():
        pytest.skip("the collection is not here")
    text = read("a.doc", path.read_bytes()).text
    for shown in (
        "1) This\n  a) Is\n    i) A multi\n    ii) Level",
        "1. Within cell 1 a. Cell a b. Cell b",
        "    iii) List\n2) foo\n    i) bar\n    ii) baz",
        "6. six\n7. seven\n  a. seven a\ne. seven e\nf. seven f",
        "A. A\n    i. A i\n    ii. A ii\n        a. A ii a\n        b. A ii b\n      2. A ii 2",
        "Some-2-CrazyFormat Greek numbering",
        "    1.1.1. 1.1.1\n  1.1. 1.2->1.1",
        "1. Footnote list 1\n2. Footnote list 2\n  a. Footnote list 2a",
    ):
        assert shown in text
