"""How far the sentences of an answer are borne out by what was read, and what a person is shown.

A hard mark says that the sources say otherwise, and names both values; a soft one says only that
the words were not found again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from rag_assistant.values.documents import Location
from rag_assistant.values.evidence_items import EvidenceItem


class Support(Enum):
    """What a sentence of an answer rests on."""

    SUPPORTED = "supported"
    """On the quotes that it cites: they have its words, and each number, date and name in it."""
    COMPUTED = "computed"
    """Its numbers are computed from numbers that were read; all else is borne out."""
    IN_ENTRY = "in_entry"
    """On other words that were read than those of the quotes it cites, if it cites any."""
    UNCONFIRMED = "unconfirmed"
    """Its words were not found again in what was read; they may be right."""
    CONTRADICTED = "contradicted"
    """A number, date, unit, version or name stands against what the source says."""
    NOWHERE = "nowhere"
    """A number, date, unit, version or name stands nowhere in all that was read."""
    NO_CLAIM = "no_claim"
    """A heading, a greeting, a question, or a word on the search itself: it needs nothing."""

    @property
    def is_hard(self) -> bool:
        """Whether it is marked at the sentence: the sources say otherwise."""
        return self in (Support.CONTRADICTED, Support.NOWHERE)

    @property
    def is_soft(self) -> bool:
        """Whether it is marked quietly, once a block: it may be right."""
        return self is Support.UNCONFIRMED

    @property
    def is_borne_out(self) -> bool:
        """Whether what was read bears the sentence out."""
        return self in (Support.SUPPORTED, Support.COMPUTED, Support.IN_ENTRY)


DifferenceKind = Literal["number", "date", "name", "version", "place"]
"""What differs; "place" is a value or a name that stands where another one belongs."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A value as the answer says it, and as the source says it: empty where nothing is near it."""

    kind: DifferenceKind
    said: str
    read: str = ""


@dataclass(frozen=True, slots=True)
class Computation:
    """A number of an answer that follows from numbers read: `how` it does, and from which.

    `operands` are these as they are written; the sentence's markers say where most of them stand.
    """

    result: str
    how: Literal["sum", "difference", "product", "share", "count"]
    operands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start` to `end` of an answer's text, and the citations that they rest on.

    A row of a table and a block of code count as a sentence each; `block` is the same for all
    sentences of a paragraph, a list or a table. `verbatim` says that the words are the source's to
    the letter. `source` is the sentence of a source that it was compared with: the one that says
    otherwise, the nearest one, or the better citation of what stands in the entry; None where
    there is none, or where the citation is good as it is. `differences` are of those that are hard,
    `computed` of those that are computed. `confirmed_by` names the model that found it borne out
    where the words alone did not show it.
    """

    start: int
    end: int
    support: Support
    markers: tuple[int, ...] = ()
    verbatim: bool = False
    block: int = 0
    differences: tuple[Difference, ...] = ()
    computed: tuple[Computation, ...] = ()
    source: EvidenceItem | None = None
    confirmed_by: str = ""

    @property
    def note(self) -> str:
        """Say in a line what a person should know of it; "" for nothing."""
        match self.support:
            case Support.CONTRADICTED | Support.NOWHERE:
                return self._said_otherwise()
            case Support.SUPPORTED if self.confirmed_by:
                return f"confirmed by {self.confirmed_by}, not word for word"
            case Support.COMPUTED:
                computed = "; ".join(map(_computed_words, self.computed))
                marked = ", ".join(f"[{marker}]" for marker in self.markers)
                return f"computed from {marked}: {computed}" if marked else f"computed: {computed}"
            case Support.UNCONFIRMED if self.source:
                quote = _shortened(self.source.quote)
                return f"nearest: “{quote}” ({place_words(self.source)})"
            case Support.IN_ENTRY if self.source:
                return f"stands in {place_words(self.source)}: “{_shortened(self.source.quote)}”"
        return ""

    def _said_otherwise(self) -> str:
        where = f" ({place_words(self.source)})" if self.source else ""
        told = [
            f"the answer says “{one.said}”, the source “{one.read}”"
            if one.read
            else f"“{one.said}” stands in nothing that was read"
            for one in self.differences
        ]
        return "; ".join(told) + (where if any(one.read for one in self.differences) else "")


SHOWN, SHOWN_CHARACTERS = 3, 80
"""Sentences that are named in a line, and characters of each."""

_SIGNS = {"sum": " + ", "difference": " − ", "product": " × ", "share": " of "}


def place_words(item: EvidenceItem) -> str:
    """Say where words stand: the title or path, the page and the heading path."""
    place: Location = item.location
    page = f"page {place.page}" if place.page else ""
    return ", ".join(filter(None, (item.title or item.path, page, place.heading or "")))


def _computed_words(one: Computation) -> str:
    if one.how == "count":
        return f"{one.result} counts {', '.join(one.operands)}"
    return f"{one.result} = {_SIGNS[one.how].join(one.operands)}"


def _shortened(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= SHOWN_CHARACTERS else f"{said[: SHOWN_CHARACTERS - 1].rstrip()}…"


def check_lines(text: str, sentences: Sequence[Sentence]) -> Iterator[str]:
    """Say what the sources say otherwise, a line each, and what was not found again in one."""
    for sentence in sentences:
        if sentence.support.is_hard:
            said = _shortened(text[sentence.start : sentence.end])
            otherwise = sentence.support is Support.CONTRADICTED
            what = "The sources say otherwise" if otherwise else "Not in the sources"
            yield f"{what}: “{said}” – {sentence.note}".removesuffix(" – ")
    soft = [one for one in sentences if one.support.is_soft]
    if soft:
        named = " / ".join(_shortened(text[one.start : one.end]) for one in soft[:SHOWN])
        more = f" / and {len(soft) - SHOWN} more" if len(soft) > SHOWN else ""
        yield f"Not confirmed word for word: {named}{more}"
