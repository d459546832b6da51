"""What an index keeps of the words of passages and entries, so that ranking need cut no text.

Terms are numbers (`text.term_counts.term_id`), the same in all databases; stop words are counted in
lengths only. These are named tuples and no dataclasses: a search makes hundreds of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class PassageRecord(NamedTuple):
    """The words of a passage: `terms` has each with its count, 255 at most; the first `several` of
    them occur more than once.

    `heading` has the terms of its heading path in order, with repetitions. Lengths are in words.
    `quotes` says that it repeats a mail.
    """

    id: int
    entry_id: int
    terms: Mapping[int, int]
    several: int
    heading: Sequence[int]
    length: int
    heading_length: int
    quotes: bool = False


class EntryTerms(NamedTuple):
    """The words that place an entry, as terms in order: of its title, its path, the names of its
    authors, and of its first lines, where it has several passages.

    `name` is the title as it is written.
    """

    id: int
    name: str
    media_type: str
    title: Sequence[int]
    path: Sequence[int]
    authors: Sequence[int]
    lead: Sequence[int]


@dataclass(frozen=True, slots=True)
class TermTotals:
    """How many passages a database has, and the words of their texts and headings together."""

    passages: int = 0
    words: int = 0
    heading_words: int = 0

    @property
    def mean_length(self) -> float:
        """The mean length of a passage's text, in words; 1 at least."""
        return max(1.0, self.words / max(1, self.passages))
