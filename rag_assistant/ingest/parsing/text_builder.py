"""What loaders find in a document, on its way to text: blocks go in, and a `Document` with
headings, lists, tables and pages comes out, of a bounded number of characters.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag_assistant.ingest.parsing.row_tables import RowCell, RowTables
from rag_assistant.ingest.room import span
from rag_assistant.values.documents import Document, Heading, PageStart

_LONGEST_TITLE = 200
_LONGEST_CELL = 1000  # characters; what is longer is a text laid out by a table
_BAR, _EMPTY = " | ", "| "  # between cells, and what an empty one is written as
_WIDEST_GAP = 8  # empty cells that are shown, so that columns stay in line


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, or one of `kind` "heading", "item" (of a list), "row" (of a table), "gap".

    `level` is that of the heading, 1 the highest, or the depth of the item, from 0. A gap has no
    text and keeps what is before it apart from what is after. `cells` are those of a row.
    """

    text: str
    kind: str = "paragraph"
    level: int = 0
    cells: tuple[RowCell, ...] = ()


def table(rows: Iterable[list[list[TextBlock]]]) -> Iterator[TextBlock]:
    """Give a table, each cell of which is a list of blocks, as lines; one of layout as its blocks.

    A table is one of layout when it holds headings, rows of another table, or long texts.
    """
    kept = [row for row in rows if any(block.text for cell in row for block in cell)]
    cells = [cell for row in kept for cell in row]
    layout = len(cells) == 1 or any(_is_laid_out(cell) for cell in cells)
    yield TextBlock("", "gap")
    for row in kept:
        if layout:
            for cell in row:
                yield from cell
        else:
            texts = [" ".join(block.text for block in cell) for cell in row]
            yield row_block(enumerate(texts))
    yield TextBlock("", "gap")


def _is_laid_out(cell: list[TextBlock]) -> bool:
    if any(block.kind in ("heading", "row") for block in cell):
        return True
    return sum(len(block.text) for block in cell) > _LONGEST_CELL


def row_block(cells: Iterable[tuple[int, str]], first: int = 0) -> TextBlock:
    """Join the cells of a row, each with its column's number; columns count from `first`.

    Few empty cells in a row are kept as such, so that columns stay in line; many are not.
    """
    parts: list[str] = []
    places: list[RowCell] = []
    column, length = first, 0
    for number, text in cells:
        words = " ".join(text.split())
        if words:
            gap = number - column
            empty = gap if 0 < gap <= _WIDEST_GAP else 0
            parts.extend([""] * empty)
            length += len(_EMPTY) * empty
            places.append((number - first, length, length + len(words)))
            parts.append(words)
            length += len(words) + len(_BAR)
            column = number + 1
    return TextBlock(" ".join(_BAR.join(parts).split()), "row", cells=tuple(places))


class TextBuilder:
    """A document's text as it grows to `most` characters, with its headings and pages.

    What is written behind these is counted, up to as many again.
    """

    def __init__(self, most: int) -> None:
        self.left_out: list[str] = []
        """What a loader did not even write because it is full, in words."""
        self._most = most
        self._beyond = 0
        self.headings: list[Heading] = []
        self.full = False
        self._pages: list[PageStart] = []
        self._parts: list[str] = []
        self._length = 0
        self._before = "gap"
        self._tables = RowTables()

    @property
    def empty(self) -> bool:
        """Say whether nothing has been written."""
        return not self._length

    def page(self, number: int) -> None:
        """Begin a page, slide or sheet; it starts where its first text will."""
        if self._pages and self._pages[-1].start > self._length:
            self._pages.pop()  # the page before was empty, and two cannot start at one place
        self._before = "gap"
        start = self._length + (2 if self._length else 0)
        if not self._pages or self._pages[-1].start != start:
            self._pages.append(PageStart(start, number))

    def write(self, blocks: Iterable[TextBlock]) -> None:
        """Write blocks; past the limit of characters they are only counted."""
        for block in blocks:
            if not self.full:
                self._write(block)
            elif self._beyond <= self._most:
                self._beyond += len(block.text) + 1
            else:
                return

    def write_sheet(self, name: str, blocks: Iterable[TextBlock]) -> None:
        """Write the blocks of a sheet; the rows that do not fit are counted."""
        written = left = 0
        for block in blocks:
            if self.full:
                left += block.kind == "row"
            else:
                self._write(block)
                written += block.kind == "row"
        if left:
            self.left_out.append(f"sheet {name}: {span('row', written + 1, written + left)}")

    def append(self, text: str, headings: Iterable[Heading] = ()) -> None:
        """Write a text that has its lines and headings already."""
        start = self._put(text, 2)
        self._before = "paragraph"
        self.headings.extend(
            Heading(start + heading.start, heading.level, heading.title)
            for heading in headings
            if heading.start + len(heading.title) <= self._length - start
        )

    def document(
        self, media_type: str, metadata: dict[str, str], *, titled_by_heading: bool = True
    ) -> Document:
        """Give the document. Its title is that of the metadata, else its first highest heading."""
        values = dict(metadata)
        named = values.pop("title", "")
        if not named and titled_by_heading and self.headings:
            named = min(self.headings, key=lambda heading: heading.level).title
        pages = tuple(page for page in self._pages if page.start < self._length)
        return Document(
            "".join(self._parts),
            media_type,
            title=named,
            headings=tuple(self.headings),
            pages=pages,
            metadata=values,
            left_out="; ".join(self.left_out or self._counted()),
            tables=self._tables.tables(),
        )

    def _counted(self) -> Iterator[str]:
        if self._beyond:
            more = " and more" if self._beyond > self._most else ""
            yield span("character", self._length + 1, self._length + self._beyond) + more

    def _write(self, block: TextBlock) -> None:
        lines = [" ".join(line.split()) for line in block.text.split("\n")]
        kept = [line for line in lines if line]
        if not kept:
            self._before = "gap" if block.kind == "gap" else self._before
            return
        close = block.kind == self._before and block.kind in ("item", "row")
        if block.kind == "heading":
            line = " ".join(kept)
            start = self._put(line, 2)
            if not self.full:
                self.headings.append(Heading(start, max(block.level, 1), line[:_LONGEST_TITLE]))
        elif block.kind == "item":
            indent = "  " * min(block.level, 8)
            self._put(f"{indent}- " + f"\n{indent}  ".join(kept), 1 if close else 2)
        else:
            start = self._put("\n".join(kept), 1 if close else 2)
            if block.cells and not self.full:
                self._tables.add(start, kept[0], block.cells, follows=close)
        self._before = block.kind

    def _put(self, text: str, gap: int) -> int:
        if self._length:
            self._parts.append("\n" * gap)
            self._length += gap
        start = self._length
        room = max(self._most - start, 0)
        if len(text) > room:
            self._beyond += len(text) - room
            text = text[:room]
            self.full = True
        self._parts.append(text)
        self._length += len(text)
        return start
