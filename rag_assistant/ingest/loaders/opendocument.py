"""OpenDocument texts, sheets and presentations, zipped or flat (OASIS OpenDocument 1.3, part 3):
headings by their level, lists, tables, notes and comments; sheets and slides are pages. What is
said to be repeated is repeated a few times only, since a file of a kilobyte may repeat for ever.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.loaders.xml_tree import (
    Block,
    TextBuilder,
    attribute,
    child,
    joined,
    local,
    parse,
    table,
)
from rag_assistant.ingest.loaders.zip_container import ZipContainer, tidy

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SUFFIXES = frozenset(".odt .ott .fodt .ods .ots .fods .odp .otp .fodp .odg .otg .fodg".split())
_MEDIA_TYPE = "application/vnd.oasis.opendocument"
_CONTENT, _STYLES, _META = "content.xml", "styles.xml", "meta.xml"
_MANIFEST = "META-INF/manifest.xml"
_MOST_REPEATED = 50  # times that a row or cell with text is repeated
_LONGEST_REPEATED = 1000  # characters
_MOST_COLUMNS = 16_384
_LEFT_OUT = frozenset(
    """
    tracked-changes sequence-decls variable-decls user-field-decls forms event-listeners
    automatic-styles font-face-decls ruby-text note-citation shapes-settings
    content-validations calculation-settings named-expressions database-ranges dde-links
    """.split()
)
_BESIDE = frozenset({"note", "annotation", "text-box", "table", "p", "h", "list"})
_SPACES = {"s": " ", "tab": " ", "line-break": "\n"}
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
    reader = _Reader()
    builder = TextBuilder()
    paged = False
    for part in body:
        paged = paged or local(part) == "spreadsheet"
        reader.read(part, builder)
    if styles is not None:
        builder.write(_margins(styles))
    if not reader.has_text:
        raise LoadError("no text in it")
    metadata = _metadata(meta)
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

    def __init__(self) -> None:
        self.has_text = False

    def read(self, part: "Element", builder: TextBuilder) -> None:
        """Write a text, a workbook or a presentation."""
        kind, pages = local(part), 0
        for element in part:
            name = local(element)
            if kind == "spreadsheet" and name == "table":
                pages += 1
                builder.page(pages)
                builder.write([Block(attribute(element, "name"), "heading", 1)])
                builder.write(self._sheet(element))
            elif name == "page":
                pages += 1
                builder.page(pages)
                builder.write(self._noticed(self._slide(element)))
            else:
                builder.write(self._noticed(_one(element)))

    def _noticed(self, blocks: Iterator[Block]) -> Iterator[Block]:
        for block in blocks:
            self.has_text = self.has_text or bool(block.text.strip())
            yield block

    def _slide(self, page: "Element") -> Iterator[Block]:
        frames = sorted(page, key=lambda frame: attribute(frame, "class") != "title")
        for frame in frames:
            if attribute(frame, "class") == "title":
                text = " ".join(block.text for block in _blocks(frame))
                yield Block(text.replace("\n", " "), "heading", 1)
            elif local(frame) == "notes":
                text = "\n".join(block.text for block in _blocks(frame)).strip()
                yield Block(f"Notes: {text}" if text else "")
            else:
                yield Block("", "gap")
                yield from _one(frame)

    def _sheet(self, sheet: "Element") -> Iterator[Block]:
        first = _MOST_COLUMNS
        comments: list[Block] = []
        for row in _rows(sheet):
            cells: list[tuple[int, str]] = []
            column = 0
            for cell in row:
                if local(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                times = _times(cell, "number-columns-repeated")
                text = _cell_text(cell, comments)
                shown = _shown(cell, "number-columns-repeated", [Block(text)]) if text else 0
                if column + shown <= _MOST_COLUMNS:
                    cells.extend((column + at, text) for at in range(shown))
                column += times
            if not cells:
                continue
            first = min(first, cells[0][0])
            self.has_text = True
            line = Block(joined(cells, first), "row")
            yield from [line] * _shown(row, "number-rows-repeated", [Block(line.text)])
        yield from self._noticed(iter(comments))
        for element in sheet:
            if local(element) == "shapes":
                yield from self._noticed(_blocks(element))


def _blocks(parent: "Element") -> Iterator[Block]:
    for element in parent:
        yield from _one(element)


def _one(element: "Element", depth: int = -1) -> Iterator[Block]:
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
        yield _comment(element)
    elif name not in _LEFT_OUT:
        for inner in element:
            yield from _one(inner, depth)


def _item(item: "Element", depth: int) -> Iterator[Block]:
    """Give a list's item: its first paragraph has the bullet, the next ones stay with it."""
    lines: list[str] = []
    for element in item:
        for block in _one(element, depth):
            if block.kind == "paragraph":
                lines.append(block.text)
                continue
            if lines:
                yield Block("\n".join(lines), "item", depth)
                lines = []
            yield block
    if lines:
        yield Block("\n".join(lines), "item", depth)


def _paragraph(element: "Element", depth: int) -> Iterator[Block]:
    words: list[str] = []
    beside: list[Element] = []
    _inline(element, words, beside)
    text = "".join(words)
    if local(element) == "h":
        level = attribute(element, "outline-level")
        yield Block(text, "heading", int(level) if level in list("123456789") else 1)
    else:
        yield Block(text)
    for inner in beside:
        name = local(inner)
        if name == "note":
            note = " ".join(block.text for block in _blocks(inner)).strip()
            label = (attribute(inner, "note-class") or "note").capitalize()
            yield Block(f"{label}: {note}" if note else "")
        elif name == "text-box":
            yield from _blocks(inner)
        else:
            yield from _one(inner, depth)


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


def _table(element: "Element") -> Iterator[Block]:
    rows = []
    for row in _rows(element):
        cells: list[list[Block]] = []
        for cell in row:
            if local(cell) in ("table-cell", "covered-table-cell"):
                blocks = list(_blocks(cell))
                cells.extend([blocks] * _shown(cell, "number-columns-repeated", blocks))
        every = [block for cell in cells for block in cell]
        rows.extend([cells] * _shown(row, "number-rows-repeated", every))
    yield from table(rows)


def _rows(parent: "Element") -> "Iterator[Element]":
    """Give the rows of a table, out of the groups and headers that they may be in."""
    for element in parent:
        name = local(element)
        if name == "table-row":
            yield element
        elif name in ("table-rows", "table-header-rows", "table-row-group"):
            yield from _rows(element)


def _shown(element: "Element", name: str, blocks: list[Block]) -> int:
    """Give how often a cell or row of blocks is written.

    Only short ones are repeated, and none with a table within: repeats of repeats know no end.
    """
    long = sum(len(block.text) for block in blocks) > _LONGEST_REPEATED
    if long or any(block.kind in ("row", "gap") for block in blocks):
        return 1
    return min(_times(element, name), _MOST_REPEATED)


def _times(element: "Element", name: str) -> int:
    written = attribute(element, name)
    return int(written) if written.isdecimal() and len(written) < 10 else 1


def _cell_text(cell: "Element", comments: list[Block]) -> str:
    """Give the text of a sheet's cell; its comments go to the end of the sheet."""
    lines: list[str] = []
    for element in cell:
        if local(element) == "annotation":
            comments.append(_comment(element))
        else:
            lines.extend(block.text for block in _one(element))
    if any(lines):
        return " ".join(lines)
    for name in ("date-value", "time-value", "string-value", "boolean-value", "value"):
        if written := attribute(cell, name):
            return written
    return ""


def _comment(annotation: "Element") -> Block:
    author = child(annotation, "creator")
    by = (author.text or "").strip() if author is not None else ""
    text = " ".join(block.text for block in _blocks(annotation)).strip()
    label = f"Comment ({by})" if by else "Comment"
    return Block(f"{label}: {text}" if text else "")


def _margins(styles: "Element") -> Iterator[Block]:
    """Give the headers and footers of the pages, each once."""
    masters = child(styles, "master-styles")
    seen: set[str] = set()
    names = [f"{{*}}{name}" for name in ("header", "footer", "header-first", "footer-first")]
    for margin in masters.iter(*names) if masters is not None else ():
        for block in _blocks(margin):
            if block.text not in seen and any(letter.isalpha() for letter in block.text):
                seen.add(block.text)
                yield Block(block.text)


def _metadata(root: "Element | None") -> dict[str, str]:
    meta = child(root, "meta") if root is not None else None
    values: dict[str, str] = {}
    for element in meta if meta is not None else ():
        if key := _META_KEYS.get(local(element)):
            text = element.text or ""
            values[key] = f"{values[key]}, {text}" if key in values else text
    values.setdefault("author", values.get("last_modified_by", ""))
    return tidy(values)


LOADER = Loader("opendocument", 1, _SUFFIXES, _MEDIA_TYPE, load)
