"""What a document is made of, and what is known of it: its outline and its facts.

Both are derived once, when it is read, and kept with its entry. Places are in characters of the
entry's text, `start` inclusive and `end` exclusive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

PartKind = Literal["heading", "chapter", "definition", "slide", "sheet", "page", "cell"]

PAGE_UNITS: Mapping[str, PartKind] = {
    "presentation": "slide",
    "workbook": "sheet",
    "notebook": "cell",
}
"""What the pages of a kind of document are called, where it is not pages."""


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A part of a document: what kind it is, how it is called, where it stands.

    `level` is 1 for the highest, and what is below an item follows it with a higher one. `page` is
    that on which it begins, counted as a person does, None where there are none.
    """

    kind: PartKind
    label: str
    level: int
    start: int
    end: int
    page: int | None = None


Outline = tuple[OutlineItem, ...]
"""The parts of a document in order of their starts."""


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What is known of an entry, beside its title and text.

    `kind` is a person's word for what it is ("presentation", "e-mail"), `pages` counts its pages,
    slides, sheets or cells, None where there are none. `authors` are as the document writes them,
    `language` is an ISO 639-1 code, "" where none is told. `created` and `modified` are the
    document's own dates, ISO 8601, "" where it bears none.
    """

    kind: str = ""
    pages: int | None = None
    words: int = 0
    authors: tuple[str, ...] = ()
    language: str = ""
    created: str = ""
    modified: str = ""
    outline: Outline = ()


@dataclass(frozen=True, slots=True)
class ThreadMail:
    """A mail of a thread: its entry, its subject, who sent it and when, ISO 8601."""

    entry_id: int
    title: str
    author: str
    sent: str


THREAD = "thread"
"""The metadata of a mail that name its thread: the Message-ID of the first mail of it."""


def outline_json(outline: Outline) -> list[list[Any]]:
    """Give an outline as arrays, as small as can be: it is kept for every entry."""
    return [[one.kind, one.label, one.level, one.start, one.end, one.page] for one in outline]


def outline_of(values: Sequence[Sequence[Any]]) -> Outline:
    """Read what `outline_json` gave. Raises TypeError or ValueError for anything else."""
    return tuple(OutlineItem(*one) for one in values)


def facts_json(facts: EntryFacts) -> list[Any]:
    """Give facts as JSON values, in the order of their fields."""
    return [
        facts.kind,
        facts.pages,
        facts.words,
        list(facts.authors),
        facts.language,
        facts.created,
        facts.modified,
        outline_json(facts.outline),
    ]


def facts_of(values: Sequence[Any]) -> EntryFacts:
    """Read what `facts_json` gave. Raises TypeError or ValueError for anything else."""
    kind, pages, words, authors, language, created, modified, outline = values
    made = (kind, pages, words, tuple(authors), language, created, modified)
    return EntryFacts(*made, outline_of(outline))
