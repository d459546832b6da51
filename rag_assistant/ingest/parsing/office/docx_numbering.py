"""The automatic numbers of a Word document (ECMA-376-1, 17.9): which list a paragraph is in, by its
settings or its style, and what number it shows.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local
from rag_assistant.ingest.parsing.office.list_numbers import (
    ListLevel,
    NumberedList,
    NumberedLists,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MOST_COUNTED = 9  # digits of a number that is believed


class DocxNumbering:
    """The lists of a document, and their counts."""

    def __init__(self, roots: "Iterable[Element]") -> None:
        self._lists: dict[str, Element] = {}  # w:num by its id
        self._kinds: dict[str, Element] = {}  # w:abstractNum by its id
        self._by_style: dict[str, str] = {}  # the id of the w:abstractNum that a style names
        for root in roots:
            for element in root:
                if local(element) == "num":
                    self._lists[attribute(element, "numId")] = element
                elif local(element) == "abstractNum":
                    identity = attribute(element, "abstractNumId")
                    self._kinds[identity] = element
                    if style := value_of(element, "styleLink"):
                        self._by_style[style] = identity
        self.counts = NumberedLists(self._found)

    def _found(self, number_id: str) -> NumberedList | None:
        found = self._lists.get(number_id)
        if found is None:
            return None
        kind = self._kind(value_of(found, "abstractNumId"))
        overrides = [one for one in found if local(one) == "lvlOverride"]
        starts = {
            _whole(attribute(one, "ilvl")): _whole(written)
            for one in overrides
            if (written := value_of(one, "startOverride"))
        }
        own = {level: how for one in overrides for level, how in _levels(one).items()}
        return NumberedList(kind, _levels(self._kinds.get(kind)) | own, starts, bool(own))

    def level_of_style(self, number_id: str, style: str) -> int | None:
        """Give the level of a list, from 0, that is bound to a style of paragraphs."""
        found = self._lists.get(number_id)
        if found is None:
            return None
        kind = self._kinds.get(self._kind(value_of(found, "abstractNumId")))
        for level in kind if kind is not None else ():
            if local(level) == "lvl" and value_of(level, "pStyle") == style:
                return _whole(attribute(level, "ilvl"))
        return None

    def _kind(self, identity: str) -> str:
        """Give the kind of list that one stands for which only names a style of lists."""
        kind = self._kinds.get(identity)
        linked = value_of(kind, "numStyleLink") if kind is not None else ""
        return self._by_style.get(linked, identity)


def _levels(parent: "Element | None") -> dict[int, ListLevel]:
    found: dict[int, ListLevel] = {}
    for element in parent if parent is not None else ():
        if local(element) != "lvl":
            continue
        form, after = value_of(element, "numFmt") or "decimal", value_of(element, "lvlRestart")
        found[_whole(attribute(element, "ilvl"))] = ListLevel(
            form,
            "" if form == "bullet" else value_of(element, "lvlText"),
            _whole(value_of(element, "start") or "1"),
            _whole(after) if after else None,
            digits=is_on(element, "isLgl"),
        )
    return found


def _whole(written: str) -> int:
    return int(written) if written.isdecimal() and len(written) <= _MOST_COUNTED else 0


def value_of(parent: "Element", name: str, *, absent: str = "", bare: str = "") -> str:
    """Give `w:val` of a child; `absent` where there is no such child, `bare` where it has none."""
    element = child(parent, name)
    return absent if element is None else attribute(element, "val") or bare


def is_on(parent: "Element", name: str) -> bool:
    """Say whether a setting that is on or off is on."""
    return value_of(parent, name, absent="0", bare="1") not in ("0", "false", "off")
