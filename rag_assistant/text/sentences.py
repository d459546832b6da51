"""The sentences of a text, and its lines where these are no sentences: headings, items, rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_AFTER_END = r"[\"'”’)\]]*(?:\[[^\[\]\n]{1,20}\])*"
"""Quotation marks, and marks of references: "France.[12] A group"."""

_SENTENCE_END = re.compile(rf"[.!?…](?={_AFTER_END}\s){_AFTER_END}\s+|[。！？｡][」』”’）\s]*|\n+")
_MAY_END = re.compile(r"[.!?…。！？｡\n]")
"""What any end of a sentence begins with: found several times as fast."""

_ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|e\.g|i\.e|etc|vs|approx|Dr|Mr|Mrs|Ms|St|No|Fig|cf))\.$")

LONGEST_ABBREVIATION = 8
"""Characters looked back for one; looking back further takes quadratic time on "A. A. A."."""

LEAST_WIDTH, MOST_WIDTH = 40, 200
"""Characters of the longest line of a paragraph that somebody wrapped: mail has some 72."""

WRAPPED_SHARE = 0.75
"""Of the line ends of a wrapped paragraph, those after which the next word had no room."""

RAGGED = 0.7
"""Part of the upper quartile of lengths that lines have where letters are of unequal width, as in a
PDF file: what a line lacks in characters says little there of whether a word had room."""

_PROSE = re.compile(r"[^\W\d_]{3}[.!?] +[A-Z]")
"""A sentence that begins in the middle of a line: lists and programs have none."""

_GOES_ON = re.compile(r"(?:[^\W_]|[\"'”’]|(?:^|\s)\([^()]*\))[-,]?[ \t]*\Z")
"""What a line ends with in the middle of a sentence; a call in a program has no space before it."""

_BEGINS_ANEW = re.compile(r"[ \t]*(?:[-*+•>|#=~`:]|\d{1,3}[.)][ \t]|[^\s:]{1,20}:[ \t])")
"""Items, quotations, rows, headings, fences, and fields such as "Date: …"."""

_FIRST_WORD = re.compile(r"[ \t]*(\S+)")


def sentences_of(text: str) -> list[tuple[int, int]]:
    """Cut a text into sentences and lines: (start, end) spans without surrounding white space.

    A line that was wrapped, as in mail and plain text, goes on in the next one.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    paragraph = _Paragraph(0)
    for boundary in _boundaries(text):
        first, place = boundary.group()[0], boundary.start()
        if first == "\n":
            if boundary.end() - place == 1:
                if place >= paragraph.end:
                    paragraph = _Paragraph.around(text, place)
                if paragraph.goes_on_at(text, place):
                    continue
        else:
            before = max(start, place - LONGEST_ABBREVIATION)
            if _ABBREVIATION.search(text, before, place + 1):
                continue
        end = boundary.end()
        spans.append((start, end))
        start = end
    spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def _boundaries(text: str) -> Iterator[re.Match[str]]:
    place = 0
    while sign := _MAY_END.search(text, place):
        boundary = _SENTENCE_END.match(text, sign.start())
        place = boundary.end() if boundary else sign.end()
        if boundary:
            yield boundary


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(stripped)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Lines without an empty one between them, up to `end`; wrapped behind `width`, or not (0)."""

    end: int
    width: int = 0

    @classmethod
    def around(cls, text: str, place: int) -> "_Paragraph":
        """Look at the paragraph that a line's end stands in."""
        start = text.rfind("\n\n", 0, place) + 1
        end = text.find("\n\n", place)
        end = len(text) if end < 0 else end
        lines = text[start:end].strip("\n").split("\n")
        widths = [width for line in lines if (width := len(line.rstrip())) <= MOST_WIDTH]
        width = max(widths, default=0)
        if width < LEAST_WIDTH or len(lines) < 2:
            return cls(end)
        pairs = [pair for pair in pairwise(lines) if not _BEGINS_ANEW.match(pair[1])]
        # A list of long lines has some without room, too, but none that begins in lower case.
        if not any(_in_lower_case(below) for _, below in pairs):
            return cls(end)
        full = sum(_has_no_room(line, below, width) for line, below in pairs)
        if full >= WRAPPED_SHARE * len(pairs) and len(widths) == len(lines):
            return cls(end, width)
        usual = sorted(widths)[len(widths) * 3 // 4]  # a joined line is no measure of the others
        ragged = max(LEAST_WIDTH, int(RAGGED * usual))
        within = [
            below for line, below in pairs if len(line.rstrip()) >= ragged and _GOES_ON.search(line)
        ]
        is_prose = 2 * sum(map(_in_lower_case, within)) >= len(within) and _PROSE.search(
            text, max(0, start), end
        )
        return cls(end, ragged if is_prose else 0)

    def goes_on_at(self, text: str, place: int) -> bool:
        """Tell whether the sentence before a line's end goes on behind it."""
        if not self.width:
            return False
        line = text[text.rfind("\n", 0, place) + 1 : place]
        below_end = text.find("\n", place + 1)
        below = text[place + 1 : below_end if below_end >= 0 else len(text)]
        return (
            _has_no_room(line, below, self.width)
            and _GOES_ON.search(line) is not None
            and not line.lstrip().startswith(("|", "#", ">"))
            and not _BEGINS_ANEW.match(below)
        )


def _in_lower_case(line: str) -> bool:
    return line.lstrip()[:1].islower()


def _has_no_room(line: str, below: str, width: int) -> bool:
    """Tell whether the first word of the line below would have made a line longer than any is."""
    word = _FIRST_WORD.match(below)
    return word is not None and len(line.rstrip()) + 1 + len(word[1]) > width
