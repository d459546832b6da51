"""The sentences of some sources, each with what stands around it: what an answer is chosen from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag_assistant.text.blocks import BlockKind
from rag_assistant.text.fences import GAPS
from rag_assistant.text.markdown import blocks
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.table_rows import is_rule
from rag_assistant.text.terms import terms_by_word, terms_of

_LEADING_SIGNS = re.compile(r"^(?:[>\s]*(?:[-*+•]|\d{1,3}[.)])\s+|[>\s]+)")
"""Of quotes, lists and numbered lines, in a text of any format."""

_TITLE = re.compile(r"(?:Subject|Title): ")
"""What a line begins with that says the title of a mail or a page again."""

_OF_CONTENTS = re.compile(r"\.{5,}\s*\d*$")
"""What a line of a table of contents ends with."""

_ROW = re.compile(r"\s*\|")

_MAY_BE_HEADING = re.compile(r"^[ >]{0,5}(?:#|(?:=+|-+)[ \t]*$)", re.MULTILINE)
"""What a heading begins with, or the line below it: most passages have none, and some lists."""


@dataclass(frozen=True, slots=True)
class QuotableText:
    """A passage, or an entry, to choose from, the best first. `heading` stands above it.

    `entry` tells which entry it is a passage of; "" for one that is an entry of its own.
    """

    id: int
    title: str
    text: str
    heading: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True)
class CandidateSentence:
    """A sentence, or a row: its source counted from 0, and where in the text of that it stands.

    `entry` is that of the source; `line` is it with the signs of a list before it; `heading` and
    `title` are the terms of what stands above it, `head` the row of a table's heads with the line
    below it.
    """

    place: int
    entry: str
    start: int
    end: int
    text: str
    line: str
    paragraph: int
    terms: tuple[str, ...]
    heading: frozenset[str]
    title: frozenset[str]
    head: str = ""

    @property
    def is_question(self) -> bool:
        """Whether it asks something itself."""
        return self.text.rstrip(" *_\"'”)").endswith("?")


def sentences_in(sources: Sequence[QuotableText]) -> list[CandidateSentence]:
    """Cut sources into sentences and rows; headings, gaps and lines without words are none."""
    # All words at once: to learn those of each line by themselves takes twice as long in all.
    texts = [f"{source.title}\n{source.heading}\n{source.text}" for source in sources]
    terms_by_word("\n".join(texts))
    return [one for place, source in enumerate(sources) for one in _sentences(place, source)]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into sentences, and rows of tables into no less than a row."""
    row_end = 0
    for start, stop in sentences_of(text):
        if start < row_end:
            continue
        if text[start] == "|":
            line_end = text.find("\n", start)
            row_end = len(text) if line_end < 0 else line_end
        yield start, max(stop, row_end)


def _sentences(place: int, source: QuotableText) -> Iterator[CandidateSentence]:
    text = source.text
    title, above = frozenset(terms_of(source.title)), frozenset(terms_of(source.heading))
    found = blocks(text, {BlockKind.HEADING}) if _MAY_BE_HEADING.search(text) else ()
    headings = [block for block in found if not block.depth]
    headings.reverse()
    open_headings: dict[int, frozenset[str]] = {}
    paragraph = end = heading_end = 0
    head = ""
    for (start, stop), (following, _) in pairwise([*_lines(text), (len(text), len(text))]):
        line = text[start:stop]
        if not _ROW.match(line):
            head = ""
        elif _ROW.match(below := text[following:].partition("\n")[0]) and is_rule(below):
            head, end = f"{line}\n{below}", stop
            continue
        is_gap = "[" in line and any(gap in line for gap in GAPS)
        while headings and headings[-1].start <= start:
            heading = headings.pop()
            open_headings = {n: terms for n, terms in open_headings.items() if n < heading.level}
            open_headings[heading.level] = frozenset(terms_of(text[heading.start : heading.end]))
            above = frozenset().union(*open_headings.values())
            heading_end = heading.end
        if "\n\n" in text[end:start] or start < heading_end or is_gap:
            paragraph += 1
        end = stop
        signs = _LEADING_SIGNS.match(line)
        words = start + (signs.end() if signs else 0)
        terms = tuple(terms_of(text[words:stop]))
        if start < heading_end or is_gap or not terms or is_rule(line):
            continue
        if _OF_CONTENTS.search(line) or (_TITLE.match(line) and title.issuperset(terms[1:])):
            continue
        yield CandidateSentence(
            place,
            source.entry or f"{source.id}",
            words,
            stop,
            text[words:stop],
            line,
            paragraph,
            terms,
            above,
            title,
            head,
        )
