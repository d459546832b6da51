"""Footnotes, endnotes and comments of a Word document (ECMA-376-1, 17.11 and 17.13.4), each given
once, with the number that it shows or the words that it is about.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, local
from rag_assistant.ingest.parsing.office.docx_numbering import value_of
from rag_assistant.ingest.parsing.office.numerals import numeral
from rag_assistant.ingest.parsing.office.reviewing import CommentedWords

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

NOTE_KINDS = ("footnote", "endnote", "comment")

_FORMS = {"footnote": "decimal", "endnote": "lowerRoman"}  # unless a document says otherwise
_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")


class DocxNotes:
    """The notes that have not been given yet, by their kind and id."""

    def __init__(self, main: "Element", roots: "Iterable[tuple[str, Element]]") -> None:
        self._notes = {
            (kind, attribute(note, "id")): note
            for kind, root in roots
            for note in root
            if attribute(note, "type") not in _SEPARATORS
        }
        self._forms = {kind: _form(main, kind, form) for kind, form in _FORMS.items()}
        self._numbers: Counter[str] = Counter()
        self.commented = CommentedWords()

    def elements(self, kind: str = "") -> "list[Element]":
        """Give those of a kind, or all, that have not been given yet."""
        return [note for (found, _), note in self._notes.items() if kind in ("", found)]

    def referred(self, reference: "Element") -> "tuple[str, Element] | None":
        """Give the note that an element refers to, with its label; None where it was given."""
        kind = local(reference).removesuffix("Reference")
        identity = attribute(reference, "id")
        number = ""
        if kind in _FORMS and not attribute(reference, "customMarkFollows"):
            self._numbers[kind] += 1
            number = numeral(self._numbers[kind], self._forms[kind])
        note = self._notes.pop((kind, identity), None)
        if note is None:
            return None
        return self._label(kind, identity, note, number), note

    def rest(self) -> "Iterator[tuple[str, Element]]":
        """Give those that nothing refers to."""
        while self._notes:
            kind, identity = next(iter(self._notes))
            note = self._notes.pop((kind, identity))
            yield self._label(kind, identity, note, ""), note

    def _label(self, kind: str, identity: str, note: "Element", number: str) -> str:
        if kind == "comment":
            return self.commented.label(identity, attribute(note, "author"))
        return f"{kind.capitalize()} {number}".strip()


def _form(main: "Element", kind: str, usual: str) -> str:
    stated = (value_of(one, "numFmt") for one in main.iter(f"{{*}}{kind}Pr"))
    return next(filter(None, stated), usual)
