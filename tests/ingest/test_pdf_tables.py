"""Tables of PDF pages: what they become in the text, their heads and labels, and what is none."""

import time
from collections.abc import Sequence

import pytest

from rag_assistant.ingest.loaders.pdf import load
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Document
from rag_assistant.values.tables import DocumentTable
from tests.ingest.pdf_writer import lines, pdf, words

_BEFORE = lines(
    ["The board met in the spring to hear what had been done since it last met."], y=740
)
_BEHIND = lines(
    ["In reply it was said that a part of the sum had been promised by the town."], y=560
)
_ACCOUNTS = (
    ("", "2024", "2023"),
    ("Net sales", "97,470", "89,301"),
    ("Cost of sales", "(54,287)", "(50,112)"),
    ("Net income", "1,310", "227"),
)


def read(*pages: bytes) -> Document:
    """Read pages of the contents given."""
    return load(LoadInput("a.pdf", pdf(pages), {}, 10**8))[0]


def placed(rows: Sequence[Sequence[str]], *, y: int = 700, step: int = 110) -> bytes:
    """Show the cells of rows at their places, 16 points from row to row."""
    return b"".join(
        words(cell, x=80 + step * column, y=y - 16 * number, size=10)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell
    )


def ruled(rows: int, columns: int, *, y: int = 712, outer: bool = True, step: int = 110) -> bytes:
    """Draw the rules of a lattice of cells around what `placed` shows."""
    bottom, right = y - 16 * rows, 76 + step * columns
    levels = range(rows + 1) if outer else range(1, rows)
    uprights = range(columns + 1) if outer else range(1, columns)
    drawn = [f"76 {y - 16 * n} m {right} {y - 16 * n} l S\n" for n in levels]
    drawn += [f"{76 + step * n} {y} m {76 + step * n} {bottom} l S\n" for n in uprights]
    return "".join(drawn).encode()


def values(table: DocumentTable) -> list[tuple[str, str, str]]:
    """Give the label, the head and the words of each value."""
    return [
        (" > ".join(table.label_of(cell.row)), " ".join(table.heads_of(cell.column)), cell.text)
        for cell in table.cells
        if cell.row >= table.heads and cell.column
    ]


_KNOWN = [
    (row[0], head, cell)
    for row in _ACCOUNTS[1:]
    for head, cell in zip(_ACCOUNTS[0][1:], row[1:], strict=True)
]


@pytest.mark.parametrize("outer", [True, False])
def test_a_ruled_table_is_read_with_heads_and_labels(outer: bool) -> None:
    """Cells bounded by rules would be mixed up, or be lost where the outer edges are not drawn."""
    document = read(_BEFORE + placed(_ACCOUNTS) + ruled(4, 3, outer=outer) + _BEHIND)
    (table,) = document.tables
    assert values(table) == _KNOWN
    assert "| Net sales | 97,470 | 89,301 |" in document.text.split("\n")


def test_an_unruled_block_of_numbers_is_read_with_heads_and_labels() -> None:
    """Years over columns of numbers would be read as a row of values, or not belong to them."""
    (table,) = read(_BEFORE + placed(_ACCOUNTS) + _BEHIND).tables
    assert values(table) == _KNOWN


def test_a_head_over_several_columns_is_said_of_each() -> None:
    """A value would not say of which period it is."""
    rows = [("", "2024", "2023", "2024", "2023"), *[("Sales", "97", "89", "12", "34")] * 3]
    heads = words("Three months", x=205, y=716, size=10) + words(
        "Nine months", x=425, y=716, size=10
    )
    (table,) = read(heads + placed(rows)).tables
    assert [" ".join(table.heads_of(column)) for column in range(1, 5)] == [
        "Three months 2024",
        "Three months 2023",
        "Nine months 2024",
        "Nine months 2023",
    ]


def test_a_label_over_two_lines_is_one() -> None:
    """Half of a label would name the values."""
    rows = [_ACCOUNTS[0], ("Proceeds of",), ("common stock", "1", "2"), *_ACCOUNTS[1:]]
    (table,) = read(placed(rows)).tables
    assert ("Proceeds of common stock", "2024", "1") in values(table)


def test_a_section_names_the_rows_below_it() -> None:
    """Rows of the same name in two sections could not be told apart."""
    rows = [_ACCOUNTS[0], ("Europe:",), *_ACCOUNTS[1:3], ("Asia:",), *_ACCOUNTS[1:3]]
    (table,) = read(placed(rows)).tables
    assert ("Europe: > Net sales", "2024", "97,470") in values(table)
    assert ("Asia: > Net sales", "2024", "97,470") in values(table)


def test_cells_stand_where_the_table_says() -> None:
    """A citation of a cell would open other words."""
    rows = [("Name", "Kind", "Note"), ("Pipe | bar", "a", "b"), ("Pump", "c", "d")]
    document = read(_BEFORE + placed(rows) + ruled(3, 3) + _BEHIND)
    (table,) = document.tables
    assert all(
        document.text[cell.start : cell.end].replace("\\|", "|") == cell.text
        for cell in table.cells
    )
    assert document.text[table.start : table.end].count("\n") == 3


def test_the_text_around_a_table_keeps_its_place() -> None:
    """Words would be lost, be said twice, or move from behind a table to before it."""
    text = read(_BEFORE + placed(_ACCOUNTS) + ruled(4, 3) + _BEHIND).text
    assert text.index("The board met") < text.index("| Net sales") < text.index("In reply")
    assert text.count("97,470") == 1


@pytest.mark.parametrize(("above", "below"), [(720, 0), (0, 600)])
def test_a_table_has_the_caption_above_or_below_it(above: int, below: int) -> None:
    """Nobody would know what the figures of a passage from its middle are about."""
    said = words("Table 3: Sales of the year, in millions", y=above or below)
    content = placed(_ACCOUNTS, y=690) + ruled(4, 3, y=702)
    (table,) = read(said + content if above else content + said).tables
    assert table.caption == "Table 3: Sales of the year, in millions"
    assert table.units == "in millions"


def test_a_table_over_two_pages_keeps_its_heads() -> None:
    """The values of the second page would have no heads."""
    first = placed(_ACCOUNTS) + ruled(4, 3)
    second = placed(_ACCOUNTS[1:]) + ruled(3, 3)
    one, two = read(first, second).tables
    assert not one.continued
    assert two.continued
    assert values(two) == _KNOWN


def test_a_table_that_only_looks_alike_has_its_own_heads() -> None:
    """The heads of a table would be said of another one, which begins the next page."""
    first = placed(_ACCOUNTS) + ruled(4, 3)
    second = _BEFORE + _BEHIND.replace(b"560", b"726") + placed(_ACCOUNTS) + ruled(4, 3)
    _, two = read(first, second).tables
    assert not two.continued


def test_passages_of_a_table_page_are_its_text() -> None:
    """Passages that are not contiguous would lose a part of a table."""
    document = read(_BEFORE + placed([_ACCOUNTS[0], *_ACCOUNTS[1:] * 11]) + _BEHIND)
    assert "".join(passage.text for passage in split(document)) == document.text


def test_a_passage_from_the_middle_of_a_table_says_its_heads() -> None:
    """A search for a year would not find the rows, and none of them would say of when it is."""
    document = read(_BEFORE + placed([_ACCOUNTS[0], *_ACCOUNTS[1:] * 12]))
    (table,) = document.tables
    passages = split(document, target=200, longest=300)
    within = [passage for passage in passages if passage.location.start > table.start]
    assert len(within) > 3
    assert {passage.location.heading for passage in within} == {"[| 2024 | 2023]"}
    assert all(passage.text.startswith("| ") for passage in within)


_LIST = [f"{number}.   Bring the form to the desk and wait there" for number in range(1, 9)]
_CONTENTS = [
    f"{number} Of the things that are lent . . . . . . . . {number * 3}" for number in range(1, 9)
]


@pytest.mark.parametrize("texts", [_LIST, _CONTENTS, [*_LIST, "In 2019 it was 12 of 40."]])
def test_lists_and_contents_are_no_tables(texts: list[str]) -> None:
    """Prose would be cut into cells."""
    assert not read(lines(texts)).tables


def test_two_columns_of_prose_are_no_table() -> None:
    """The lines of two columns would be read across, as rows."""
    left = "the board met in the spring to hear what"
    right = "had been done since then and was told of"
    page = b"".join(
        words(text, x=x, y=740 - 13 * line, size=10)
        for line in range(40)
        for x, text in ((60, left), (320, right))
    )
    assert not read(page).tables


def test_a_framed_text_is_no_table() -> None:
    """A text in a box would be a cell."""
    assert not read(
        lines(["Note that this is", "a text in a box", "of three lines"]) + ruled(4, 1)
    ).tables


_MANY = 100_000


@pytest.mark.parametrize(
    "drawn",
    [
        b"".join(
            b"%d %d m %d %d l S\n" % (n % 600, n % 780, n % 600 + 50, n % 780) for n in range(_MANY)
        ),
        b"".join(
            b"%d %d m %d %d l\n" % (n % 600, n % 780, n % 600 + 50, n % 780) for n in range(_MANY)
        )
        + b"S\n",
        b"".join(b"0 %.2f m 600 %.2f l S\n" % (n / 4, n / 4) for n in range(2_500)),
        b"".join(
            words(f"{n % 97}", x=n * 3, y=600 - 13 * row, size=2)
            for row in range(2)
            for n in range(10_000)
        ),
        b"".join(
            b"%d %d 9 9 re f\n" % (n * 7 % 600, n * 11 % 780)
            + (words(f"{n}", x=n * 7 % 600, y=n * 11 % 780, size=3) if n % 20 == 0 else b"")
            for n in range(50_000)
        ),
        b"".join(b"%d %d 1 1 re f\n" % (n % 600, n % 780) for n in range(1_900)),
        b"".join(
            b"%d %d %d %d re S\n" % (10 + n / 8, 10 + n / 8, 580 - n / 4, 760 - n / 4)
            for n in range(1_200)
        ),
        b"1e38 0 0 1e38 1e38 1e38 cm 0 0 m 1e38 1e38 l S "
        + words("huge")
        + b"0 0 0 0 0 0 cm "
        + words("nil"),
    ],
    ids=[
        *("rules", "one path", "lattice", "columns", "many fills", "tiny fills", "nested frames"),
        "no numbers",
    ],
)
@pytest.mark.soak
def test_what_no_page_shows_takes_no_time(drawn: bytes) -> None:
    """A page of a hostile file would hold a reader for minutes."""
    started = time.process_time()
    document = read(placed(_ACCOUNTS) + drawn)
    assert "Net sales" in document.text
    assert time.process_time() - started < 10
