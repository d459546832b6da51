"""From the tree of a page to its text: paragraphs apart by a blank line, lists and table rows a
line each, preformatted text as it is. The walk keeps a stack of its own, so depth cannot end it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.tables.row_tables import RowTables
from rag_assistant.ingest.parsing.tables.spanned_cells import spanned
from rag_assistant.ingest.parsing.text_builder import row_block
from rag_assistant.values.documents import Heading
from rag_assistant.values.tables import DocumentTable

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARAGRAPHS = frozenset(
    """
    p blockquote section article main header form fieldset figure address details hr dl table body
    """.split()
)
_LINES = frozenset("div dt dd tr td th caption figcaption summary legend option center".split())
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CELLS = frozenset({"td", "th"})
_NOT_IN_DATA = ("table", "pre", *_HEADINGS)
_MOST_COLUMNS = 5_000
_LONGEST_CELL = 1000  # characters; what is longer is a text laid out by a table
_LONGEST_TITLE = 200
_PERMALINK = "¶"


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The text of a page, its headings and tables, and what its head says."""

    text: str
    headings: tuple[Heading, ...]
    metadata: Mapping[str, str]
    tables: tuple[DocumentTable, ...] = ()


def text_of(root: "HtmlElement", metadata: Mapping[str, str]) -> HtmlText:
    """Give the text under `root` in reading order."""
    walk = _Walk()
    # An element is entered when it is met, and left when its marker is.
    waiting: list[tuple[HtmlElement, bool]] = [(root, True)]
    while waiting:
        element, entering = waiting.pop()
        if not entering:
            walk.leave(element.tag)
        elif isinstance(element.tag, str) and walk.enter(element):
            waiting.append((element, False))
            waiting.extend((child, True) for child in reversed(element))
            continue
        if element.tail and element is not root:
            walk.words.append(element.tail)
    walk.end_line(0)
    tables = walk.tables.tables()
    return HtmlText("".join(walk.parts), tuple(walk.headings), metadata, tables)


class _Row:
    """A row of a data table as its words are gathered: where its cells begin among these."""

    def __init__(self, open_rows: dict[int, int]) -> None:
        self.cells: list[tuple[int, int]] = []  # the first word, and the column
        self.spans: dict[int, tuple[int, int]] = {}
        self.heads = 0
        # The cells of rows above that span this one, by column, with the rows that are left.
        self.below = {column: left - 1 for column, left in open_rows.items() if left > 1}
        self._taken = set(open_rows)
        self._column = 0

    def add(self, cell: "HtmlElement", at: int, *, in_head: bool) -> None:
        """Begin a cell, whose words will be those from `at` on."""
        while self._column in self._taken:
            self._column += 1
        columns, rows = spanned(cell, "colspan"), spanned(cell, "rowspan")
        columns = min(columns, max(_MOST_COLUMNS - self._column, 1))
        self.cells.append((at, self._column))
        self.spans[self._column] = columns, rows
        if rows > 1:
            self.below.update(dict.fromkeys(range(self._column, self._column + columns), rows - 1))
        self.heads += in_head or cell.tag == "th"
        self._column += columns


class _Walk:
    """The text so far, and the line being gathered."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.headings: list[Heading] = []
        self.words: list[str] = []
        self._length = 0
        self._gap = 0  # line ends owed before the next line
        self._bullet = ""
        self._depth = 0
        self._row: _Row | None = None  # within a data table
        self._data_table = False
        self._in_head = False
        self._spanning: dict[int, int] = {}
        self._caption = ""
        self.tables = RowTables()

    def enter(self, element: "HtmlElement") -> bool:
        """Begin an element; False when it is done with, children and all."""
        tag = element.tag
        if tag == "pre":
            self._preformatted(element)
            return False
        if tag == "br":
            self.end_line(1)
        elif tag in _CELLS and self._row is not None:
            self._row.add(element, len(self.words), in_head=self._in_head)
        else:
            self._block(tag, entering=True)
        if tag == "table":
            self._data_table, self._spanning = _holds_data(element), {}
            self.tables.begin(_caption_of(element) if self._data_table else "")
        elif tag == "tr" and self._data_table:
            self._row = _Row(self._spanning)
        elif tag == "thead":
            self._in_head = True
        elif tag == "li" and self._row is None:
            self._bullet = "  " * max(self._depth - 1, 0) + "- "
        if element.text and not (tag == "a" and element.text == _PERMALINK):
            self.words.append(element.text)
        return True

    def leave(self, tag: str) -> None:
        """End an element."""
        if tag == "tr" and self._row is not None:
            self._end_row(self._row)
        elif tag == "thead":
            self._in_head = False
        elif tag == "table":
            self._data_table, self._in_head, self._row = False, False, None
            self.tables.begin()
        if tag in _HEADINGS:
            self.end_line(2, level=_HEADINGS[tag])
        else:
            self._block(tag, entering=False)
        if tag == "li":
            self._bullet = ""  # that of an empty item must not pass on

    def end_line(self, gap: int, *, level: int = 0) -> None:
        """Write the line that was gathered, with at least `gap` line ends after it."""
        if self._row is not None:
            self.words.append(" ")  # blocks within a cell stay on the line of their row
            return
        line = " ".join("".join(self.words).split())
        self.words.clear()
        if line:
            start = self._write(self._bullet + line)
            self._bullet = ""
            if level:
                self.headings.append(Heading(start, level, line[:_LONGEST_TITLE]))
        self._gap = max(self._gap, gap)

    def _end_row(self, row: _Row) -> None:
        """Write the row that was gathered."""
        self._row, self._spanning = None, row.below
        starts = [0, *(at for at, _ in row.cells[1:]), len(self.words)]
        texts = ["".join(self.words[a:b]) for a, b in pairwise(starts)]
        columns = (column for _, column in row.cells)
        block = row_block(zip(columns, texts, strict=False), spans=row.spans)
        if row.cells:
            self.words[:] = [block.text]
        self.end_line(1)
        if block.text:
            head = self._in_head or row.heads == len(row.cells)
            self.tables.add(self._length - len(block.text), block.text, block.cells, head=head)

    def _block(self, tag: str, *, entering: bool) -> None:
        if tag in _LISTS:
            outermost = self._depth == (0 if entering else 1)
            self.end_line(2 if outermost else 1)
            self._depth = max(self._depth + (1 if entering else -1), 0)
        elif tag in _PARAGRAPHS or tag in _HEADINGS:
            # The first paragraph of a list item stays with its bullet, the next ones with it.
            self.end_line(1 if self._depth else 2)
        elif tag in _LINES or tag == "li":
            self.end_line(1)

    def _preformatted(self, element: "HtmlElement") -> None:
        self.end_line(2)
        text = "".join(element.itertext()).replace("\r\n", "\n").strip("\n").rstrip()
        if text.strip():
            self._write(text)
            self._gap = 2

    def _write(self, text: str) -> int:
        """Write a text after the line ends that are owed; give the offset where it starts."""
        if self.parts:
            self.parts.append("\n" * self._gap)
            self._length += self._gap
        start = self._length
        self.parts.append(text)
        self._length += len(text)
        self._gap = 1
        return start


def _caption_of(table: "HtmlElement") -> str:
    caption = next((child for child in table if child.tag == "caption"), None)
    return " ".join("".join(caption.itertext()).split()) if caption is not None else ""


def _holds_data(table: "HtmlElement") -> bool:
    """Say whether a table is one of data, not a means of layout."""
    for inner in table.iter(*_NOT_IN_DATA):
        if inner is not table:
            return False
    cells = table.iter(*_CELLS)
    return all(len("".join(cell.itertext())) <= _LONGEST_CELL for cell in cells)
