"""The tables that office documents and sheets make of their rows."""

from rag_assistant.ingest.parsing.text_builder import (
    BlockCell,
    BlockRow,
    TextBlock,
    TextBuilder,
    row_block,
    table,
)
from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Document

_ROWS = [["", "2024", "2023"], ["Net sales", "97,470", ""], ["Net income", "", "227"]]


def written(rows: list[list[str]]) -> Document:
    """Write rows as the table of a document, between two paragraphs."""
    builder = TextBuilder(10**6)
    builder.write([TextBlock("Before.")])
    cells = ([BlockCell(n, [TextBlock(text)]) for n, text in enumerate(row)] for row in rows)
    builder.write(table(map(BlockRow, cells)))
    builder.write([TextBlock("Behind.")])
    return builder.document("text/plain", {})


def test_cells_are_known_with_their_heads_where_they_stand() -> None:
    """A value would be of another column where the cells before it are empty."""
    document = written(_ROWS)
    (found,) = document.tables
    assert all(document.text[cell.start : cell.end] == cell.text for cell in found.cells)
    said = [(found.label_of(c.row), found.heads_of(c.column), c.text) for c in found.cells if c.row]
    assert (("Net sales",), ("2024",), "97,470") in said
    assert (("Net income",), ("2023",), "227") in said


def test_rows_of_values_alone_have_no_heads() -> None:
    """The first row's values would be said to name those below."""
    (found,) = written([["1", "2"], ["3", "4"], ["5", "6"]]).tables
    assert not found.heads


def test_a_sheet_of_many_rows_says_its_heads_in_each_passage() -> None:
    """A row far down would not say what its numbers are."""
    builder = TextBuilder(10**6)
    builder.write([row_block(enumerate(("Town", "Area", "Tax")))])
    builder.write(row_block(enumerate((f"Town {n}", str(n), str(2 * n)))) for n in range(9_000))
    document = builder.document("text/plain", {})
    _, *others = split(document)
    assert {passage.location.heading for passage in others} == {"[Town | Area | Tax]"}
