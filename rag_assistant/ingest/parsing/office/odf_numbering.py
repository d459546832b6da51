"""The numbers of an OpenDocument text (OASIS OpenDocument 1.3, part 3, 16.30 to 16.34): of headings
by the outline, of list items by the styles of lists.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local
from rag_assistant.ingest.parsing.office.list_numbers import DEEPEST_LEVEL, ListLevel, ListNumbers

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MOST_COUNTED = 9  # digits of a number that is believed
_LONGEST_CHAIN = 20  # styles that inherit from one another
_FORMS = {"1": "decimal"}
_LETTERS = {"a": "lowerLetter", "A": "upperLetter"}  # aa, bb, cc after z


class OdfNumbering:
    """Counts the headings and the items of lists, in the order of the text."""

    def __init__(self, roots: "Iterable[Element]") -> None:
        self._styles: dict[str, dict[int, ListLevel]] = {}
        self._paragraphs: dict[str, Element] = {}
        outline: dict[int, ListLevel] = {}
        for root in roots:
            holders = (child(root, name) for name in ("styles", "automatic-styles"))
            for element in (one for holder in holders if holder is not None for one in holder):
                name = attribute(element, "name")
                if local(element) == "list-style":
                    self._styles[name] = _levels(element)
                elif local(element) == "outline-style":
                    outline = _levels(element)
                elif attribute(element, "family") == "paragraph":
                    self._paragraphs[name] = element
        self._outline = ListNumbers(outline)
        self._lists: dict[str, ListNumbers] = {}  # of the list that is open, by style
        self._by_style: dict[str, ListNumbers] = {}  # the last of each style
        self._by_id: dict[str, dict[str, ListNumbers]] = {}

    def begin_list(self, element: "Element") -> dict[str, ListNumbers]:
        """Begin a list that is in no other, or go on with one that was before.

        Gives what `end_list` is to be handed: a text box in an item may hold a list of its own.
        """
        before, goes_on = self._lists, attribute(element, "continue-list")
        self._lists = {}
        if goes_on in self._by_id:
            self._lists = self._by_id[goes_on]
        elif attribute(element, "continue-numbering") == "true":
            name = attribute(element, "style-name")
            self._lists = {name: self._by_style[name]} if name in self._by_style else {}
        if identity := attribute(element, "id"):
            self._by_id[identity] = self._lists
        return before

    def end_list(self, before: dict[str, ListNumbers]) -> None:
        """Go on with the list that was open before."""
        self._lists = before

    def item(self, style: str, depth: int, item: "Element", paragraph: str) -> str:
        """Count an item of a list of a style, else of that of its paragraph's style."""
        name = style or self._list_style(paragraph) or ""
        if not 0 <= depth < DEEPEST_LEVEL:
            return ""
        if name not in self._lists:
            self._lists[name] = ListNumbers(self._styles.get(name, {}))
        self._by_style[name] = self._lists[name]
        return self._lists[name].next(depth, _whole(attribute(item, "start-value")))

    def heading(self, element: "Element", level: int) -> str:
        """Count a heading of a level, from 1, that is in no list; empty where it has no number."""
        if attribute(element, "is-list-header") == "true":
            return ""
        if self._list_style(attribute(element, "style-name")) == "":
            return ""
        anew = attribute(element, "restart-numbering") == "true"
        start = _whole(attribute(element, "start-value")) if anew else None
        return self._outline.next(level - 1, start)

    def _list_style(self, paragraph: str) -> str | None:
        """Give the style of lists that a style of paragraphs names: "" for none, None if unsaid."""
        for _ in range(_LONGEST_CHAIN):
            style = self._paragraphs.get(paragraph)
            if style is None:
                return None
            for key, value in style.attrib.items():
                if str(key).endswith("}list-style-name"):
                    return str(value)
            paragraph = attribute(style, "parent-style-name")
        return None


def _levels(style: "Element") -> dict[int, ListLevel]:
    """Give the levels, from 0, of a style of lists or of the outline."""
    stated = {
        level - 1: element
        for element in style
        if (level := _whole(attribute(element, "level"))) and level <= DEEPEST_LEVEL
    }
    forms = {level: _form(element) for level, element in stated.items()}
    found: dict[int, ListLevel] = {}
    for level, element in stated.items():
        start = _whole(attribute(element, "start-value"))
        pattern = ""
        if forms[level]:
            shown = _whole(attribute(element, "display-levels")) or 1
            with_numbers = [at for at in range(level - shown + 1, level + 1) if forms.get(at)]
            numbers = ".".join(f"%{at + 1}" for at in with_numbers)
            before, after = attribute(element, "num-prefix"), attribute(element, "num-suffix")
            pattern = f"{before}{numbers}{after}"
        found[level] = ListLevel(forms[level], pattern, 1 if start is None else start)
    return found


def _form(element: "Element") -> str:
    """Give the form of a level's numbers, empty for a bullet, a picture or none."""
    if not local(element).endswith(("-number", "outline-level-style")):
        return ""
    form = attribute(element, "num-format")
    if attribute(element, "num-letter-sync") == "true":
        return _LETTERS.get(form, form)
    return _FORMS.get(form, form)


def _whole(written: str) -> int | None:
    return int(written) if written.isdecimal() and len(written) <= _MOST_COUNTED else None
