"""What loaders find in a document, on its way to text: blocks go in, and a `Document` with
headings, lists, tables and pages comes out, of a bounded number of characters.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rag_assistant.ingest.parsing.tables.row_tables import RowCell, RowTables
from rag_assistant.ingest.room import span
from rag_assistant.text.table_rows import BAR
from rag_assistant.values.documents import Document, Heading, PageStart
from rag_assistant.values.tables import DocumentTable

_LONGEST_TITLE = 200
_LONGEST_CELL = 1000  # characters; what is longer is a text laid out by a table
_EMPTY = "| "  # what an empty cell is written as
_WIDEST_GAP = 8  # empty cells that are shown, so that columns stay in line


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, or one of `kind` "heading", "item" (of a list), "row" (of a table), "picture"
    (what is said of it), "caption" (of the rows after it), "caption below" (of those before it),
    "gap".

    `level` is that of the heading, 1 the highest, or the depth of the item, from 0. A gap has no
    text and keeps what is before it apart from what is after. `mark` is the number that a heading
    or item shows. `cells` are those of a row, `head` says that the document calls it one of heads.
    """

    text: str
    kind: str = "paragraph"
    level: int = 0
    mark: str = ""
    cells: tuple[RowCell, ...] = ()
    head: bool = False

    @property
    def shown(self) -> str:
        """The words with the number before them, as they stand on paper."""
        return f"{self.mark} {self.text}".strip() if self.mark else self.text


class BlockCell(NamedTuple):
    """A cell of a table: the blocks in it, its first column from 0, how many it spans."""

    column: int
    blocks: list[TextBlock]
    columns: int = 1
    rows: int = 1

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(block.shown for block in self.blocks)


@dataclass(slots=True)
class BlockRow:
    """A row of a table; `head`: the document calls it one of heads."""

    cells: list[BlockCell]
    head: bool = False


def table(rows: Iterable[BlockRow]) -> Iterator[TextBlock]:
    """Give a table as lines; one of layout as the blocks of its cells.

    A table is one of layout when it holds headings, rows of another table, or long texts.
    """
    kept = [row for row in rows if any(block.shown for cell in row.cells for block in cell.blocks)]
    cells = [cell.blocks for row in kept for cell in row.cells]
    layout = len(cells) == 1 or any(_is_laid_out(cell) for cell in cells)
    yield TextBlock("", "gap")
    for row in kept:
        if layout:
            for cell in row.cells:
                yield from cell.blocks
        else:
            spans = {cell.column: (cell.columns, cell.rows) for cell in row.cells}
            texts = ((cell.column, cell.text) for cell in row.cells)
            yield row_block(texts, spans=spans, head=row.head)
    yield TextBlock("", "gap")


def _is_laid_out(cell: list[TextBlock]) -> bool:
    if any(block.kind in ("heading", "row") for block in cell):
        return True
    return sum(len(block.text) for block in cell) > _LONGEST_CELL


def row_block(
    cells: Iterable[tuple[int, str]],
    first: int = 0,
    *,
    spans: Mapping[int, tuple[int, int]] | None = None,
    head: bool = False,
) -> TextBlock:
    """Join the cells of a row, each with its column's number; columns count from `first`.

    Few empty cells in a row are kept as such, so that columns stay in line; many are not. `spans`
    are the columns and rows of those that span several, by their first column.
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
            spanned = spans.get(number, (1, 1)) if spans else (1, 1)
            places.append(RowCell(number - first, length, length + len(words), *spanned))
            parts.append(words)
            length += len(words) + len(BAR)
            column = number + 1
    return TextBlock(" ".join(BAR.join(parts).split()), "row", cells=tuple(places), head=head)


def _start(table: DocumentTable) -> int:
    return table.start


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
        self._marks: dict[int, str] = {}  # the numbers of headings, by their starts
        self._pages: list[PageStart] = []
        self._section_ends: list[int] = []
        self._parts: list[str] = []
        self._length = 0
        self._before = "gap"
        self._caption = ""  # what was written last, if it is the caption of rows to come
        self._tables = RowTables()
        self._appended: list[DocumentTable] = []

    @property
    def empty(self) -> bool:
        """Say whether nothing has been written."""
        return not self._length

    def page(self, number: int) -> None:
        """Begin a page, slide or sheet; it starts where its first text will."""
        if self._pages and self._pages[-1].start > self._length:
            self._pages.pop()  # the page before was empty, and two cannot start at one place
        start = self.end_section()
        if not self._pages or self._pages[-1].start != start:
            self._pages.append(PageStart(start, number))

    def end_section(self) -> int:
        """Let what comes be under none of the headings so far; give where it will start."""
        self._before = "gap"
        start = self._length + (2 if self._length else 0)
        self._section_ends.append(start)
        return start

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

    def append(
        self,
        text: str,
        headings: Iterable[Heading] = (),
        tables: Iterable[DocumentTable] = (),
    ) -> None:
        """Write a text that has its lines, headings and tables already."""
        start = self._put(text, 2)
        self._before = "paragraph"
        self.headings.extend(
            Heading(start + heading.start, heading.level, heading.title)
            for heading in headings
            if heading.start + len(heading.title) <= self._length - start
        )
        self._appended.extend(
            table.moved(start) for table in tables if table.end <= self._length - start
        )

    def document(
        self, media_type: str, metadata: dict[str, str], *, titled_by_heading: bool = True
    ) -> Document:
        """Give the document. Its title is that of the metadata, else its first highest heading."""
        values = dict(metadata)
        named = values.pop("title", "")
        if not named and titled_by_heading and self.headings:
            highest = min(self.headings, key=lambda heading: heading.level)
            named = highest.title.removeprefix(self._marks.get(highest.start, "")).strip()
        pages = tuple(page for page in self._pages if page.start < self._length)
        return Document(
            "".join(self._parts),
            media_type,
            title=named,
            headings=tuple(self.headings),
            pages=pages,
            metadata=values,
            left_out="; ".join(self.left_out or self._counted()),
            section_ends=tuple(
                dict.fromkeys(end for end in self._section_ends if 0 < end < self._length)
            ),
            tables=tuple(sorted((*self._tables.tables(), *self._appended), key=_start)),
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
            words = " ".join(kept)
            line = f"{block.mark} {words}" if block.mark else words
            start = self._put(line, 2)
            if not self.full:
                self.headings.append(Heading(start, max(block.level, 1), line[:_LONGEST_TITLE]))
                self._marks[start] = block.mark
        elif block.kind == "item":
            indent = "  " * min(block.level, 8)
            mark = block.mark or "-"
            self._put(f"{indent}{mark} " + f"\n{indent}  ".join(kept), 1 if close else 2)
        else:
            start = self._put("\n".join(kept), 1 if close else 2)
            if block.kind == "row" and not (close and block.cells):
                self._tables.begin(self._caption)
            elif block.kind == "caption below":
                self._tables.name(" ".join(kept))
            if block.cells and not self.full:
                self._tables.add(start, kept[0], block.cells, head=block.head)
        self._before = block.kind
        self._caption = " ".join(kept) if block.kind == "caption" else ""

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
