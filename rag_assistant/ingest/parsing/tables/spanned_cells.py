"""How many columns and rows the cells of documents' tables span, as their formats say it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child
from rag_assistant.ingest.parsing.text_builder import BlockCell, BlockRow, TextBlock

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_SPANNED = 1000
"""Columns or rows that a cell may span, as browsers limit it."""


def spanned(cell: "Element", name: str) -> int:
    """Give how many columns or rows a cell spans, by the attribute of this name."""
    return _count(attribute(cell, name))


def _count(written: str) -> int:
    sound = written.isdecimal() and written.isascii() and len(written) < 10
    return min(max(int(written), 1), MOST_SPANNED) if sound else 1


def word_rows(
    rows: "Iterable[tuple[Element, Iterable[Element]]]",
    blocks_of: "Callable[[Element], list[TextBlock]]",
) -> Iterator[BlockRow]:
    """Give the rows of a table of WordprocessingML, given each with its cells.

    A cell that goes on from the row above (`vMerge`, ECMA-376-1, 17.4.84) is that of the row above.
    """
    found: list[BlockRow] = []
    above: dict[int, tuple[list[BlockCell], int]] = {}  # by column: the row's cells, and which
    for row, cells in rows:
        head = child(row, "trPr", "tblHeader") is not None
        here: list[BlockCell] = []
        column = _number(child(row, "trPr", "gridBefore"))
        for cell in cells:
            blocks = blocks_of(cell)
            wide = _count(_value(child(cell, "tcPr", "gridSpan")))
            merge = child(cell, "tcPr", "vMerge")
            goes_on = merge is not None and _value(merge) != "restart" and column in above
            if goes_on and not any(block.text.strip() for block in blocks):
                holder, number = above[column]
                holder[number] = holder[number]._replace(rows=holder[number].rows + 1)
            else:
                above[column] = here, len(here)
                here.append(BlockCell(column, blocks, wide))
            column += wide
        found.append(BlockRow(here, head))
    yield from found


def _value(element: "Element | None") -> str:
    return attribute(element, "val") if element is not None else ""


def _number(element: "Element | None") -> int:
    written = _value(element)
    return min(int(written), MOST_SPANNED) if written.isdecimal() and len(written) < 10 else 0
