"""The text of XML of no known kind: what stands between its tags, a line for each paragraph or
record, and the attributes that hold words for people. Tags themselves are never text.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import all_text, local
from rag_assistant.ingest.parsing.text_builder import TextBlock, row_block

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_NAMES = frozenset({"title", "head", "heading"})
_SPOKEN = frozenset("title label name text caption description summary alt displayname".split())
_LONGEST_FIELD = 200  # characters; what is longer in a record is a paragraph of its own
_DEEPEST_HEADING = 6


def blocks_of(root: "Element") -> Iterator[TextBlock]:
    """Give the text under `root` in the order of the file.

    An element with words of its own is a paragraph; one whose children are all short and without
    children is a record, on one line; a title among other parts is a heading, by its depth.
    """
    waiting: list[tuple[Element, int]] = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        if not local(element):  # what is left of an entity that was not resolved
            continue
        if said := _spoken(element):
            yield TextBlock(said)
        if not len(element) or _has_words(element):
            yield _leaf(element, depth)
        elif fields := _record(element):
            yield TextBlock(row_block(enumerate(fields)).text, "row")
        else:
            waiting.extend((child, depth + 1) for child in reversed(element))


def _leaf(element: "Element", depth: int) -> TextBlock:
    if local(element).lower() in _NAMES and element.getnext() is not None:
        return TextBlock(all_text(element), "heading", min(max(depth, 1), _DEEPEST_HEADING))
    return TextBlock(all_text(element))


def _has_words(element: "Element") -> bool:
    """Say whether text stands beside the children of an element, as in prose."""
    if element.text and element.text.strip():
        return True
    return any(child.tail and child.tail.strip() for child in element)


def _record(element: "Element") -> list[str]:
    """Give the fields of a record; none for an element that is no record."""
    fields: list[str] = []
    for child in element:
        # A cell of a table has one element within it that holds its value.
        value = child[0] if len(child) == 1 and not (child.text or "").strip() else child
        if len(value) or len(value.text or "") > _LONGEST_FIELD:
            return []
        fields.append(_spoken(child) or "")
        fields.append(all_text(child))
    return [field for field in fields if field]


def _spoken(element: "Element") -> str:
    """Give the attributes that are words: those named so, and those of several words."""
    found: list[str] = []
    for key, value in element.attrib.items():
        name = str(key).rpartition("}")[2].lower()
        words = " ".join(str(value).split())
        if name in _SPOKEN or (" " in words and name not in ("class", "style", "schemalocation")):
            found.append(words)
    return " | ".join(found)
