"""The list styles that the shapes of a slide take over from its layout and its master (ECMA-376-1,
19.3.1.36 and 19.3.1.51).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local
from rag_assistant.ingest.parsing.office.opc import relations
from rag_assistant.ingest.parsing.zip_container import ZipContainer

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

TITLES = frozenset({"title", "ctrTitle"})
"""Kinds of placeholders for the title of a slide."""

NO_PLACEHOLDER = "none"
_FIXED = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})


class SlideStyles:
    """Knows the layouts and masters of a presentation, each read once.

    `tree` reads the children of a part's root, none of a part that cannot be read.
    """

    def __init__(
        self, container: ZipContainer, main: "Element", tree: "Callable[[str], list[Element]]"
    ) -> None:
        self._container = container
        self._default = child(main, "defaultTextStyle")
        self._tree = tree
        self._read: dict[str, _Part] = {}

    def of(self, slide: str) -> "Inherited":
        """Give what the shapes of a slide take over."""
        layout = self._related(slide, "slideLayout")
        master = self._part(self._related(layout, "slideMaster"))
        return Inherited(self._part(layout), master, self._default)

    def _related(self, part: str, kind: str) -> str:
        try:
            found = relations(self._container, part).values() if part else ()
        except LoadError:
            return ""
        return next((relation.target for relation in found if relation.kind == kind), "")

    def _part(self, name: str) -> "_Part":
        if name not in self._read:
            self._read[name] = _Part(self._tree(name) if name else [])
        return self._read[name]


@dataclass(frozen=True, slots=True)
class Inherited:
    """The layout and the master of a slide, and what its presentation says of all other text."""

    layout: "_Part"
    master: "_Part"
    default: "Element | None"

    def styles(self, shape: "Element") -> "list[Element]":
        """Give the list styles of a shape, those that go before the others first."""
        role, index = placeholder(shape)
        found = [child(shape, "txBody", "lstStyle")]
        if role != NO_PLACEHOLDER:
            # A layout's placeholder may be of another kind than what the slide calls its own.
            role, style = self.layout.held(role, index)
            found += [style, self.master.held(role)[1]]
        found.append(self.master.text_styles.get(_general(role)))
        if role == NO_PLACEHOLDER:
            found.append(self.default)
        return [style for style in found if style is not None]


class _Part:
    """The placeholders and text styles of a layout or master, of the children of its root."""

    def __init__(self, children: "list[Element]") -> None:
        self.absent = not children
        self.text_styles: dict[str, Element] = {}  # "title", "body" and "other"
        self._placed: dict[str, tuple[str, Element | None]] = {}  # kind and style, by the index
        self._kinds: dict[str, Element | None] = {}
        for element in children:
            if local(element) == "txStyles":
                self.text_styles = {local(one).removesuffix("Style"): one for one in element}
            elif local(element) == "cSld":
                self._take(shapes(element))

    def _take(self, found: "Iterable[Element]") -> None:
        for shape in found:
            role, index = placeholder(shape)
            if role != NO_PLACEHOLDER:
                style = child(shape, "txBody", "lstStyle")
                self._placed.setdefault(index, (role, style))
                self._kinds.setdefault(role, style)
                self._kinds.setdefault(_general(role), style)

    def held(self, role: str, index: str = "") -> "tuple[str, Element | None]":
        """Give the kind and the style of the placeholder that one takes after, if there is one."""
        if index in self._placed:
            return self._placed[index]
        return role, self._kinds.get(role, self._kinds.get(_general(role)))


def placeholder(shape: "Element") -> tuple[str, str]:
    """Give the kind of a placeholder, `NO_PLACEHOLDER` for another shape, and its index."""
    for properties in shape:
        holder = child(properties, "nvPr", "ph")
        if holder is not None:
            return attribute(holder, "type"), attribute(holder, "idx") or "0"
    return NO_PLACEHOLDER, ""


def shapes(parents: "Iterable[Element]") -> "Iterator[Element]":
    """Give the shapes with text, tables and pictures, in order, out of groups and frames."""
    for element in parents:
        name = local(element)
        if name in ("sp", "cxnSp", "tbl", "txSp", "pic"):
            yield element
        elif name == "AlternateContent":  # the same in several ways: the first
            yield from shapes(next(iter(element), element))
        else:
            yield from shapes(element)


def _general(role: str) -> str:
    """Give the kind that a master has for it: one title, one body, and the text of what is left."""
    if role in _FIXED or role == NO_PLACEHOLDER:
        return "other"
    return "title" if role in TITLES else "body"
