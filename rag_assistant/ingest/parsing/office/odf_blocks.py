"""The text of OpenDocument files (OASIS OpenDocument 1.3, part 3) as blocks: paragraphs, headings,
lists, tables, notes, comments and what is said of pictures. What is said to be repeated is
repeated a few times only, since a file of a kilobyte may repeat for ever.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import all_text, attribute, child, local
from rag_assistant.ingest.parsing.office.drawing import image_block
from rag_assistant.ingest.parsing.office.odf_numbering import OdfNumbering
from rag_assistant.ingest.parsing.office.reviewing import CommentedWords
from rag_assistant.ingest.parsing.tables.spanned_cells import spanned
from rag_assistant.ingest.parsing.text_builder import BlockCell, BlockRow, TextBlock, table

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
_TOLD = ("title", "desc")
_PICTURES = frozenset("frame image object g rect custom-shape ellipse path polygon a".split())
_SPACES = {"s": " ", "tab": " ", "line-break": "\n"}


class OdfBlocks:
    """Gives the blocks of a body, whose lists and headings are counted as they are met."""

    def __init__(self, numbering: OdfNumbering) -> None:
        self._numbering = numbering
        self._commented = CommentedWords()

    def within(self, parent: "Element") -> Iterator[TextBlock]:
        """Give the blocks of all that is in an element."""
        for element in parent:
            yield from self.of(element)

    def of(self, element: "Element", depth: int = -1, style: str = "") -> Iterator[TextBlock]:
        """Give the blocks of an element of the body.

        `depth` is that of the list it is in, from 0, and `style` that list's.
        """
        name = local(element)
        if name in ("p", "h"):
            yield from self._paragraph(element, depth)
        elif name == "list":
            style = attribute(element, "style-name") or style
            before = self._numbering.begin_list(element) if depth < 0 else None
            for inner in element:
                yield from self._item(inner, depth + 1, style)
            if before is not None:
                self._numbering.end_list(before)
        elif name == "table":
            yield from self._table(element)
        elif name == "annotation":
            yield self.comment(element)
        elif _is_told_of_picture(element):
            yield _picture(element)
        elif name not in _LEFT_OUT:
            for inner in element:
                yield from self.of(inner, depth, style)

    def _item(self, item: "Element", depth: int, style: str) -> Iterator[TextBlock]:
        """Give a list's item: its first paragraph has the number or bullet, the next ones stay
        with it.
        """
        lines: list[str] = []
        mark = ""
        counts = local(item) == "list-item"
        for element in item:
            if local(element) == "number":
                continue
            if counts and local(element) in ("p", "h"):
                named = attribute(element, "style-name")
                mark, counts = self._numbering.item(style, depth, item, named), False
            for block in self.of(element, depth, style):
                if block.kind == "paragraph":
                    lines.append(block.text)
                    continue
                if lines:
                    yield TextBlock("\n".join(lines), "item", depth, mark)
                    lines, mark = [], ""
                yield replace(block, mark=mark) if block.kind == "heading" and mark else block
        if lines:
            yield TextBlock("\n".join(lines), "item", depth, mark)

    def _paragraph(self, element: "Element", depth: int) -> Iterator[TextBlock]:
        words: list[str] = []
        beside: list[Element] = []
        self._inline(element, words, beside)
        text = "".join(words)
        if local(element) == "h":
            written = attribute(element, "outline-level")
            level = int(written) if written in list("123456789") else 1
            mark = self._numbering.heading(element, level) if depth < 0 else ""
            yield TextBlock(text, "heading", level, mark)
        else:
            captioned = any(_names(inner, text) for inner in beside)
            yield TextBlock(text, "caption" if captioned else "paragraph")
        for inner in beside:
            yield from self._beside(inner, depth)

    def _beside(self, inner: "Element", depth: int) -> Iterator[TextBlock]:
        """Give what hangs on a paragraph."""
        name = local(inner)
        if name == "note":
            note = " ".join(block.shown for block in self.within(inner)).strip()
            cited = child(inner, "note-citation")
            number = all_text(cited) if cited is not None else ""
            label = f"{(attribute(inner, 'note-class') or 'note').capitalize()} {number}".strip()
            yield TextBlock(f"{label}: {note}" if note else "")
        elif name == "text-box":
            yield from self.within(inner)
        elif name in _TOLD:
            yield _picture(inner)
        else:
            yield from self.of(inner, depth)

    def _inline(self, parent: "Element", words: list[str], beside: "list[Element]") -> None:
        """Gather the text within a paragraph, and what stands beside it."""
        self._say(parent.text or "", words)
        for element in parent:
            name = local(element)
            if name in _BESIDE:
                beside.append(element)
                if name == "annotation" and (range_ := attribute(element, "name")):
                    self._commented.begin(range_)
            elif name in _SPACES:
                self._say(_SPACES[name], words)
            elif _is_told_of_picture(element):
                beside.append(element)
            elif name == "annotation-end":
                self._commented.end(attribute(element, "name"))
            elif name not in _LEFT_OUT:
                if name == "sequence":
                    beside.append(element)
                self._inline(element, words, beside)
            self._say(element.tail or "", words)

    def _say(self, text: str, words: list[str]) -> None:
        words.append(text)
        self._commented.add(text)

    def _table(self, element: "Element") -> Iterator[TextBlock]:
        rows = []
        for row, head in rows_within(element):
            cells = list(self._cells(row))
            every = [block for cell in cells for block in cell.blocks]
            rows.extend([BlockRow(cells, head)] * times_shown(row, "number-rows-repeated", every))
        yield from table(rows)

    def _cells(self, row: "Element") -> Iterator[BlockCell]:
        column = 0
        for cell in row:
            if local(cell) in ("table-cell", "covered-table-cell"):
                blocks = list(self.within(cell))
                spans = (
                    spanned(cell, "number-columns-spanned"),
                    spanned(cell, "number-rows-spanned"),
                )
                for _ in range(times_shown(cell, "number-columns-repeated", blocks)):
                    yield BlockCell(column, blocks, *spans)
                    column += 1

    def comment(self, annotation: "Element") -> TextBlock:
        """Give a comment with the name of who wrote it, and the words that it is about."""
        text = " ".join(block.shown for block in self.within(annotation)).strip()
        by = author_of(annotation)
        label = self._commented.label(attribute(annotation, "name"), by)
        return TextBlock(f"{label}: {text}" if text else "")


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


def changes(body: "Element") -> Iterator[tuple[str, str]]:
    """Give the kind of each tracked change of words with its author."""
    for region in body.iter("{*}changed-region"):
        for change in region:
            if local(change) in ("insertion", "deletion"):
                info = child(change, "change-info")
                yield local(change), author_of(info) if info is not None else ""


def commenters(body: "Element") -> Iterator[str]:
    """Give the author of each comment."""
    return (author_of(one) for one in body.iter("{*}annotation"))


def author_of(element: "Element") -> str:
    """Give who made a comment or a change."""
    author = child(element, "creator")
    return (author.text or "").strip() if author is not None else ""


def _names(element: "Element", text: str) -> bool:
    """Say whether it numbers the tables or pictures of a kind, and the text begins with it."""
    label = attribute(element, "name").lower()
    return local(element) == "sequence" and bool(label) and text.lstrip().lower().startswith(label)


def _is_told_of_picture(told: "Element") -> bool:
    above = told.getparent()
    return local(told) in _TOLD and above is not None and local(above) in _PICTURES


def _picture(told: "Element") -> TextBlock:
    """Give what is said of a picture: its description, else its title."""
    frame = told.getparent()
    better = child(frame, "desc") if frame is not None and local(told) == "title" else None
    return TextBlock("") if better is not None and all_text(better) else image_block(all_text(told))
