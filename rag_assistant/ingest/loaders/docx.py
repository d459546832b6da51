"""Word documents (.docx and its kin, ECMA-376-1, 17): the text in reading order with headings,
lists and tables. Foot- and endnotes and comments follow the paragraph that refers to them, charts,
headers and footers come once at the end; what was deleted under tracked changes is left out.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.docx_hidden import why_hidden
from rag_assistant.ingest.parsing.drawing import chart_blocks, is_drawn
from rag_assistant.ingest.parsing.hidden_marks import hide
from rag_assistant.ingest.parsing.opc import main_part, properties, relation_id, relations
from rag_assistant.ingest.parsing.spanned_cells import word_rows
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder, table
from rag_assistant.ingest.parsing.xml_tree import attribute, child, local, parse, refuse_size
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SUFFIXES = frozenset({".docx", ".docm", ".dotx", ".dotm"})
_MAIN = "word/document.xml"
_DEEPEST_HEADING = 9  # outline levels are counted from 0; 9 is body text
_LEFT_OUT = frozenset(
    "del moveFrom delText instrText delInstrText rPr pPr tblPr trPr tcPr sectPr sdtPr rt".split()
)
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote"}
_PRIVATE_USE = range(0xE000, 0xF900)  # what a symbol font shows there, no one can tell


def load(source: LoadInput) -> list[Document]:
    """Read a document. Parts beside the main one that cannot be read are named in the metadata."""
    container = ZipContainer(source.data)
    reader = _Reader(container, main_part(container, _MAIN))
    builder = TextBuilder(source.most)
    builder.write(reader.all_blocks())
    metadata = properties(container)
    if reader.unreadable:
        metadata["unreadable"] = ", ".join(reader.unreadable)
    return [builder.document(_MEDIA_TYPE, metadata)]


class _Reader:
    """Gives the blocks of a document's main part, and of those that it refers to."""

    def __init__(self, container: ZipContainer, main: str) -> None:
        self.unreadable: list[str] = []
        self._container = container
        self._main = parse(container.read(main), main)
        self._relations = relations(container, main)
        self._styles = _Styles(self._parts("styles"))
        self._notes = {
            (kind, attribute(note, "id")): note
            for kind in ("footnote", "endnote", "comment")
            for root in self._parts(f"{kind}s")
            for note in root
            if attribute(note, "type") not in ("separator", "continuationSeparator")
        }

    def all_blocks(self) -> Iterator[TextBlock]:
        body = child(self._main, "body")
        if body is not None:
            yield from self._blocks(body)
        for kind, identity in list(self._notes):  # those that no paragraph refers to
            yield from self._note(kind, identity)
        drawn = [relation.target for relation in self._relations.values() if is_drawn(relation)]
        for root in self._trees(drawn):
            yield from chart_blocks(root)
        seen: set[str] = set()
        for root in [*self._parts("header"), *self._parts("footer")]:
            for block in self._blocks(root):
                # The same on first, even and odd pages; and page numbers alone say nothing.
                if block.text not in seen and any(letter.isalpha() for letter in block.text):
                    seen.add(block.text)
                    yield TextBlock(block.text)

    def _parts(self, kind: str) -> Iterator["Element"]:
        targets = (relation.target for relation in self._relations.values())
        kinds = (relation.kind for relation in self._relations.values())
        wanted = [target for target, found in zip(targets, kinds, strict=True) if found == kind]
        return self._trees(wanted)

    def _trees(self, names: Iterable[str]) -> Iterator["Element"]:
        for name in dict.fromkeys(names):
            try:
                yield parse(self._container.read(name), name)
            except LoadError:
                self.unreadable.append(name)

    def _blocks(self, parent: "Element") -> Iterator[TextBlock]:
        """Give the blocks of a body, cell, text box, note or content control."""
        for element in parent:
            name = local(element)
            if name == "p":
                yield from self._paragraph(element)
            elif name == "tbl":
                yield from self._table(element)
            elif name == "altChunk":
                yield from self._foreign(element)
            elif name == "AlternateContent":
                yield from self._blocks(_alternative(element))
            elif name == "r":  # a run outside of a paragraph is an error that programs forgive
                yield from self._paragraph(element)
            elif name not in _LEFT_OUT:
                yield from self._blocks(element)

    def _paragraph(self, paragraph: "Element") -> Iterator[TextBlock]:
        words: list[str] = []
        beside: list[Element] = []  # text boxes, tables and notes that stand within its runs
        self._inline(paragraph, words, beside)
        kind, level = self._styles.of(child(paragraph, "pPr"))
        yield TextBlock("".join(words), kind, level)
        for element in beside:
            name = local(element)
            if name == "tbl":
                yield from self._table(element)
            elif name == "txbxContent":
                yield from self._blocks(element)
            else:
                kind = _NOTES.get(name, "comment")
                yield from self._note(kind, attribute(element, "id"))

    def _inline(self, parent: "Element", words: list[str], beside: list["Element"]) -> None:
        """Gather the text within a paragraph, and what stands beside it."""
        for element in parent:
            name = local(element)
            if name == "t":
                words.append(self._seen(element, parent))
            elif name in _BREAKS:
                words.append(_BREAKS[name])
            elif name == "sym":
                words.append(_symbol(attribute(element, "char")))
            elif name in ("txbxContent", "tbl", "commentReference") or name in _NOTES:
                beside.append(element)
            elif name == "AlternateContent":
                self._inline(_alternative(element), words, beside)
            elif name not in _LEFT_OUT:
                self._inline(element, words, beside)

    def _seen(self, text: "Element", run: "Element") -> str:
        """Give the words of a run, marked where nobody sees them."""
        reason = why_hidden(run)
        return hide(text.text or "", reason) if reason else text.text or ""

    def _table(self, element: "Element") -> Iterator[TextBlock]:
        rows = ((row, _within(row, "tc")) for row in _within(element, "tr"))
        yield from table(word_rows(rows, lambda cell: list(self._blocks(cell))))

    def _note(self, kind: str, identity: str) -> Iterator[TextBlock]:
        """Give a note, once."""
        note = self._notes.pop((kind, identity), None)
        if note is None:
            return
        text = " ".join(block.text for block in self._blocks(note)).strip()
        author = attribute(note, "author")
        label = f"Comment ({author})" if author else kind.capitalize()
        if text:
            yield TextBlock(f"{label}: {text}")

    def _foreign(self, element: "Element") -> Iterator[TextBlock]:
        """Give the text of a web page that was put into the document."""
        relation = self._relations.get(relation_id(element))
        if relation is None:
            return
        try:
            data = self._container.read(relation.target)
            if data.startswith((b"PK", b"{\\rtf")):
                raise LoadError("of another format")
            refuse_size(data, relation.target)
            page = html.read(data)
        except LoadError:
            self.unreadable.append(relation.target)
            return
        levels = {heading.start: heading.level for heading in page.headings}
        start = 0
        for line in page.text.split("\n\n"):
            level = levels.get(start, 0)
            yield TextBlock(line, "heading" if level else "paragraph", level)
            start += len(line) + 2


class _Styles:
    """What the styles of paragraphs make of them: headings and list items."""

    def __init__(self, roots: Iterable["Element"]) -> None:
        self._styles = {
            attribute(style, "styleId"): style
            for root in roots
            for style in root
            if local(style) == "style" and attribute(style, "type") in ("paragraph", "")
        }
        self._known: dict[str, tuple[int | None, bool]] = {"": (None, False)}

    def of(self, settings: "Element | None") -> tuple[str, int]:
        """Give the kind and level of a block with these settings (`w:pPr`)."""
        if settings is None:
            return "paragraph", 0
        level, listed = self._style(_value(settings, "pStyle"))
        own = _outline(settings)
        level = own if own is not None else level
        if level is not None and 0 <= level < _DEEPEST_HEADING:
            return "heading", level + 1
        numbering = child(settings, "numPr")
        if numbering is not None:
            listed = _value(numbering, "numId") != "0"
            depth = _value(numbering, "ilvl")
            return ("item", int(depth) if depth.isdecimal() else 0) if listed else ("paragraph", 0)
        return ("item", 0) if listed else ("paragraph", 0)

    def _style(self, name: str) -> tuple[int | None, bool]:
        """Give a style's outline level, from 0, and whether it makes list items."""
        chain: list[str] = []
        while name not in self._known and name not in chain and name in self._styles:
            chain.append(name)
            name = _value(self._styles[name], "basedOn")
        level, listed = self._known.get(name, (_by_name(name), False))
        for link in reversed(chain):
            style = self._styles[link]
            settings = child(style, "pPr")
            own = _outline(settings) if settings is not None else None
            own = own if own is not None else _by_name(_value(style, "name"))
            level = own if own is not None else level
            if settings is not None and (numbering := child(settings, "numPr")) is not None:
                listed = _value(numbering, "numId") != "0"
            self._known[link] = level, listed
        return level, listed


def _by_name(name: str) -> int | None:
    """Give the level, from 0, of the built-in headings; their styles need not state it."""
    folded = name.lower().replace(" ", "")
    if folded == "title":
        return 0
    number = folded.removeprefix("heading")
    return int(number) - 1 if number != folded and number in list("123456789") else None


def _outline(settings: "Element") -> int | None:
    written = _value(settings, "outlineLvl")
    return int(written) if written.isdecimal() and len(written) == 1 else None


def _value(parent: "Element", name: str) -> str:
    element = child(parent, name)
    return attribute(element, "val") if element is not None else ""


def _within(parent: "Element", name: str) -> Iterator["Element"]:
    """Give the rows or cells of a table, through content controls and changes around them."""
    for element in parent:
        found = local(element)
        if found == name:
            yield element
        elif found in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"):
            yield from _within(element, name)


def _alternative(element: "Element") -> "Element":
    """Choose the first of what says the same in several ways (ECMA-376-3, 9.3)."""
    return next(iter(element), element)


def _symbol(code: str) -> str:
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return "" if number in _PRIVATE_USE or not 32 <= number < 0xD800 else chr(number)


LOADER = Loader("docx", 4, _SUFFIXES, _MEDIA_TYPE, load)
