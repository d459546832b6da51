"""Tracked changes of a Word document (ECMA-376-1, 17.13.5): what is gone, and what was changed."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CHANGES = {"ins": "insertion", "del": "deletion", "moveTo": "move"}


def is_gone(paragraph: "Element") -> bool:
    """Say whether a paragraph's end was deleted, so that it goes on with the next one."""
    settings = child(paragraph, "pPr", "rPr")
    return settings is not None and any(local(one) in ("del", "moveFrom") for one in settings)


def is_gone_row(row: "Element") -> bool:
    """Say whether a row of a table was deleted."""
    return child(row, "trPr", "del") is not None


def changes(roots: "Iterable[Element]") -> Iterator[tuple[str, str]]:
    """Give the kind of each tracked change with its author."""
    for root in roots:
        for change in root.iter(*(f"{{*}}{name}" for name in _CHANGES)):
            above = change.getparent()
            if above is None or local(above) != "rPr":  # of a paragraph's end, beside its words
                yield _CHANGES[local(change)], attribute(change, "author")
