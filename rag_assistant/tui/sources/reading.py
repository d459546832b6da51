"""What is read of a source in threads: excerpts of its text, where words stand in it, its headings.

A text is never read whole to be shown; to look for words in it, it is read part after part.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rag_assistant.library.database import Database
from rag_assistant.tui.drawing.text_lines import Excerpt
from rag_assistant.values.documents import Entry, Location
from rag_assistant.values.heading_paths import PATH_SEPARATOR, section_of

AROUND = 8_000
"""Characters read before and after a place."""

MORE = 16_000
"""Characters read with each extension."""

SEARCHED_AT_ONCE = 250_000
LONGEST_WORDS = 200
"""Characters of what is looked for; parts overlap by as much, so that nothing is lost between."""

MOST_HITS = 10_000


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A heading; `depth` is 0 for the highest."""

    start: int
    depth: int
    title: str


@dataclass(frozen=True, slots=True)
class Hits:
    """Where `words` stand in the text."""

    words: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of the text, in order."""

    lines: tuple[OutlineLine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OpenEntry:
    """An entry whose text is shown; opened once more, it is another one."""

    database: Database
    entry: Entry

    def window(self, at: int) -> Excerpt:
        """Read the text round a character. Raises RagError where it cannot be read."""
        return read_window(self.database, self.entry.id, self.entry.length, at)

    def more(self, edge: int, side: int) -> Excerpt:
        """Read what comes before (`side` -1) or after (1) the text up to `edge`."""
        return read_more(self.database, self.entry.id, self.entry.length, edge, side)


def place_at(database: Database, entry_id: int, start: int, end: int) -> Location:
    """Give the page, heading and line of a character."""
    (passage,) = database.passages_at([(entry_id, start)])
    if passage is None:
        return Location(start, end)
    place = passage.location
    line = place.line
    if line is not None:
        line += passage.text.count("\n", 0, max(0, start - place.start))
    return replace(place, start=start, end=end, line=line)


def read_window(
    database: Database, entry_id: int, length: int, start: int, end: int = 0
) -> Excerpt:
    """Read the text round the characters `start` to `end`, or round the one at `start`."""
    first, last = max(0, start - AROUND), min(length, max(start, end) + AROUND)
    return _whole_lines(database.text(entry_id, first, last), first, length, torn=first > 0)


def read_more(database: Database, entry_id: int, length: int, edge: int, side: int) -> Excerpt:
    """Read what comes before (`side` -1) or after (1) the text up to `edge`."""
    if side < 0:
        first = max(0, edge - MORE)
        text = database.text(entry_id, first, edge) if edge else ""
        return _whole_lines(text, first, edge, torn=first > 0)
    last = min(length, edge + MORE)
    text = database.text(entry_id, edge, last) if edge < last else ""
    return _whole_lines(text, edge, length, torn=False)


def _whole_lines(text: str, start: int, end: int, *, torn: bool) -> Excerpt:
    """Let a text begin and end at ends of lines, as far as it has any.

    `start` is its place. What it begins with is left out where that is `torn` from its line; what
    it ends with is, unless the text ends at `end`.
    """
    begin = text.find("\n", 0, AROUND // 2) + 1 if torn else 0
    stop = len(text)
    if start + stop < end:
        stop = text.rfind("\n", stop - AROUND // 2) + 1 or stop
    return Excerpt(start + begin, text[begin:stop])


def find_all(database: Database, entry_id: int, length: int, words: str) -> Hits:
    """Find words to the letter, whatever their case and the white space between them."""
    wanted = words.split()
    if not wanted or len(words) > LONGEST_WORDS:
        return Hits(words, ())
    pattern = re.compile(r"\s+".join(re.escape(word) for word in wanted), re.IGNORECASE)
    spans: list[tuple[int, int]] = []
    for start, text in _parts(database, entry_id, length):
        for match in pattern.finditer(text):
            span = (start + match.start(), start + match.end())
            if not spans or span[0] >= spans[-1][1]:
                spans.append(span)
            if len(spans) == MOST_HITS:
                return Hits(words, tuple(spans))
    return Hits(words, tuple(spans))


def _parts(database: Database, entry_id: int, length: int) -> Iterator[tuple[int, str]]:
    for start in range(0, length, SEARCHED_AT_ONCE):
        end = start + SEARCHED_AT_ONCE + 2 * LONGEST_WORDS
        yield start, database.text(entry_id, start, end)


def read_outline(database: Database, entry_id: int) -> Outline:
    """Read the headings, as far as passages begin under them."""
    lines: list[OutlineLine] = []
    before: Sequence[str] = ()
    for passage in database.passages(entry_id):
        heading = section_of(passage.location.heading)
        path = heading.split(PATH_SEPARATOR) if heading else []
        first = 0
        while first < min(len(path), len(before)) and path[first] == before[first]:
            first += 1
        for depth in range(first, len(path)):
            lines.append(OutlineLine(passage.location.start, depth, path[depth]))
        before = path
    return Outline(tuple(lines))
