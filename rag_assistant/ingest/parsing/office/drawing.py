"""DrawingML (ECMA-376-1, 20 and 21), which all Office files share: the texts of charts, diagrams
and drawings, and what is said of pictures.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, local
from rag_assistant.ingest.parsing.office.opc import Relation
from rag_assistant.ingest.parsing.text_builder import TextBlock

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DRAWN = frozenset({"chart", "chartEx", "diagramData"})
_GENERATED = re.compile(
    r"\s*(?:Description automatically generated.*|AI-generated content may be incorrect\.?)",
    re.DOTALL,
)
_FILE_NAME = re.compile(
    r"\S*[/\\]?[^\s/\\]+\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg)", re.IGNORECASE
)


def is_drawn(relation: Relation) -> bool:
    """Say whether a relation leads to a chart or diagram, which `chart_blocks` reads."""
    return relation.kind in _DRAWN


def chart_blocks(root: "Element") -> Iterator[TextBlock]:
    """Give the texts of a chart, diagram or drawing, and the names of a chart's series."""
    seen: set[str] = set()
    for element in root.iter("{*}p", "{*}strCache"):
        if local(element) == "p":
            text = paragraph_text(element)
        else:
            values = (value.text or "" for value in element.iter("{*}v"))
            text = ", ".join(value.strip() for value in values)
        if text.strip() and text not in seen:  # each series repeats the categories
            seen.add(text)
            yield TextBlock(text)


def paragraph_text(paragraph: "Element") -> str:
    """Give the text of a paragraph of DrawingML (`a:p`)."""
    words: list[str] = []
    for element in paragraph.iter("{*}t", "{*}br", "{*}tab"):
        if local(element) == "t":
            holder = element.getparent()
            if holder is not None and attribute(holder, "type") != "slidenum":
                words.append(element.text or "")
        else:
            words.append("\n" if local(element) == "br" else " ")
    return "".join(words)


def image_block(told: str) -> TextBlock:
    """Give the block of what is said of a picture to those who cannot see it.

    A file's name, and what programs add to words of their own making, is left out.
    """
    words = " ".join(_GENERATED.sub("", told).split())
    shown = f"Image: {words}" if words and not _FILE_NAME.fullmatch(words) else ""
    return TextBlock(shown, "picture")
