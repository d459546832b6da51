"""What a search asks of a database and is given by it, without the language of any engine.

A `Plan` says which passages come into question and what its words are worth, `Counts` how rare they
are, and `Candidate` is an entry that was found so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from rag_assistant.values.documents import Passage
from rag_assistant.values.term_records import EntryTerms, PassageRecord

FilterName = Literal["path", "title", "type", "author", "lang", "after", "before"]

UNKNOWN_LANGUAGE = "unknown"
"""Stands in a filter for the entries of which no language is told."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on entries. Dates are ISO 8601, cut to what was given: 2025, 2025-03.

    `path` is a part of the path, or a pattern with * and ? that the path or a folder of it begins
    with; `title` a part of the title, letter by letter; `type` suffixes or media types, joined by
    commas; `author` words that names of its authors begin with, all of them; `lang` codes of
    languages joined by commas. An entry's date is the first of its own
    (`values.documents.DATE_KEYS`) that begins with a year, or else when its file was changed;
    `after` includes the day, `before` does not.
    """

    name: FilterName
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side in a passage, compared by their stems.

    Of one that is `begun`, the last word is the beginning of a word. `column` is where it stands:
    the title, the text, or anywhere in title, heading, text and variants.
    """

    words: tuple[str, ...]
    begun: bool = False
    column: Literal["any", "title", "text"] = "any"


AllOf = tuple[Phrase, ...]
"""Phrases that one passage holds together, wherever each stands."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which passages are candidates, and what ranks them.

    A candidate holds all that is `required`, each by one passage, nothing that is `excluded`, and
    is of an entry that the `filters` let through (several values of `path`, `type` or `lang` are
    alternatives; everything else holds together). Where nothing is required it holds any of
    `any_of`; else these only raise its score. Without any words the plan is for entries that the
    filters let through, and of which no passage holds what is excluded.

    `weights` has each index term with its inverse document frequency, those of `compounds` should
    stand side by side, those of `numbered` (a word and the number after it) in the best passages,
    and `like` the terms that share runs of letters with them, by number, for each run; it is
    `for_stop_words` where nothing but these was given. `by_meaning` says that vectors find and
    rank, too. `also` has the (word as typed, word searched as well) of corrections; `notes` say
    what a person should know.
    """

    any_of: tuple[Phrase, ...] = ()
    required: tuple[AllOf, ...] = ()
    excluded: tuple[AllOf, ...] = ()
    filters: tuple[Filter, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    compounds: tuple[tuple[str, ...], ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    by_meaning: bool = False
    like: Mapping[str, Sequence[int]] = field(default_factory=dict)
    for_stop_words: bool = False
    numbered: tuple[tuple[str, ...], ...] = ()

    @property
    def has_words(self) -> bool:
        """Whether passages are looked for by what they hold."""
        return bool(self.any_of or self.required)

    @property
    def lists_entries(self) -> bool:
        """Whether entries are wanted for their filters alone."""
        return not self.has_words and bool(self.filters or self.excluded)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many `passages` there are, and how many hold each term, absent where none does.

    `completions` has the same for each prefix: the terms that begin so, and shorter stems of words
    that do. Of `broad` prefixes there are more completions than were read.
    """

    passages: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict)
    completions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    broad: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CandidatePassage:
    """What a stage of ranking may know of a passage. `start` is its place in the entry's text, and
    `media_type` its entry's.
    """

    id: int
    title: str
    heading: str
    text: str
    variants: str
    start: int = 0
    media_type: str = ""


class Candidate(NamedTuple):
    """An entry among the candidates: the ids of its best passages, with the engine's scores.

    The best come first; `others` counts its further passages among those that were looked at. Where
    they were read, `records` are the terms of its passages, in their order, `entry` those of the
    entry itself, `texts` the texts of those passages of which a stage needs more than the terms,
    `cosines` their nearness in meaning (None for one without a vector), `title` and `date` the
    entry's own. `database` is the place of the one that brings it among those that are searched
    together. A named tuple, since a search makes hundreds of them.
    """

    entry_id: int
    passages: Sequence[int]
    scores: Sequence[float] = ()
    others: int = 0
    records: Sequence[PassageRecord] = ()
    entry: EntryTerms | None = None
    texts: Mapping[int, CandidatePassage] = MappingProxyType({})
    cosines: Sequence[float | None] = ()
    title: str = ""
    date: str = ""
    database: int = 0


@dataclass(frozen=True, slots=True)
class PassageSource:
    """A passage, with what names its entry.

    `key` is that of a record in a file of records. It `has_variants` where words of it are found by
    other spellings, too.
    """

    entry_id: int
    title: str
    path: str
    key: str
    passage: Passage
    has_variants: bool


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Where the best passage of some entries stands among all that a plan's words find.

    `before` counts the entries with a better passage, whatever the filters say of them.
    """

    entry_id: int
    before: int
