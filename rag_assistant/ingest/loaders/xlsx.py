"""Workbooks (.xlsx and its kin, ECMA-376-1, 18): a page for each sheet under its name, a line for
each row that is not empty, with the values that formulas had when the file was saved, and dates and
percentages as such. Sheets are read as a stream, so a sparse or giant one costs what it holds.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError, NothingToRead
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local, parse, stream
from rag_assistant.ingest.parsing.office.drawing import chart_blocks, is_drawn
from rag_assistant.ingest.parsing.office.number_formats import shown_formats, written_number
from rag_assistant.ingest.parsing.office.opc import (
    Relation,
    main_part,
    properties,
    relation_id,
    relations,
)
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder, row_block
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.ingest.room import TooLarge, span
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"})
_MAIN = "xl/workbook.xml"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # ECMA-376-1, 22.9.2.19
_LETTERS = re.compile(r"[A-Za-z]{1,3}")
_HEADER_CODE = re.compile(r"&(?:\"[^\"]*\"|K[0-9A-Fa-f]{6}|\d+|[A-Za-z+-])")
_MOST_COLUMNS = 16_384
_ROW = re.compile(rb"<(?:\w+:)?row\b[^>]*")
_NUMBER = re.compile(rb"\br=[\"'](\d{1,8})[\"']")
_LONG = 1_000_000  # characters of a row; one that is longer is written in several lines
_THREADED = "[Threaded comment]"  # a note for older programs, beside the comment itself


def load(source: LoadInput) -> list[Document]:
    """Read a workbook. Parts that cannot be read are named in the metadata."""
    container = ZipContainer(source.data)
    book = _Book(container, main_part(container, _MAIN))
    builder = TextBuilder(source.most)
    for number, (name, part) in enumerate(book.sheets, 1):
        if builder.full:
            builder.left_out.append(span("sheet", number, len(book.sheets)))
            break
        builder.page(number)
        builder.write([TextBlock(name, "heading", 1)])
        if left := _write_rows(book, part, builder):
            builder.left_out.append(f"sheet {name}: {left}")
        builder.write(book.beside(part))
    if not book.has_text:
        raise LoadError(book.reason) if book.reason else NothingToRead("no text in it")
    metadata = properties(container)
    if book.unreadable:
        metadata["unreadable"] = ", ".join(book.unreadable)
    return [builder.document(_MEDIA_TYPE, metadata, titled_by_heading=False)]


def _write_rows(book: "_Book", part: str, builder: TextBuilder) -> str:
    """Write the rows of a sheet as far as they fit; name those that do not."""
    for block in book.rows(part):
        builder.write([block])
        if builder.full:
            return book.rows_left(part)
    return book.rows_left(part) if book.too_large else ""


class _Book:
    """A workbook: its sheets in order, and what their cells refer to."""

    def __init__(self, container: ZipContainer, main: str) -> None:
        self.unreadable: list[str] = []
        self.reason = ""  # why the first of these could not be read
        self.has_text = False
        self.too_large: TooLarge | None = None  # of the sheet that was read last
        self._row = 0  # number of the last row of it that was given
        self._container = container
        root, found = parse(container.read(main), main), relations(container, main)
        settings, listed = child(root, "workbookPr"), child(root, "sheets")
        from_1904 = settings is not None and attribute(settings, "date1904") in ("1", "true")
        # Excel counts from 1 January 1900 as day 1, and believes in a 29 February of that year.
        self._epoch = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)
        self.sheets: list[tuple[str, str]] = []
        for sheet in listed if listed is not None else ():
            relation = found.get(relation_id(sheet))
            if relation is not None:
                self.sheets.append((attribute(sheet, "name"), relation.target))
        self._strings: list[str] = []
        self._formats: list[str] = []
        self._people: dict[str, str] = {}
        for relation in found.values():
            if relation.kind == "sharedStrings":
                self._strings.extend(self._shared(relation.target))
            elif relation.kind == "styles" and (styles := self._tree(relation.target)) is not None:
                self._formats = shown_formats(styles)
            elif relation.kind == "person":
                people = self._tree(relation.target)
                for person in people if people is not None else ():
                    self._people[attribute(person, "id")] = attribute(person, "displayName")

    def rows(self, part: str) -> Iterator[TextBlock]:  # noqa: C901 - one stream, one state
        """Give the rows of a sheet that are not empty, then its header and footer."""
        cells: list[tuple[int, str]] = []
        row: Element | None = None
        length = number = self._row = 0
        first = _MOST_COLUMNS  # of all rows so far: where the sheet begins on its left
        try:
            data, self.too_large = self._container.beginning(part)
            for element in stream(data, part, ("c", "oddHeader", "oddFooter")):
                if local(element) != "c":
                    yield TextBlock(_HEADER_CODE.sub(" ", element.text or ""))
                    continue
                text = self._value(element)
                if not text:
                    continue
                self.has_text = True
                holder = element.getparent()
                if cells and (holder is not row or len(cells) == _MOST_COLUMNS or length > _LONG):
                    first = min(first, cells[0][0])
                    self._row = number
                    yield row_block(cells, first)
                    cells, length = [], 0
                if holder is not row:
                    row, number = holder, _row_number(holder, number)
                length += len(text)
                cells.append((_column(element.get("r") or "", cells), text))
        except TooLarge as error:
            self.too_large = error
        except LoadError as error:
            if not self.too_large:  # else the end is missing because it was not read
                self._cannot(part, error)
        if self.too_large:
            self._cannot(part, self.too_large)
        if cells:
            self._row = number
            yield row_block(cells, min(first, cells[0][0]))

    def rows_left(self, part: str) -> str:
        """Name the rows of a sheet behind the last one that was given."""
        if self.too_large:
            return f"rows from {self._row + 1:,} on ({self.too_large.message})"
        starts = _ROW.findall(self._container.beginning(part)[0])
        written = _NUMBER.search(starts[-1]) if starts else None
        last = int(written[1]) if written else len(starts)
        if last <= self._row:
            return f"the end of row {self._row:,}"
        return span("row", self._row + 1, last)

    def beside(self, part: str) -> Iterator[TextBlock]:
        """Give what stands over a sheet's cells: drawings, charts and comments."""
        found = self._relations(part)
        for relation in found:
            if relation.kind == "drawing":
                yield from self._drawn(relation.target)
                for inner in self._relations(relation.target):
                    if is_drawn(inner):
                        yield from self._drawn(inner.target)
        for relation in found:
            if relation.kind == "threadedComment":
                yield from self._comments(relation.target, "threadedComment")
            elif relation.kind == "comments":
                yield from self._comments(relation.target, "comment")

    def _drawn(self, part: str) -> Iterator[TextBlock]:
        root = self._tree(part)
        for block in chart_blocks(root) if root is not None else ():
            self.has_text = True
            yield block

    def _comments(self, part: str, kind: str) -> Iterator[TextBlock]:
        root = self._tree(part)
        if root is None:
            return
        authors = [author.text or "" for author in root.iter("{*}author")]
        for comment in root.iter(f"{{*}}{kind}"):
            text = " ".join(_string(inner) for inner in comment if local(inner) == "text")
            if not text.strip() or text.startswith(_THREADED):
                continue
            number = attribute(comment, "authorId")
            known = number.isdecimal() and int(number) < len(authors)
            by = authors[int(number)] if known else self._people.get(attribute(comment, "personId"))
            where = ", ".join(word for word in (attribute(comment, "ref"), by) if word)
            self.has_text = True
            yield TextBlock(f"Comment ({where}): {' '.join(text.split())}")

    def _value(self, cell: "Element") -> str:
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            inline = child(cell, "is")
            return _string(inline) if inline is not None else ""
        holder = child(cell, "v")
        value = (holder.text or "") if holder is not None else ""
        if kind == "n":
            style = cell.get("s") or "0"
            number = int(style) if style.isdecimal() and len(style) < 9 else 0
            shown = self._formats[number] if number < len(self._formats) else ""
            return written_number(value, shown, self._epoch)
        if kind == "s":
            known = value.isdecimal() and len(value) < 10 and int(value) < len(self._strings)
            return self._strings[int(value)] if known else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return _unescaped(value)

    def _shared(self, part: str) -> Iterator[str]:
        try:
            for element in stream(self._container.read(part), part, ("si",)):
                yield _string(element)
        except LoadError as error:
            self._cannot(part, error)

    def _tree(self, part: str) -> "Element | None":
        try:
            return parse(self._container.read(part), part)
        except LoadError as error:
            self._cannot(part, error)
            return None

    def _relations(self, part: str) -> list[Relation]:
        try:
            return list(relations(self._container, part).values())
        except LoadError as error:
            self._cannot(f"relations of {part}", error)
            return []

    def _cannot(self, part: str, error: LoadError) -> None:
        self.reason = self.reason or error.message
        if part not in self.unreadable:
            self.unreadable.append(part)


def _row_number(row: "Element | None", before: int) -> int:
    """Give the number that a row bears; one that bears none follows on the one before."""
    written = row.get("r") or "" if row is not None else ""
    return int(written) if written.isdecimal() and len(written) < 9 else before + 1


def _column(reference: str, cells: list[tuple[int, str]]) -> int:
    """Give a cell's column from 0; without a reference, it is the next one."""
    letters = _LETTERS.match(reference)
    if letters is None:
        return cells[-1][0] + 1 if cells else 0
    number = 0
    for letter in letters[0].upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def _string(holder: "Element") -> str:
    """Give the text of a string, without its phonetic reading."""
    words: list[str] = []
    for element in holder.iter("{*}t"):
        parent = element.getparent()
        if parent is None or local(parent) != "rPh":
            words.append(element.text or "")
    return _unescaped("".join(words) or (holder.text or ""))


def _unescaped(text: str) -> str:
    """Undo how characters that XML cannot hold are written; what no text can hold is dropped."""
    if "_x" not in text:
        return text
    return _ESCAPED.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    if number in (0x9, 0xA, 0xD):
        return "\n"
    return chr(number) if number >= 0x20 and not 0xD800 <= number < 0xE000 else ""


LOADER = Loader("xlsx", 4, _SUFFIXES, _MEDIA_TYPE, load)
