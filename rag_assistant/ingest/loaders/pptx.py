"""Presentations (.pptx and its kin, ECMA-376-1, 19): a page for each slide with its title as the
heading, then its texts, tables, charts, what is said of its pictures, speaker's notes and comments.
Slide numbers and dates are
left out, and a footer is kept once.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError, NothingToRead
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local, parse
from rag_assistant.ingest.parsing.office.drawing import (
    chart_blocks,
    image_block,
    is_drawn,
    paragraph_text,
)
from rag_assistant.ingest.parsing.office.opc import (
    Relation,
    main_part,
    properties,
    relation_id,
    relations,
)
from rag_assistant.ingest.parsing.office.reviewing import review_facts
from rag_assistant.ingest.parsing.office.slide_styles import (
    TITLES,
    Inherited,
    SlideStyles,
    placeholder,
    shapes,
)
from rag_assistant.ingest.parsing.office.slide_text import slide_paragraphs
from rag_assistant.ingest.parsing.tables.spanned_cells import spanned
from rag_assistant.ingest.parsing.text_builder import (
    BlockCell,
    BlockRow,
    TextBlock,
    TextBuilder,
    table,
)
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_SUFFIXES = frozenset({".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"})
_MAIN = "ppt/presentation.xml"
_BULLETED = frozenset({"", "body", "obj"})
_NUMBERS = frozenset({"sldNum", "dt", "hdr"})


def load(source: LoadInput) -> list[Document]:
    """Read a presentation. Slides that cannot be read are named in the metadata."""
    container = ZipContainer(source.data)
    main = main_part(container, _MAIN)
    root = parse(container.read(main), main)
    deck = _Deck(container, main, root)
    builder = TextBuilder(source.most)
    for number, slide in enumerate(_slides(root, relations(container, main)), 1):
        builder.page(number)
        builder.write(deck.slide(slide))
    if builder.empty:
        raise LoadError(deck.reason) if deck.reason else NothingToRead("no text in it")
    metadata = properties(container) | review_facts((), deck.commenters)
    if deck.unreadable:
        metadata["unreadable"] = ", ".join(deck.unreadable)
    return [builder.document(_MEDIA_TYPE, metadata)]


def _slides(root: "Element", found: dict[str, Relation]) -> Iterator[str]:
    """Give the names of the slides, in the order of the presentation."""
    listed = child(root, "sldIdLst")
    seen: set[str] = set()
    for element in listed if listed is not None else ():
        relation = found.get(relation_id(element))
        if relation is not None and relation.target not in seen:
            seen.add(relation.target)
            yield relation.target


class _Deck:
    """Gives the blocks of slides, and remembers what is said once for all of them."""

    def __init__(self, container: ZipContainer, main: str, root: "Element") -> None:
        self.unreadable: list[str] = []
        self.reason = ""  # why the first of these could not be read
        self.commenters: list[str] = []  # who wrote each comment
        self._container = container
        self._styles = SlideStyles(container, root, self._tree)
        self._footers: set[str] = set()
        self._authors: dict[str, str] = {}
        for relation in relations(container, main).values():
            if relation.kind in ("commentAuthors", "authors"):
                for author in self._tree(relation.target):
                    self._authors[attribute(author, "id")] = attribute(author, "name")

    def slide(self, name: str) -> Iterator[TextBlock]:
        drawn = list(shapes(self._tree(name)))
        # The title first: it is often drawn last.
        drawn.sort(key=lambda shape: _role(shape) not in TITLES)
        inherited = self._styles.of(name)
        for shape in drawn:
            yield from self._shape(shape, inherited)
        found = _relations(self._container, name)
        for relation in found:
            if is_drawn(relation):
                yield from self._chart(relation.target)
        for relation in found:
            if relation.kind == "notesSlide":
                yield from self._notes(relation.target)
            elif relation.kind == "comments":
                yield from self._comments(relation.target)

    def _tree(self, name: str) -> "list[Element]":
        """Give the children of a part's root: none, if it cannot be read."""
        try:
            return list(parse(self._container.read(name), name))
        except LoadError as error:
            self.reason = self.reason or error.message
            self.unreadable.append(name)
            return []

    def _shape(self, shape: "Element", inherited: Inherited) -> Iterator[TextBlock]:
        role = _role(shape)
        if role in _NUMBERS:
            return
        if local(shape) == "tbl":
            yield from _table(shape)
            return
        yield TextBlock("", "gap")
        yield image_block(_told(shape))
        if local(shape) == "pic":
            return
        # Of a slide without a master, the texts that masters have bullets for are lists.
        bulleted = inherited.master.absent and role in _BULLETED
        blocks = list(slide_paragraphs(shape, inherited.styles(shape), bulleted=bulleted))
        text = " ".join(block.shown for block in blocks if block.shown)
        if role in TITLES:
            mark = next((block.mark for block in blocks), "")
            yield TextBlock(text.removeprefix(mark).strip(), "heading", 1, mark)
        elif role != "ftr":
            yield from blocks
        elif text not in self._footers:
            self._footers.add(text)
            yield TextBlock(text)

    def _chart(self, name: str) -> Iterator[TextBlock]:
        for part in self._tree(name):
            yield from chart_blocks(part)

    def _notes(self, name: str) -> Iterator[TextBlock]:
        for shape in shapes(self._tree(name)):
            if _role(shape) not in _NUMBERS | {"sldImg", "ftr"}:
                text = "\n".join(
                    block.shown for block in slide_paragraphs(shape, (), bulleted=False)
                )
                if text.strip():
                    yield TextBlock(f"Notes: {text}")

    def _comments(self, name: str) -> Iterator[TextBlock]:
        for comment in self._tree(name):
            author = self._authors.get(attribute(comment, "authorId"), "")
            label = f"Comment ({author})" if author else "Comment"
            words = [element.text or "" for element in comment.iter("{*}text")]
            words += [paragraph_text(element) for element in comment.iter("{*}p")]
            if text := " ".join(words).strip():
                self.commenters.append(author)
                yield TextBlock(f"{label}: {text}")


def _relations(container: ZipContainer, name: str) -> list[Relation]:
    try:
        return list({found.target: found for found in relations(container, name).values()}.values())
    except LoadError:
        return []


def _role(shape: "Element") -> str:
    return placeholder(shape)[0]


def _told(shape: "Element") -> str:
    """Give what is said of a shape or picture to those who cannot see it."""
    for properties_ in shape:
        drawn = child(properties_, "cNvPr")
        if drawn is not None:
            return attribute(drawn, "descr") or attribute(drawn, "title")
    return ""


def _table(element: "Element") -> Iterator[TextBlock]:
    rows = (row for row in element if local(row) == "tr")
    settings = child(element, "tblPr")
    named = settings is not None and settings.get("firstRow") in ("1", "true")
    yield from table(
        BlockRow(list(_cells(row)), head=named and not number) for number, row in enumerate(rows)
    )


def _cells(row: "Element") -> Iterator[BlockCell]:
    for column, cell in enumerate(one for one in row if local(one) == "tc"):
        blocks = list(slide_paragraphs(cell, (), bulleted=False))
        yield BlockCell(column, blocks, spanned(cell, "gridSpan"), spanned(cell, "rowSpan"))


LOADER = Loader("pptx", 4, _SUFFIXES, _MEDIA_TYPE, load)
