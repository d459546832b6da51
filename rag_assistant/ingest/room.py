"""How much of one file is indexed, and the words for what is not.

There is one limit for all formats. A file that goes beyond it is read up to there, and what was
left out is counted, for the ledger and for the entry itself.
"""

from bisect import bisect_left
from dataclasses import replace

from rag_assistant.errors import LoadError
from rag_assistant.values.documents import Document

MOST_CHARACTERS = 40_000_000
"""Characters of one file that are indexed. Text with an emoji in it takes the most memory, and then
needs half of what a worker may have."""

ENTRY_CHARACTERS = 200
"""What each entry of a file of many costs beside its text, counted in characters."""

NOT_INDEXED = "not_indexed"
"""The name under which an entry's metadata tells what of its file is left out."""

_LINE_WITHIN = 64  # a cut goes back to a line's end within this part of the text


class TooLarge(LoadError):
    """A part of a file is larger than is read."""


class Room:
    """What is left for the entries of one file."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._empty = True

    def takes(self, characters: int) -> bool:
        """Take an entry of so many characters if it fits; the first always does."""
        if characters > self._left and not self._empty:
            return False
        self._left -= characters + ENTRY_CHARACTERS
        self._empty = False
        return True


def span(unit: str, first: int, last: int) -> str:
    """Name a run of parts, the last included: "rows 412,346 to 900,000 (487,655 rows)"."""
    many = f"{unit[:-1]}ies" if unit.endswith("y") else f"{unit}s"
    if first == last:
        return f"{unit} {first:,} (1 {unit})"
    return f"{many} {first:,} to {last:,} ({last - first + 1:,} {many})"


def why_partly(left_out: str, most: int) -> str:
    """Say what of a file is not indexed, why, and what helps."""
    size = f"{most / 1e6:g} million" if most >= 1_000_000 else f"{most:,}"
    may = f"one file may hold {size} characters"
    return f"not indexed: {left_out}: {may}. Split it into smaller files."


def with_left_out(document: Document, left_out: str) -> Document:
    """Note on a document what of its file is left out, beside what was noted before."""
    said = "; ".join(part for part in (document.left_out, left_out) if part)
    return replace(document, left_out=said)


def line_end(text: str, most: int) -> int:
    """Give where to cut a text of more than `most` characters: at a line's end, if one is near."""
    return text.rfind("\n", most - most // _LINE_WITHIN, most) + 1 or most


def within(documents: list[Document], most: int) -> list[Document]:
    """Give the documents of a file that fit, the first one cut if it alone does not.

    What is left out is noted on the last that is kept.
    """
    room, kept = Room(most), 0
    while kept < len(documents) and room.takes(len(documents[kept].text)):
        kept += 1
    fitting = [shortened(document, most) for document in documents[:1]] + documents[1:kept]
    if kept < len(documents):
        left_out = span("entry", kept + 1, len(documents))
        fitting[-1] = with_left_out(fitting[-1], left_out)
    return fitting


def shortened(document: Document, most: int) -> Document:
    """Cut a document that is longer than `most`, with what is known of its places."""
    text = document.text
    if len(text) <= most:
        return document
    end = line_end(text, most)
    left_out = span("character", end + 1, len(text))
    if document.lines_match_file and text[end - 1] == "\n":
        line = text.count("\n", 0, end)
        left_out = span("line", line + 1, line + text.count("\n", end) + (text[-1] != "\n"))
    headings = [heading.start for heading in document.headings]
    pages = [page.start for page in document.pages]
    shorter = replace(
        document,
        text=text[:end],
        headings=document.headings[: bisect_left(headings, end)],
        pages=document.pages[: bisect_left(pages, end)],
        code=tuple(part for part in document.code if part[1] <= end),
        section_ends=tuple(place for place in document.section_ends if place < end),
        hidden=tuple(part for part in document.hidden if part.end <= end),
    )
    return with_left_out(shorter, left_out)
