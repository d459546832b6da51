"""What the reader reads in its threads: pieces of a text, where words stand in it, its headings.

A text is never read whole to be shown; to look for words in it, it is read part after part.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textual.message import Message

from rag_assistant.documents import Entry, Location
from rag_assistant.errors import RagError
from rag_assistant.library.database import Database

PIECE = 4_000
"""Characters of a piece at most: what is laid out at once."""

AROUND = 16_000
"""Characters read before and after a place."""

MORE = 16_000
"""Characters read with each extension. Laying out anew costs the same for few and many."""

SEARCHED_AT_ONCE = 250_000
LONGEST_WORDS = 200
"""Characters of what is looked for; parts overlap by as much, so that nothing is lost between."""

MOST_HITS = 10_000
PATH_SEPARATOR = " › "


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; `start` counts characters of the whole."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where the next piece begins."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Source:
    """The document that is read: its entry, and the place of the words it was opened for."""

    entry: Entry
    place: Location


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A heading; `depth` is 0 for the highest."""

    start: int
    depth: int
    title: str


class Read(Message):
    """Something was read: `value` says what; a RagError says why it was not."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces side by side. `side` is where they go: 0 in the place of all, -1 before, 1 after.

    `at` is the character to bring into view.
    """

    pieces: tuple[Piece, ...]
    side: int
    at: int = 0


@dataclass(frozen=True, slots=True)
class Hits:
    """Where `words` stand in the text."""

    words: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of the text, in order."""

    lines: tuple[OutlineLine, ...]


def read_source(database: Database, entry_id: int, start: int, end: int) -> Source:
    """Read what a document is, and what is known of a place in it."""
    entry = database.entry(entry_id)
    return Source(entry, place_at(database, entry_id, start, end))


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


def read_window(database: Database, entry_id: int, length: int, at: int) -> Window:
    """Read the text round a character."""
    first, last = max(0, at - AROUND), min(length, at + AROUND)
    text = database.text(entry_id, first, last)
    return Window(_pieces(text, first, length, torn=first > 0), 0, at)


def read_more(database: Database, entry_id: int, length: int, edge: int, side: int) -> Window:
    """Read what comes before (`side` -1) or after (1) the text up to `edge`."""
    if side < 0:
        first = max(0, edge - MORE)
        text = database.text(entry_id, first, edge)
        return Window(_pieces(text, first, edge, torn=first > 0), -1)
    last = min(length, edge + MORE)
    return Window(_pieces(database.text(entry_id, edge, last), edge, length, torn=False), 1)


def _pieces(text: str, start: int, end: int, *, torn: bool) -> tuple[Piece, ...]:
    """Cut a text at ends of lines, as far as it has any.

    `start` is its place. What it begins with is left out where that is `torn` from its line; what
    it ends with is, unless the text ends at `end`.
    """
    begin = text.find("\n", 0, MORE // 2) + 1 if torn else 0
    stop = len(text)
    if start + stop < end:
        stop = text.rfind("\n", stop - MORE // 2) + 1 or stop
    pieces: list[Piece] = []
    while begin < stop:
        cut = min(begin + PIECE, stop)
        if cut < stop:
            cut = text.rfind("\n", begin, cut) + 1 or cut
        pieces.append(Piece(start + begin, text[begin:cut]))
        begin = cut
    return tuple(pieces)


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
        heading = passage.location.heading
        path = heading.split(PATH_SEPARATOR) if heading else []
        first = 0
        while first < min(len(path), len(before)) and path[first] == before[first]:
            first += 1
        for depth in range(first, len(path)):
            lines.append(OutlineLine(passage.location.start, depth, path[depth]))
        before = path
    return Outline(tuple(lines))


def told(error: Exception) -> RagError:
    """Give any failure of a thread as one that can be shown."""
    if isinstance(error, RagError):
        return error
    return RagError(f"{type(error).__name__}: {error}", hint="Try again.")
