"""Marks round words that nobody sees, on their way from a loader's parts to the whole text.

Loaders put them round words where they meet them; when a document is complete they are taken out
again and become spans (`documents.HiddenText`), so that no step between needs to count offsets.
"""

import re
from bisect import bisect_left
from dataclasses import replace

from rag_assistant.values.documents import Document, Heading, HiddenText, PageStart
from rag_assistant.values.tables import DocumentTable

# Noncharacters (Unicode 15.0, 23.7), which no text has: one for each reason, and one for the end.
_FIRST, _END = 0xFDD0, "\ufdef"
_MARK = re.compile("[\ufdd0-\ufdef]")
_MARKED = re.compile("([\ufdd0-\ufdee])([^\ufdd0-\ufdef]*)\ufdef?")

OF_THE_PAGES_COLOUR = "hidden: in the colour of the page"
TOO_SMALL = "hidden: in type too small to read"
OFF_THE_PAGE = "hidden: placed where nobody sees it"
NOT_SHOWN = "hidden: marked as not to be shown"
LEFT_OUT = "not indexed: hidden text"
COMMENT = "not indexed: a comment in the page"
_REASONS = (OF_THE_PAGES_COLOUR, TOO_SMALL, OFF_THE_PAGE, NOT_SHOWN, LEFT_OUT, COMMENT)
_NOT_IN_TEXT = (LEFT_OUT, COMMENT)


def hide(words: str, reason: str) -> str:
    """Put marks round words, the white space at their ends left outside.

    Words hidden as `LEFT_OUT` or `COMMENT` do not come into the text.
    """
    plain = _MARK.sub("", words)
    inner = plain.strip()
    if not inner:
        return plain
    mark = chr(_FIRST + _REASONS.index(reason))
    if reason in _NOT_IN_TEXT:
        return f"{mark}{inner}{_END}"
    start = plain.index(inner)
    return f"{plain[:start]}{mark}{inner}{_END}{plain[start + len(inner) :]}"


def without_marks(text: str) -> str:
    """Take marks out of a title or a value."""
    return _MARK.sub("", text) if _END in text else text


def resolved(document: Document) -> Document:
    """Give a document without marks, with the spans that they stood round."""
    if _END not in document.text:
        return document
    parts: list[str] = []
    hidden: list[HiddenText] = []
    cuts: list[tuple[int, int]] = [(0, 0)]  # places in the marked text, and what went before them
    length = position = removed = 0
    for found in _MARKED.finditer(document.text):
        before = document.text[position : found.start()]
        reason, words = _REASONS[min(ord(found[1]) - _FIRST, len(_REASONS) - 1)], found[2]
        stays = "" if reason in _NOT_IN_TEXT else words
        parts += [before, stays]
        start = length + len(before)
        length = start + len(stays)
        hidden.append(HiddenText(start, length, reason, "" if stays else words))
        gone, removed = removed, removed + len(found[0]) - len(stays)
        if stays:
            cuts.append((found.start() + 1, gone + 1))
        cuts.append((found.end(), removed))
        position = found.end()
    parts.append(document.text[position:])
    text = _MARK.sub("", "".join(parts))
    return replace(
        document,
        text=text,
        title=without_marks(document.title),
        headings=tuple(
            Heading(
                _moved(one.start, cuts, text),
                one.level,
                without_marks(one.title),
                None if one.end is None else _moved(one.end, cuts, text),
            )
            for one in document.headings
        ),
        pages=tuple(PageStart(_moved(one.start, cuts, text), one.number) for one in document.pages),
        section_ends=tuple(_moved(place, cuts, text) for place in document.section_ends),
        metadata={name: without_marks(value) for name, value in document.metadata.items()},
        hidden=(*document.hidden, *hidden),
        tables=tuple(_table_moved(table, cuts, text) for table in document.tables),
    )


def _table_moved(table: DocumentTable, cuts: list[tuple[int, int]], text: str) -> DocumentTable:
    cells = tuple(
        replace(
            cell,
            text=without_marks(cell.text),
            start=(start := _moved(cell.start, cuts, text)),
            end=max(start, _moved(cell.end, cuts, text)),
        )
        for cell in table.cells
    )
    return replace(
        table,
        cells=cells,
        caption=without_marks(table.caption),
        start=_moved(table.start, cuts, text),
        end=_moved(table.end, cuts, text),
    )


def _moved(offset: int, cuts: list[tuple[int, int]], text: str) -> int:
    cut = cuts[bisect_left(cuts, (offset + 1,)) - 1]
    return max(0, min(offset - cut[1], len(text)))
