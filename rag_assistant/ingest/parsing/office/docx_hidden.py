"""Why nobody sees the words of a run of a Word document: hidden, white on white, or tiny.

White words in a table or a text box may stand on a colour, which only a program that lays the page
out can tell; they count as seen.
"""

from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.hidden_marks import (
    NOT_SHOWN,
    OF_THE_PAGES_COLOUR,
    TOO_SMALL,
)
from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_OFF = ("0", "false", "off")
_TINY_HALF_POINTS = 4
_LIGHTEST = 0xF5


def why_hidden(run: "Element") -> str:
    """Give the reason, empty for words that are seen (ECMA-376-1, 17.3.2)."""
    settings = child(run, "rPr")
    if settings is None:
        return ""
    vanish = child(settings, "vanish")
    if vanish is not None and attribute(vanish, "val") not in _OFF:
        return NOT_SHOWN
    size = child(settings, "sz")
    written = attribute(size, "val") if size is not None else ""
    if written.isdecimal() and int(written) <= _TINY_HALF_POINTS:
        return TOO_SMALL
    colour = child(settings, "color")
    if colour is not None and _is_white(attribute(colour, "val")) and _on_paper(run, settings):
        return OF_THE_PAGES_COLOUR
    return ""


def _is_white(written: str) -> bool:
    try:
        parts = bytes.fromhex(written)
    except ValueError:
        return False
    return len(parts) == 3 and min(parts) >= _LIGHTEST


def _on_paper(run: "Element", settings: "Element") -> bool:
    """Whether nothing is known to lie between the words and the page."""
    if child(settings, "shd") is not None or child(settings, "highlight") is not None:
        return False
    for above in run.iterancestors():
        name = local(above)
        if name in ("tc", "txbxContent"):
            return False
        paragraph = child(above, "pPr") if name == "p" else None
        if paragraph is not None and child(paragraph, "shd") is not None:
            return False
    return True
