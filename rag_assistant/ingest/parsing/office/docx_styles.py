"""What the styles and settings of a Word document's paragraphs make of them (ECMA-376-1, 17.7):
headings, captions, list items, and the numbers that they show.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local
from rag_assistant.ingest.parsing.office.docx_numbering import (
    DocxNumbering,
    is_on,
    value_of,
)
from rag_assistant.ingest.parsing.text_builder import TextBlock

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DEEPEST_HEADING = 9  # outline levels are counted from 0; 9 is body text


@dataclass(frozen=True, slots=True)
class _Style:
    """`outline` is the level of a heading, from 0; `list_id` that of its list, `list_style` the
    style in the chain that put it there, and `list_level` the level that this one states.
    """

    outline: int | None = None
    list_id: str = ""
    list_style: str = ""
    list_level: int = 0
    caption: bool = False


class DocxStyles:
    """The styles of a document's paragraphs, with the numbering that they refer to."""

    def __init__(self, roots: "Iterable[Element]", numbering: DocxNumbering) -> None:
        self._numbering = numbering
        self._styles = {
            attribute(style, "styleId"): style
            for root in roots
            for style in root
            if local(style) == "style" and attribute(style, "type") in ("paragraph", "")
        }
        self._known: dict[str, _Style] = {"": _Style()}

    def block(self, settings: "Element | None", text: str, *, captioned: bool) -> TextBlock:
        """Give the block of a paragraph with these settings (`w:pPr`), and count it in its list.

        `captioned`: its words say that it is a caption.
        """
        if settings is None:
            return TextBlock(text, "caption" if captioned else "paragraph")
        name = value_of(settings, "pStyle")
        style = self._style(name)
        outline = _outline(settings)
        outline = outline if outline is not None else style.outline
        list_id, level = self._list(settings, style)
        mark = self._numbering.counts.mark(list_id, level) if list_id else ""
        if outline is not None and 0 <= outline < _DEEPEST_HEADING:
            return TextBlock(text, "heading", outline + 1, mark)
        if (captioned or style.caption) and not mark:
            return TextBlock(text, "caption", int(is_on(settings, "keepNext")))
        return TextBlock(text, "item", level, mark) if list_id else TextBlock(text)

    def _list(self, settings: "Element", style: _Style) -> tuple[str, int]:
        """Give the list of a paragraph, empty for none, and its level from 0."""
        own = child(settings, "numPr")
        number = value_of(own, "numId") if own is not None else ""
        depth = value_of(own, "ilvl") if own is not None else ""
        list_id = number or style.list_id
        if list_id == "0" or not list_id:
            return "", 0
        if depth.isdecimal():
            return list_id, int(depth[:2])
        bound = self._numbering.level_of_style(list_id, style.list_style)
        return list_id, bound if bound is not None else style.list_level

    def _style(self, name: str) -> _Style:
        """Give what a style says with those that it is based on."""
        chain: list[str] = []
        while name not in self._known and name not in chain and name in self._styles:
            chain.append(name)
            name = value_of(self._styles[name], "basedOn")
        found = self._known.get(name, _Style(_by_name(name), caption=name.lower() == "caption"))
        for link in reversed(chain):
            style = self._styles[link]
            settings = child(style, "pPr")
            own = _outline(settings) if settings is not None else None
            name = value_of(style, "name").lower()
            own = own if own is not None else _by_name(name)
            found = replace(
                found,
                outline=own if own is not None else found.outline,
                caption=found.caption or name == "caption",
            )
            if settings is not None and (numbering := child(settings, "numPr")) is not None:
                number, depth = value_of(numbering, "numId"), value_of(numbering, "ilvl")
                found = replace(
                    found,
                    list_id=number or found.list_id,
                    list_style=link,
                    list_level=int(depth[:2]) if depth.isdecimal() else found.list_level,
                )
            self._known[link] = found
        return found


def _by_name(name: str) -> int | None:
    """Give the level, from 0, of the built-in headings; their styles need not state it."""
    folded = name.lower().replace(" ", "")
    if folded == "title":
        return 0
    number = folded.removeprefix("heading")
    return int(number) - 1 if number != folded and number in list("123456789") else None


def _outline(settings: "Element") -> int | None:
    written = value_of(settings, "outlineLvl")
    return int(written) if written.isdecimal() and len(written) == 1 else None
