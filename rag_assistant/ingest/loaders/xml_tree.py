"""The XML of office documents, which is untrusted: parsed without entities, network or unbounded
depth and memory, and written out as a text that keeps headings, lists, tables and pages.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag_assistant.documents import Document, Heading, PageStart
from rag_assistant.errors import LoadError

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_CHARACTERS = 20_000_000
"""Of the text of one document; what goes beyond is cut off, and the metadata says so."""

_CHUNK = 65_536  # bytes
_MOST_ELEMENTS = 10_000_000  # of a stream
_MOST_HELD = 16_000_000  # bytes that may pass without an element that is wanted
_MOST_MEMORY = 1_000_000_000  # bytes that a tree may take, by the estimate of `refuse_size`
_NODE = 120  # bytes of libxml2's xmlNode, which elements and texts are
_ATTRIBUTE = 96 + _NODE
_LONGEST_TITLE = 200
_LONGEST_CELL = 1000  # characters; what is longer is a text laid out by a table
_WIDEST_GAP = 8  # empty cells that are shown, so that columns stay in line
_ISO_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?)?)?")
_ZONE = re.compile(r"Z|[+-]\d\d:\d\d")
_DECLARES = re.compile(rb"<!\s*(?:ENTITY|ELEMENT|ATTLIST)")


def parse(data: bytes, name: str) -> "Element":
    """Parse a member; `name` is for the reason. Raises LoadError when it is broken or hostile."""
    from lxml import etree  # noqa: PLC0415  slow to import, and only office files need it

    _refuse_declared(data, name)
    refuse_size(data, name)
    try:
        root = etree.fromstring(data, etree.XMLParser(**_safe()))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _broken(error, name) from None
    _refuse_entities(root, name)
    return root


def stream(data: bytes, name: str, tags: Sequence[str]) -> Iterator["Element"]:
    """Give the elements of these local names as they end; what is read is freed as it goes.

    For members too large for a tree. None of `tags` may stand within another of them, nor hold
    more than some megabytes. An element is good until the next is asked for.
    """
    from lxml import etree  # noqa: PLC0415

    _refuse_declared(data, name)
    names = [f"{{*}}{tag}" for tag in tags]
    parser = etree.XMLPullParser(("end",), tag=names, **_safe())
    root: Element | None = None
    count = 0
    held = 0  # bytes fed since something was last freed
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            held += _CHUNK
            events: Iterable[tuple[str, Element]] = parser.read_events()  # type: ignore[assignment]
            for _, element in events:
                count += 1
                if root is None:
                    root = element.getroottree().getroot()
                    _refuse_entities(root, name)
                held = 0
                yield element
            if root is not None and _freed(root, tags):
                held = 0
            if count > _MOST_ELEMENTS:
                raise LoadError(f"too large: {name[:100]} has over {_MOST_ELEMENTS:,} elements")
            if held > _MOST_HELD:
                raise LoadError(f"broken file: {name[:100]} is not of the form of its kind")
        parser.close()
    except etree.XMLSyntaxError as error:
        raise _broken(error, name) from None


def _safe() -> Any:
    """Give the settings of a parser that reads one file and nothing else."""
    return {
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "huge_tree": False,
        "remove_comments": True,
        "remove_pis": True,
    }


def _freed(root: "Element", tags: Sequence[str]) -> bool:
    """Remove the elements that have ended; False when it stopped at one of `tags` that has not."""
    node = root
    while len(node):
        del node[:-1]
        node = node[-1]
        if local(node) in tags:
            return False
    return True


def refuse_size(data: bytes, name: str) -> None:
    """Raise LoadError when a tree of this markup, XML or HTML, would take too much memory."""
    memory = 2 * len(data) + _NODE * data.count(b"<") + _ATTRIBUTE * data.count(b"=")
    if memory > _MOST_MEMORY:
        reason = f"needs too much memory: {name[:100]} has {len(data) // 1_000_000} MB"
        raise LoadError(reason, hint="Split it into smaller files.")


def _refuse_declared(data: bytes, name: str) -> None:
    if _DECLARES.search(data):
        raise LoadError(f"refused: {name[:100]} declares entities, which no office program does")


def _refuse_entities(element: "Element", name: str) -> None:
    """Refuse entities that were not seen in the bytes, as in UTF-16; libxml2 limits their growth.

    A document type that names a file is harmless, as that is never read; e-books have it.
    """
    declared: Any = element.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise LoadError(f"refused: {name[:100]} declares entities, which no office program does")


def _broken(error: Exception, name: str) -> LoadError:
    said = " ".join(str(error).split())
    if "xcessive depth" in said:
        return LoadError("nested too deep", hint="Flatten it, or leave it out.")
    if "Resource limit" in said or "huge" in said.lower():  # libxml2's, which it words anew
        return LoadError(f"too large: {name[:100]} has a text or name of more than 10 MB")
    hint = "Open it in its program and save it anew."
    return LoadError(f"broken XML in {name[:100]}: {said[:150]}", hint=hint)


def local(element: "Element") -> str:
    """Give the name of an element without its namespace: there are two of each, and one meaning."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: "Element", name: str, *, qualified: bool = False) -> str:
    """Give the attribute of this local name, "" if there is none; `qualified`: in a namespace."""
    for key, value in element.attrib.items():
        space, _, found = str(key).rpartition("}")
        if found == name and (space or not qualified):
            return str(value)
    return ""


def all_text(element: "Element") -> str:
    """Give all text within an element, with white space folded."""
    return " ".join("".join(map(str, element.itertext())).split())


def child(element: "Element", *path: str) -> "Element | None":
    """Follow the first children of these local names; None where one is missing."""
    found: Element | None = element
    for name in path:
        if found is None:
            return None
        found = next((inner for inner in found if local(inner) == name), None)
    return found


def iso_date(written: str) -> str:
    """Give the date that a text begins with in ISO 8601, "" when it begins with none."""
    found = _ISO_DATE.match(written)
    if found is None:
        return ""
    zone = _ZONE.match(written, found.end())
    return found[0] + (zone[0] if zone and "T" in found[0] else "")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or one of `kind` "heading", "item" (of a list), "row" (of a table), "gap".

    `level` is that of the heading, 1 the highest, or the depth of the item, from 0. A gap has no
    text and keeps what is before it apart from what is after.
    """

    text: str
    kind: str = "paragraph"
    level: int = 0


def table(rows: Iterable[list[list[Block]]]) -> Iterator[Block]:
    """Give a table, each cell of which is a list of blocks, as lines; one of layout as its blocks.

    A table is one of layout when it holds headings, rows of another table, or long texts.
    """
    kept = [row for row in rows if any(block.text for cell in row for block in cell)]
    cells = [cell for row in kept for cell in row]
    layout = len(cells) == 1 or any(_is_laid_out(cell) for cell in cells)
    yield Block("", "gap")
    for row in kept:
        if layout:
            for cell in row:
                yield from cell
        else:
            texts = [" ".join(block.text for block in cell) for cell in row]
            yield Block(joined(enumerate(texts)), "row")
    yield Block("", "gap")


def _is_laid_out(cell: list[Block]) -> bool:
    if any(block.kind in ("heading", "row") for block in cell):
        return True
    return sum(len(block.text) for block in cell) > _LONGEST_CELL


def joined(cells: Iterable[tuple[int, str]], first: int = 0) -> str:
    """Join the cells of a row, each with its column's number; columns count from `first`.

    Few empty cells in a row are kept as such, so that columns stay in line; many are not.
    """
    parts: list[str] = []
    column = first
    for number, text in cells:
        words = " ".join(text.split())
        if words:
            gap = number - column
            parts.extend([""] * (gap if 0 < gap <= _WIDEST_GAP else 0))
            parts.append(words)
            column = number + 1
    return " | ".join(parts).strip()


class TextBuilder:
    """A document's text as it grows, with its headings and pages."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self.full = False
        self._pages: list[PageStart] = []
        self._parts: list[str] = []
        self._length = 0
        self._before = "gap"

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

    def write(self, blocks: Iterable[Block]) -> None:
        """Write blocks; past the limit of characters nothing more is taken."""
        for block in blocks:
            if self.full:
                return
            self._write(block)

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
        if self.full:
            values["truncated"] = f"only the first {MOST_CHARACTERS:,} characters were read"
        pages = tuple(page for page in self._pages if page.start < self._length)
        return Document(
            "".join(self._parts),
            media_type,
            title=named,
            headings=tuple(self.headings),
            pages=pages,
            metadata=values,
        )

    def _write(self, block: Block) -> None:
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
            self._put("\n".join(kept), 1 if close else 2)
        self._before = block.kind

    def _put(self, text: str, gap: int) -> int:
        if self._length:
            self._parts.append("\n" * gap)
            self._length += gap
        start = self._length
        room = max(MOST_CHARACTERS - start, 0)
        if len(text) > room:
            text = text[:room]
            self.full = True
        self._parts.append(text)
        self._length += len(text)
        return start
