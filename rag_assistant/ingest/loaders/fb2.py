"""E-books of FictionBook 2 (.fb2, also zipped): the chapters with their titles, poems and notes,
and what the book says of itself. Pictures are passed over.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.markup.xml_tree import all_text, attribute, child, local, parse
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.tables.spanned_cells import spanned
from rag_assistant.ingest.parsing.text_builder import (
    BlockCell,
    BlockRow,
    TextBlock,
    TextBuilder,
    table,
)
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MEDIA_TYPE = "application/x-fictionbook+xml"
_LINES = frozenset({"p", "v", "text-author", "date"})
_HOLDERS = frozenset({"section", "epigraph", "annotation", "cite", "poem", "stanza"})
_NAMES = ("first-name", "middle-name", "last-name")


def load(source: LoadInput) -> list[Document]:
    """Read a book. Raises LoadError for a zip without one."""
    root = _root(source)
    if root is None:
        raise ReadAs(".txt")
    if local(root) != "FictionBook":
        raise ReadAs(".xml")
    builder = TextBuilder(source.most)
    for body in root:
        if local(body) == "body":
            builder.write(_blocks(body, 1))
    return [builder.document(_MEDIA_TYPE, _metadata(root), titled_by_heading=False)]


def _root(source: LoadInput) -> "Element | None":
    """Parse the book, unpacked if it is zipped; None for what is broken, and can be text."""
    if source.data.startswith(b"PK"):
        container = ZipContainer(source.data)
        books = [name for name in container.names() if name.lower().endswith(".fb2")]
        if not books:
            raise LoadError("no e-book in it", hint="Check its suffix.")
        return parse(container.read(books[0]), books[0])
    try:
        return parse(source.data, source.path)
    except LoadError:
        return None


def _blocks(holder: "Element", level: int) -> Iterator[TextBlock]:
    # As deep as the parser lets XML be, which is less than calls may nest.
    for element in holder:
        name = local(element)
        if name == "title":
            lines = (all_text(line) for line in element if local(line) == "p")
            yield TextBlock(" ".join(filter(None, lines)) or all_text(element), "heading", level)
        elif name == "subtitle":
            yield TextBlock(all_text(element), "heading", level + 1)
        elif name in _LINES:
            yield TextBlock(all_text(element), "row" if name == "v" else "paragraph")
        elif name == "table":
            yield from table(_row(row) for row in element if local(row) == "tr")
        elif name in _HOLDERS:
            yield from _blocks(element, level + (name == "section" and local(holder) != "body"))


def _row(row: "Element") -> BlockRow:
    cells: list[BlockCell] = []
    column = 0
    for cell in row:
        wide = spanned(cell, "colspan")
        blocks = [TextBlock(all_text(cell))]
        cells.append(BlockCell(column, blocks, wide, spanned(cell, "rowspan")))
        column += wide
    return BlockRow(cells, head=bool(cells) and all(local(cell) == "th" for cell in row))


def _metadata(root: "Element") -> dict[str, str]:
    """Read what the title page says (`title-info`)."""
    info = child(root, "description", "title-info")
    found: dict[str, str] = {}
    authors: list[str] = []
    for element in info if info is not None else ():
        name, text = local(element), all_text(element)
        if name == "author":
            parts = (child(element, part) for part in _NAMES)
            authors.append(" ".join(all_text(part) for part in parts if part is not None) or text)
        elif name == "book-title":
            found["title"] = text
        elif name == "date":
            found["date"] = attribute(element, "value") or text
        elif name == "lang":
            found["language"] = text
        elif name == "annotation":
            found["description"] = text
    return tidy({**found, "author": ", ".join(filter(None, authors))})


LOADER = Loader("fb2", 1, frozenset({".fb2", ".fb2.zip", ".fbz"}), _MEDIA_TYPE, load)
