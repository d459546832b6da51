"""Word's XML of 2003 (WordprocessingML of the Office 2003 schemas): paragraphs, headings by the
names of their styles, lists and tables. Text that was deleted under tracked changes is left out.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import all_text, attribute, child, local
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.tables.spanned_cells import word_rows
from rag_assistant.ingest.parsing.text_builder import TextBlock, table

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

ROOT = "wordDocument"
_PROPERTIES = {
    "Title": "title",
    "Author": "author",
    "Subject": "subject",
    "Keywords": "keywords",
    "Created": "created",
    "LastSaved": "modified",
}
_HOLDERS = frozenset({"sect", "sub-section", "annotation", "content", "body", "smartTag"})
_APART = frozenset({"footnote", "endnote", "txbxContent"})
_SETTINGS = frozenset({"pPr", "rPr", "p", "tbl"})
_LAST_LEVEL = 9


def properties(root: "Element") -> dict[str, str]:
    """Read the document properties (o:DocumentProperties)."""
    holder = child(root, "DocumentProperties")
    found: dict[str, str] = {}
    for element in holder if holder is not None else ():
        if name := _PROPERTIES.get(local(element)):
            found[name] = all_text(element)
    return tidy(found)


def blocks_of(root: "Element") -> Iterator[TextBlock]:
    """Give the blocks of the body in order."""
    body = child(root, "body")
    if body is not None:
        yield from _blocks(body, _levels(root))


def _levels(root: "Element") -> Mapping[str, int]:
    """Give the heading levels of styles by their ids: `heading 1`, in any language of Word."""
    levels: dict[str, int] = {}
    styles = child(root, "styles")
    for style in styles if styles is not None else ():
        name = child(style, "name")
        words = (attribute(name, "val") if name is not None else "").lower().split()
        if len(words) == 2 and words[0] == "heading" and words[1].isdecimal():
            levels[attribute(style, "styleId")] = min(int(words[1][:3]), _LAST_LEVEL)
        elif words == ["title"]:
            levels[attribute(style, "styleId")] = 1
    return levels


def _blocks(holder: "Element", levels: Mapping[str, int]) -> Iterator[TextBlock]:
    for element in holder:
        name = local(element)
        if name == "p":
            yield from _paragraph(element, levels)
        elif name == "tbl":
            rows = ((row, _within(row, "tc")) for row in _within(element, "tr"))
            yield from table(word_rows(rows, lambda cell: list(_blocks(cell, levels))))
        elif name in _HOLDERS and not _deleted(element):
            yield from _blocks(element, levels)


def _within(holder: "Element", name: str) -> Iterator["Element"]:
    """Give the rows of a table or the cells of a row, those within marks of changes too."""
    for element in holder:
        if local(element) == name:
            yield element
        elif local(element) in _HOLDERS and not _deleted(element):
            yield from _within(element, name)


def _paragraph(paragraph: "Element", levels: Mapping[str, int]) -> Iterator[TextBlock]:
    """Give a paragraph, then the notes and text boxes that hang on it."""
    text, apart = _words(paragraph)
    settings = child(paragraph, "pPr")
    style = child(paragraph, "pPr", "pStyle")
    level = levels.get(attribute(style, "val"), 0) if style is not None else 0
    numbering = child(settings, "listPr") if settings is not None else None
    if level:
        yield TextBlock(text, "heading", level)
    elif numbering is not None:
        depth = child(numbering, "ilvl")
        indent = attribute(depth, "val") if depth is not None else ""
        shown = child(numbering, "t")
        mark = attribute(shown, "val") if shown is not None else ""
        number = mark if any(letter.isalnum() for letter in mark) else ""
        yield TextBlock(text, "item", int(indent[:2]) if indent.isdecimal() else 0, number)
    else:
        yield TextBlock(text)
    for inner in apart:
        yield from _blocks(inner, levels)


def _words(paragraph: "Element") -> tuple[str, list["Element"]]:
    """Give the words of a paragraph's line, and the elements in it that hold paragraphs."""
    words: list[str] = []
    apart: list[Element] = []
    waiting = list(reversed(paragraph))
    while waiting:
        element = waiting.pop()
        name = local(element)
        if name == "t":
            words.append(element.text or "")
        elif name in ("tab", "br", "cr"):
            words.append(" " if name == "tab" else "\n")
        elif name == "noBreakHyphen":
            words.append("-")
        elif name in _APART:
            apart.append(element)
        elif name not in _SETTINGS and not _deleted(element):
            waiting.extend(reversed(element))
    return "".join(words), apart


def _deleted(element: "Element") -> bool:
    return local(element) == "annotation" and attribute(element, "type") == "Word.Deletion"
