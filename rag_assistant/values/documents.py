"""The frozen values of documents: what a loader reads, what an index holds, what a search finds.

All offsets are in characters (Unicode code points) of the entry's text, `start` inclusive and
`end` exclusive.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rag_assistant.values.heading_paths import cell_heading

if TYPE_CHECKING:
    from rag_assistant.values.tables import DocumentTable

DATE_KEYS = ("modified", "date", "updated", "created")
"""The metadata that are a document's own dates; the first that it has counts."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document: where its line starts, its level (1 is the highest), its words.

    `end` is set for a part of the text that bears its name itself and is over somewhere, such as a
    function: what follows is under the heading above again. Else a section goes on to the next.
    """

    start: int
    level: int
    title: str
    end: int | None = None


@dataclass(frozen=True, slots=True)
class PageStart:
    """The offset at which a page begins, and the page's number as a person counts it (from 1)."""

    start: int
    number: int


@dataclass(frozen=True, slots=True)
class HiddenText:
    """A span of a document's text that nobody sees who opens the file, and why not.

    One whose ends are equal stands for `words` that are not in the text at all.
    """

    start: int
    end: int
    reason: str
    words: str = ""


HIDDEN = "hidden"
"""The kind of a suspicion that is about words nobody sees, whatever they say."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A span of an entry's text that looks as if it were written for a model; `reason` says how.

    `place` is "text", or "name", "title", "metadata" or "left out" for what is not a span of the
    text, with equal ends. `allowed` says that the person lets models read it.
    """

    kind: str
    start: int
    end: int
    reason: str
    place: str = "text"
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that another one holds, such as what is attached to a mail: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Document:
    """What a loader read: the text of one entry-to-be with the structure that it kept.

    `title` is empty where the file names none. `headings` and `pages` are in order of `start`, as
    is `code`: where code stands that passages should not cut in two.
    `lines_match_file` says that line n of `text` is line n of the file. `key` tells the records of
    one file apart and is empty where the file is a single entry. `wanted_id` is the entry id that a
    record brings along and keeps, if no other entry has it. `left_out` says what of the file was
    not taken because it is too long, counted; it is empty where all was. `attached` are files that
    it brings along, which become entries beside it. `section_ends` are the places where a section
    is over although no heading follows: a slide or chapter without a title. `tables` are those of
    the text, in order of `start`, as far as the loader knows them.
    """

    text: str
    media_type: str
    title: str = ""
    key: str = ""
    headings: tuple[Heading, ...] = ()
    pages: tuple[PageStart, ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    lines_match_file: bool = False
    wanted_id: int | None = None
    hidden: tuple[HiddenText, ...] = ()
    left_out: str = ""
    attached: tuple[AttachedFile, ...] = ()
    section_ends: tuple[int, ...] = ()
    tables: "tuple[DocumentTable, ...]" = ()


@dataclass(frozen=True, slots=True)
class Location:
    """A place in an entry: a span of its text with the page, heading path and line it starts on."""

    start: int
    end: int
    page: int | None = None
    heading: str | None = None
    line: int | None = None


Sections = tuple[tuple[int, str | None], ...]
"""Where sections begin in an entry, each with its heading path; None above the first heading."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of an entry's text, with the heading path above it as context.

    `sections` are those of a passage that holds parts of several, the first from its start on.
    """

    text: str
    location: Location
    sections: Sections = ()

    def place(self, begin: int, end: int) -> Location:
        """Give the place in the entry of a span of the text, with the section it begins in.

        From the very beginning on, it is that which the passage is about, if the span reaches it.
        Of cells of a table the heading says their row and heads.
        """
        here = self.location
        start, last = here.start + begin, here.start + max(begin + 1, end)
        subject = next((at for at, path in self.sections if path == here.heading), here.start)
        heading = here.heading
        if begin or last <= subject:
            for at, path in self.sections:
                heading = path if at <= start else heading
        line = here.line if here.line is None else here.line + self.text.count("\n", 0, begin)
        heading = cell_heading(heading, self.text, begin, end)
        return Location(start, here.start + end, here.page, heading, line)


Relation = Literal["newer", "older", "copy"]
"""What a version is to another one of its document."""


@dataclass(frozen=True, slots=True)
class Version:
    """Another entry of the same document: a "newer" or "older" text, or a "copy" of this one.

    `dated` is the day it is of, ISO 8601, and `told_by` says what tells the two apart in time: "the
    date in its name", for one.
    """

    entry_id: int
    title: str
    path: str
    relation: Relation
    dated: str = ""
    told_by: str = ""

    @property
    def words(self) -> str:
        """Say in a few words what it is: "older version old/a.md (id 7), by its own date"."""
        kind = "copy" if self.relation == "copy" else f"{self.relation} version"
        by = f", by {self.told_by}" if self.told_by and self.relation != "copy" else ""
        return f"{kind} {self.path} (id {self.entry_id}){by}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of a database as a person names it. `id` survives edits and moves.

    `text_hash` is the version of its text: it changes whenever a character does. `key` is that of a
    record in a file of records, and empty where the file is the entry. `changed` is when its file
    was, ISO 8601 in UTC, and `versions` are the others of its document, newest first, where these
    were asked for.
    """

    id: int
    title: str
    path: str
    media_type: str
    length: int
    text_hash: str = ""
    key: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    changed: str = ""
    versions: "tuple[Version, ...]" = ()


@dataclass(frozen=True, slots=True)
class EntryName:
    """What an entry goes by: its id, its file's path, and its key if it is a record of the file."""

    id: int
    path: str
    key: str


@dataclass(frozen=True, slots=True)
class HiddenSpan:
    """A span of an entry that models may not read: `kind` and `reason` as in its suspicion."""

    start: int
    end: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry with a part of its text: `passages` in order, `omitted` other passages left out.

    `hidden` are the places that models may not read, each with the reason. Of a part that was
    chosen by words, `matching` gives where the passages begin that have such words, in all of it,
    best first.
    """

    entry: Entry
    passages: tuple[Passage, ...]
    omitted: int = 0
    hidden: tuple[HiddenSpan, ...] = ()
    matching: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that matched a query, shown by its best passage.

    `score` is higher for better; it compares hits of one search only. `snippet` is the text at
    `location`. `other_passages` counts further passages of the entry among the candidates. `key` is
    that of a record in a file of records. `explanation` gives the share of each ranking stage in
    the score. `duplicates` are ids of further entries that match and say the same, `versions` all
    others of the document, newest first. `suspicions` are those of the passage and of the title.
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
    versions: tuple[Version, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
