"""The frozen values of documents: what a loader reads, what an index holds, what a search finds.

All offsets are in characters (Unicode code points) of the entry's text, `start` inclusive and
`end` exclusive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document: where its line starts, its level (1 is the highest), its words."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class PageStart:
    """The offset at which a page begins, and the page's number as a person counts it (from 1)."""

    start: int
    number: int


@dataclass(frozen=True, slots=True)
class Document:
    """What a loader read: the text of one entry-to-be with the structure that it kept.

    `title` is empty where the file names none. `headings` and `pages` are in order of `start`.
    `lines_match_file` says that line n of `text` is line n of the file. `key` tells the records of
    one file apart and is empty where the file is a single entry. `wanted_id` is the entry id that a
    record brings along and keeps, if no other entry has it.
    """

    text: str
    media_type: str
    title: str = ""
    key: str = ""
    headings: tuple[Heading, ...] = ()
    pages: tuple[PageStart, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    lines_match_file: bool = False
    wanted_id: int | None = None


@dataclass(frozen=True, slots=True)
class Location:
    """A place in an entry: a span of its text with the page, heading path and line it starts on."""

    start: int
    end: int
    page: int | None = None
    heading: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of an entry's text, with the heading path above it as context."""

    text: str
    location: Location


PassageRow = tuple[int, int, int | None, int | None, str | None, str]
"""A passage on its way into an index: start, end, page, line, heading path, text."""


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """An entry-to-be, as it was read: what a loader said of it, and the passages of its text.

    `title` is empty where the file names none. `text_hash` is that of the whole text.
    """

    title: str
    key: str
    media_type: str
    metadata: Mapping[str, str]
    wanted_id: int | None
    length: int
    text_hash: str
    passages: Sequence[PassageRow]


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of a database as a person names it. `id` survives edits and moves.

    `text_hash` is the version of its text: it changes whenever a character does. `key` is that of a
    record in a file of records, and empty where the file is the entry.
    """

    id: int
    title: str
    path: str
    media_type: str
    length: int
    text_hash: str = ""
    key: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry with a part of its text: `passages` in order, `omitted` other passages left out."""

    entry: Entry
    passages: tuple[Passage, ...]
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that matched a query, shown by its best passage.

    `score` is higher for better; it compares hits of one search only. `snippet` is the text at
    `location`. `other_passages` counts further passages of the entry among the candidates. `key` is
    that of a record in a file of records. `explanation` gives the share of each ranking stage in
    the score. `duplicates` are ids of further entries that match and say the same.
    """

    rank: int
    database: str
    entry_id: int
    title: str
    path: str
    location: Location
    score: float
    snippet: str
    other_passages: int = 0
    key: str = ""
    explanation: Mapping[str, float] = field(default_factory=dict)
    duplicates: tuple[int, ...] = ()
