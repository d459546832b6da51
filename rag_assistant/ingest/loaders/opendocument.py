"""OpenDocument texts, sheets and presentations, zipped or flat (OASIS OpenDocument 1.3, part 3):
the text by `parsing.odf_blocks`, where sheets and slides are pages, then the headers and footers.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError, NothingToRead
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.captions import with_captions
from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local, parse
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.office.odf_blocks import (
    OdfBlocks,
    changes,
    commenters,
    rows_within,
    times_repeated,
    times_shown,
)
from rag_assistant.ingest.parsing.office.odf_numbering import OdfNumbering
from rag_assistant.ingest.parsing.office.reviewing import review_facts
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder, row_block
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SUFFIXES = frozenset(".odt .ott .fodt .ods .ots .fods .odp .otp .fodp .odg .otg .fodg".split())
_MEDIA_TYPE = "application/vnd.oasis.opendocument"
_CONTENT, _STYLES, _META = "content.xml", "styles.xml", "meta.xml"
_MANIFEST = "META-INF/manifest.xml"
_MOST_COLUMNS = 16_384
_META_KEYS = {
    "title": "title",
    "initial-creator": "author",
    "creator": "last_modified_by",
    "creation-date": "created",
    "date": "modified",
    "subject": "subject",
    "keyword": "keywords",
    "description": "description",
    "language": "language",
}


def load(source: LoadInput) -> list[Document]:
    """Read a document, whichever of the kinds it is."""
    unreadable: list[str] = []
    content, styles, meta = _roots(source.data, unreadable)
    body = child(content, "body")
    if body is None:
        raise LoadError("not an OpenDocument file: it has no body")
    blocks = OdfBlocks(OdfNumbering(root for root in (styles, content) if root is not None))
    reader = _Reader(blocks)
    builder = TextBuilder(source.most)
    paged = False
    for part in body:
        paged = paged or local(part) == "spreadsheet"
        reader.read(part, builder)
    if styles is not None:
        builder.write(_margins(styles, blocks))
    if not reader.has_text:
        raise NothingToRead("no text in it")
    metadata = _metadata(meta) | review_facts(changes(body), commenters(body))
    if unreadable:
        metadata["unreadable"] = ", ".join(unreadable)
    return [builder.document(_MEDIA_TYPE, metadata, titled_by_heading=not paged)]


def _roots(data: bytes, unreadable: list[str]) -> "tuple[Element, Element | None, Element | None]":
    """Give the roots of the content, the styles and the metadata: all one, in a flat file."""
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        root = parse(data, "the file")
        return root, root, root
    container = ZipContainer(data)
    if _MANIFEST in container and b"encryption-data" in container.read(_MANIFEST):
        raise LoadError("password-protected", hint="Save a copy without a password.")
    content = parse(container.read(_CONTENT), _CONTENT)
    others: list[Element | None] = []
    for name in (_STYLES, _META):
        try:
            others.append(parse(container.read(name), name) if name in container else None)
        except LoadError:
            unreadable.append(name)
            others.append(None)
    return content, others[0], others[1]


class _Reader:
    """Gives the blocks of a body."""

    def __init__(self, blocks: OdfBlocks) -> None:
        self._blocks = blocks
        self.has_text = False

    def read(self, part: "Element", builder: TextBuilder) -> None:
        """Write a text, a workbook or a presentation."""
        kind, pages = local(part), 0
        if kind == "text":
            builder.write(with_captions(self._noticed(self._blocks.within(part))))
            return
        for element in part:
            name = local(element)
            if kind == "spreadsheet" and name == "table":
                pages += 1
                builder.page(pages)
                builder.write([TextBlock(attribute(element, "name"), "heading", 1)])
                builder.write_sheet(attribute(element, "name"), self._sheet(element))
            elif name == "page":
                pages += 1
                builder.page(pages)
                builder.write(self._noticed(self._slide(element)))
            else:
                builder.write(self._noticed(self._blocks.of(element)))

    def _noticed(self, blocks: Iterator[TextBlock]) -> Iterator[TextBlock]:
        for block in blocks:
            self.has_text = self.has_text or bool(block.text.strip())
            yield block

    def _slide(self, page: "Element") -> Iterator[TextBlock]:
        frames = sorted(page, key=lambda frame: attribute(frame, "class") != "title")
        for frame in frames:
            if attribute(frame, "class") == "title":
                text = " ".join(block.text for block in self._blocks.within(frame))
                yield TextBlock(text.replace("\n", " "), "heading", 1)
            elif local(frame) == "notes":
                text = "\n".join(block.text for block in self._blocks.within(frame)).strip()
                yield TextBlock(f"Notes: {text}" if text else "")
            else:
                yield TextBlock("", "gap")
                yield from self._blocks.of(frame)

    def _sheet(self, sheet: "Element") -> Iterator[TextBlock]:
        first = _MOST_COLUMNS
        comments: list[TextBlock] = []
        for row, _ in rows_within(sheet):
            cells: list[tuple[int, str]] = []
            column = 0
            for cell in row:
                if local(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                times = times_repeated(cell, "number-columns-repeated")
                text = self._cell_text(cell, comments)
                shown = (
                    times_shown(cell, "number-columns-repeated", [TextBlock(text)]) if text else 0
                )
                if column + shown <= _MOST_COLUMNS:
                    cells.extend((column + at, text) for at in range(shown))
                column += times
            if not cells:
                continue
            first = min(first, cells[0][0])
            self.has_text = True
            line = row_block(cells, first)
            yield from [line] * times_shown(row, "number-rows-repeated", [TextBlock(line.text)])
        yield from self._noticed(iter(comments))
        for element in sheet:
            if local(element) == "shapes":
                yield from self._noticed(self._blocks.within(element))

    def _cell_text(self, cell: "Element", comments: list[TextBlock]) -> str:
        """Give the text of a sheet's cell; its comments go to the end of the sheet."""
        lines: list[str] = []
        for element in cell:
            if local(element) == "annotation":
                comments.append(self._blocks.comment(element))
            else:
                lines.extend(block.shown for block in self._blocks.of(element))
        if any(lines):
            return " ".join(lines)
        for name in ("date-value", "time-value", "string-value", "boolean-value", "value"):
            if written := attribute(cell, name):
                return written
        return ""


def _margins(styles: "Element", blocks: OdfBlocks) -> Iterator[TextBlock]:
    """Give the headers and footers of the pages, each once."""
    masters = child(styles, "master-styles")
    seen: set[str] = set()
    names = [f"{{*}}{name}" for name in ("header", "footer", "header-first", "footer-first")]
    for margin in masters.iter(*names) if masters is not None else ():
        for block in blocks.within(margin):
            if block.text not in seen and any(letter.isalpha() for letter in block.text):
                seen.add(block.text)
                yield TextBlock(block.text)


def _metadata(root: "Element | None") -> dict[str, str]:
    meta = child(root, "meta") if root is not None else None
    values: dict[str, str] = {}
    for element in meta if meta is not None else ():
        if key := _META_KEYS.get(local(element)):
            text = element.text or ""
            values[key] = f"{values[key]}, {text}" if key in values else text
        elif local(element) == "document-statistic":  # what the program last counted
            counted = attribute(element, "page-count")
            values["pages"] = counted if counted.isdecimal() else ""
    values.setdefault("author", values.get("last_modified_by", ""))
    return tidy(values)


LOADER = Loader("opendocument", 5, _SUFFIXES, _MEDIA_TYPE, load)
