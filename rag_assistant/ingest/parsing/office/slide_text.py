"""The paragraphs of a shape on a slide (ECMA-376-1, 21.1.2), with the numbers and bullets that they
show.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child, local
from rag_assistant.ingest.parsing.office.drawing import paragraph_text
from rag_assistant.ingest.parsing.office.list_numbers import ListLevel, ListNumbers
from rag_assistant.ingest.parsing.text_builder import TextBlock

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DEEPEST = 8
_BULLETS = ("buNone", "buChar", "buBlip", "buAutoNum")
_SCHEME = re.compile(r"(.*?)(ParenBoth|ParenR|Period|Plain|Minus)?")
_AROUND = {"ParenBoth": "({})", "ParenR": "{})", "Period": "{}.", "Minus": "- {} -"}


def slide_paragraphs(
    shape: "Element", styles: "Iterable[Element]", *, bulleted: bool
) -> Iterator[TextBlock]:
    """Give the paragraphs of a shape. What they do not say of their bullets, the first of `styles`
    that does says for their depth; `bulleted`: where none does, they are list items.
    """
    numbers: dict[int, tuple[str, ListNumbers]] = {}  # of each depth: its scheme, and its count
    for paragraph in shape.iter("{*}p"):
        settings = child(paragraph, "pPr")
        written = attribute(settings, "lvl") if settings is not None else ""
        depth = min(int(written), _DEEPEST) if written.isdecimal() else 0
        text = paragraph_text(paragraph)
        bullet = _bullet(settings, styles, depth)
        kind = local(bullet) if bullet is not None else ""
        mark = ""
        if text.strip():  # an empty paragraph shows no number, and counts as none
            # What is deeper starts anew; other bullets, and plain paragraphs, end the count here.
            kept = {at: one for at, one in numbers.items() if at < depth}
            if kind == "buAutoNum" and bullet is not None:
                kept[depth] = _counted(bullet, numbers.get(depth))
                mark = kept[depth][1].next(0)
            numbers = kept
        item = kind in _BULLETS[1:] or (bulleted and not kind)
        yield TextBlock(text, "item" if item else "paragraph", depth, mark)


def _bullet(
    settings: "Element | None", styles: "Iterable[Element]", depth: int
) -> "Element | None":
    for place in (settings, *(child(style, f"lvl{depth + 1}pPr") for style in styles)):
        for element in place if place is not None else ():
            if local(element) in _BULLETS:
                return element
    return None


def _counted(bullet: "Element", before: tuple[str, ListNumbers] | None) -> tuple[str, ListNumbers]:
    """Go on with the count of this depth, unless its scheme or its start is another one."""
    scheme, start = attribute(bullet, "type"), attribute(bullet, "startAt")
    if before is not None and before[0] == f"{scheme} {start}":
        return before
    found = _SCHEME.fullmatch(scheme)
    form, around = (found[1], found[2]) if found else (scheme, "")
    pattern = _AROUND.get(around or "", "{}").format("%1")
    first = int(start) if start.isdecimal() and len(start) < 6 else 1
    return f"{scheme} {start}", ListNumbers({0: ListLevel(form, pattern, first)})
