"""Word documents (.docx and its kin, ECMA-376-1, 17): the text in reading order with headings,
lists, their numbers, and tables with their captions. Notes, comments (with the words that they are
about) and what is said of pictures follow the paragraph that they belong to, charts, headers and
footers come once at the end; what was deleted under tracked changes is left out, and counted.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.captions import with_captions
from rag_assistant.ingest.parsing.markup.hidden_marks import hide
from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local, parse, refuse_size
from rag_assistant.ingest.parsing.office.docx_changes import changes, is_gone, is_gone_row
from rag_assistant.ingest.parsing.office.docx_hidden import why_hidden
from rag_assistant.ingest.parsing.office.docx_notes import NOTE_KINDS, DocxNotes
from rag_assistant.ingest.parsing.office.docx_numbering import DocxNumbering
from rag_assistant.ingest.parsing.office.docx_styles import DocxStyles
from rag_assistant.ingest.parsing.office.drawing import chart_blocks, image_block, is_drawn
from rag_assistant.ingest.parsing.office.opc import main_part, properties, relation_id, relations
from rag_assistant.ingest.parsing.office.reviewing import review_facts
from rag_assistant.ingest.parsing.tables.spanned_cells import word_rows
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder, table
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SUFFIXES = frozenset({".docx", ".docm", ".dotx", ".dotm"})
_MAIN = "word/document.xml"
_LEFT_OUT = frozenset(
    "del moveFrom delText delInstrText rPr pPr tblPr trPr tcPr sectPr sdtPr rt".split()
)
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_FIELDS = frozenset({"instrText", "fldSimple"})
_SEQUENCE = re.compile(
    r"\s*SEQ\s+\"?([^\s\"\\]+)"
)  # a number of its own for each word (17.16.5.56)
_BESIDE = frozenset({"txbxContent", "tbl", "docPr", *(f"{kind}Reference" for kind in NOTE_KINDS)})
_PRIVATE_USE = range(0xE000, 0xF900)  # what a symbol font shows there, no one can tell


def load(source: LoadInput) -> list[Document]:
    """Read a document. Parts beside the main one that cannot be read are named in the metadata."""
    container = ZipContainer(source.data)
    reader = _Reader(container, main_part(container, _MAIN))
    builder = TextBuilder(source.most)
    builder.write(with_captions(reader.all_blocks()))
    metadata = properties(container) | reader.facts
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
        self._styles = DocxStyles(self._parts("styles"), DocxNumbering(self._parts("numbering")))
        self._notes = DocxNotes(
            self._main, ((kind, root) for kind in NOTE_KINDS for root in self._parts(f"{kind}s"))
        )
        self._commented = self._notes.commented
        self.facts = review_facts(
            changes([self._main, *self._notes.elements()]),
            (attribute(comment, "author") for comment in self._notes.elements("comment")),
        )
        self._carried: list[str] = []  # words of a paragraph whose end was deleted

    def all_blocks(self) -> Iterator[TextBlock]:
        body = child(self._main, "body")
        if body is not None:
            yield from self._blocks(body)
        for label, note in self._notes.rest():
            yield from self._note(label, note)
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
                self._meet(name, attribute(element, "id"))
                yield from self._blocks(element)
        carried, self._carried = "".join(self._carried), []
        if carried:
            yield TextBlock(carried)

    def _paragraph(self, paragraph: "Element") -> Iterator[TextBlock]:
        words, self._carried = self._carried, []
        beside: list[Element] = []  # text boxes, tables, pictures and notes within its runs
        self._inline(paragraph, words, beside)
        self._commented.add(" ")
        gone = is_gone(paragraph)
        if not gone:
            text = "".join(words)
            captioned = any(_names(field, text) for field in beside if local(field) in _FIELDS)
            yield self._styles.block(child(paragraph, "pPr"), text, captioned=captioned)
        for element in beside:
            name = local(element)
            if name == "tbl":
                yield from self._table(element)
            elif name == "txbxContent":
                yield from self._blocks(element)
            elif name == "docPr":
                yield image_block(attribute(element, "descr") or attribute(element, "title"))
            elif found := self._notes.referred(element):
                yield from self._note(*found)
        self._carried = words if gone else []

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
            elif name in _BESIDE:
                beside.append(element)
            elif name == "AlternateContent":
                self._inline(_alternative(element), words, beside)
            elif name == "instrText":
                beside.append(element)
            elif name not in _LEFT_OUT:
                if name == "fldSimple":
                    beside.append(element)
                self._meet(name, attribute(element, "id"))
                self._inline(element, words, beside)

    def _meet(self, name: str, identity: str) -> None:
        """Take note of where the words that a comment is about start or end."""
        if name == "commentRangeStart":
            self._commented.begin(identity)
        elif name == "commentRangeEnd":
            self._commented.end(identity)

    def _seen(self, text: "Element", run: "Element") -> str:
        """Give the words of a run, marked where nobody sees them."""
        words = text.text or ""
        if reason := why_hidden(run):
            return hide(words, reason)
        self._commented.add(words)
        return words

    def _table(self, element: "Element") -> Iterator[TextBlock]:
        shown = (row for row in _within(element, "tr") if not is_gone_row(row))
        rows = ((row, _within(row, "tc")) for row in shown)
        yield from table(word_rows(rows, lambda cell: list(self._blocks(cell))))

    def _note(self, label: str, note: "Element") -> Iterator[TextBlock]:
        text = " ".join(block.shown for block in self._blocks(note)).strip()
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


def _names(field: "Element", text: str) -> bool:
    """Say whether a field numbers the tables or pictures of a kind, and the text begins with it."""
    found = _SEQUENCE.match(attribute(field, "instr") or field.text or "")
    return found is not None and text.lstrip().lower().startswith(found[1].lower())


def _symbol(code: str) -> str:
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return "" if number in _PRIVATE_USE or not 32 <= number < 0xD800 else chr(number)


LOADER = Loader("docx", 6, _SUFFIXES, _MEDIA_TYPE, load)
