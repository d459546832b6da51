"""The text of OpenDocument files (OASIS OpenDocument 1.3, part 3) as blocks: paragraphs, headings,
lists, tables, notes and comments. What is said to be repeated is repeated a few times only, since
a file of a kilobyte may repeat for ever.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.spanned_cells import spanned
from rag_assistant.ingest.parsing.text_builder import BlockCell, BlockRow, TextBlock, table
from rag_assistant.ingest.parsing.xml_tree import attribute, child, local

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MOST_REPEATED = 50  # times that a row or cell with text is repeated
_LONGEST_REPEATED = 1000  # characters
_LEFT_OUT = frozenset(
    """
    tracked-changes sequence-decls variable-decls user-field-decls forms event-listeners
    automatic-styles font-face-decls ruby-text note-citation shapes-settings
    content-validations calculation-settings named-expressions database-ranges dde-links
    """.split()
)
_BESIDE = frozenset({"note", "annotation", "text-box", "table", "p", "h", "list"})
_SPACES = {"s": " ", "tab": " ", "line-break": "\n"}


def blocks_within(parent: "Element") -> Iterator[TextBlock]:
    """Give the blocks of all that is in an element."""
    for element in parent:
        yield from blocks_of(element)


def blocks_of(element: "Element", depth: int = -1) -> Iterator[TextBlock]:
    """Give the blocks of an element of the body; `depth` is that of the list it is in, from 0."""
    name = local(element)
    if name in ("p", "h"):
        yield from _paragraph(element, depth)
    elif name == "list":
        for inner in element:
            yield from _item(inner, depth + 1)
    elif name == "table":
        yield from _table(element)
    elif name == "annotation":
        yield comment_block(element)
    elif name not in _LEFT_OUT:
        for inner in element:
            yield from blocks_of(inner, depth)


def _item(item: "Element", depth: int) -> Iterator[TextBlock]:
    """Give a list's item: its first paragraph has the bullet, the next ones stay with it."""
    lines: list[str] = []
    for element in item:
        for block in blocks_of(element, depth):
            if block.kind == "paragraph":
                lines.append(block.text)
                continue
            if lines:
                yield TextBlock("\n".join(lines), "item", depth)
                lines = []
            yield block
    if lines:
        yield TextBlock("\n".join(lines), "item", depth)


def _paragraph(element: "Element", depth: int) -> Iterator[TextBlock]:
    words: list[str] = []
    beside: list[Element] = []
    _inline(element, words, beside)
    text = "".join(words)
    if local(element) == "h":
        level = attribute(element, "outline-level")
        yield TextBlock(text, "heading", int(level) if level in list("123456789") else 1)
    else:
        yield TextBlock(text)
    for inner in beside:
        name = local(inner)
        if name == "note":
            note = " ".join(block.text for block in blocks_within(inner)).strip()
            label = (attribute(inner, "note-class") or "note").capitalize()
            yield TextBlock(f"{label}: {note}" if note else "")
        elif name == "text-box":
            yield from blocks_within(inner)
        else:
            yield from blocks_of(inner, depth)


def _inline(parent: "Element", words: list[str], beside: "list[Element]") -> None:
    """Gather the text within a paragraph, and what stands beside it."""
    words.append(parent.text or "")
    for element in parent:
        name = local(element)
        if name in _BESIDE:
            beside.append(element)
        elif name in _SPACES:
            words.append(_SPACES[name])
        elif name in ("title", "desc") and local(parent) == "frame":
            pass  # of a picture, for those who cannot see it
        elif name not in _LEFT_OUT:
            _inline(element, words, beside)
        words.append(element.tail or "")


def _table(element: "Element") -> Iterator[TextBlock]:
    rows = []
    for row, head in rows_within(element):
        cells: list[BlockCell] = []
        column = 0
        for cell in row:
            if local(cell) in ("table-cell", "covered-table-cell"):
                blocks = list(blocks_within(cell))
                spans = (
                    spanned(cell, "number-columns-spanned"),
                    spanned(cell, "number-rows-spanned"),
                )
                for _ in range(times_shown(cell, "number-columns-repeated", blocks)):
                    cells.append(BlockCell(column, blocks, *spans))
                    column += 1
        every = [block for cell in cells for block in cell.blocks]
        rows.extend([BlockRow(cells, head)] * times_shown(row, "number-rows-repeated", every))
    yield from table(rows)


def rows_within(parent: "Element", *, head: bool = False) -> "Iterator[tuple[Element, bool]]":
    """Give the rows of a table, out of the groups and headers that they may be in, and whether each
    is one of heads.
    """
    for element in parent:
        name = local(element)
        if name == "table-row":
            yield element, head
        elif name in ("table-rows", "table-header-rows", "table-row-group"):
            yield from rows_within(element, head=head or name == "table-header-rows")


def times_shown(element: "Element", name: str, blocks: list[TextBlock]) -> int:
    """Give how often a cell or row of blocks is written.

    Only short ones are repeated, and none with a table within: repeats of repeats know no end.
    """
    long = sum(len(block.text) for block in blocks) > _LONGEST_REPEATED
    if long or any(block.kind in ("row", "gap") for block in blocks):
        return 1
    return min(times_repeated(element, name), _MOST_REPEATED)


def times_repeated(element: "Element", name: str) -> int:
    """Give how often a cell or row is said to be repeated, by the attribute of this name."""
    written = attribute(element, name)
    return int(written) if written.isdecimal() and len(written) < 10 else 1


def comment_block(annotation: "Element") -> TextBlock:
    """Give a comment with the name of who wrote it."""
    author = child(annotation, "creator")
    by = (author.text or "").strip() if author is not None else ""
    text = " ".join(block.text for block in blocks_within(annotation)).strip()
    label = f"Comment ({by})" if by else "Comment"
    return TextBlock(f"{label}: {text}" if text else "")
