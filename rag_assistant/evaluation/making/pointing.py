"""Which documents of a database a question points to, told by counting in the index.

A question is of use only where its words lead to the documents that are said to be right: those
that hold its sentence, and no others.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

from rag_assistant.evaluation.measuring.excerpts import find_excerpt
from rag_assistant.library.database import Database
from rag_assistant.library.holding import entries_with, entries_with_phrase
from rag_assistant.library.rarity import rarity, telling_terms

MOST_HOLDERS = 4
"""Documents that may hold a sentence; one that stands in more is what all of them begin with."""

_LOOKED_AT = 40
_LONGEST_TEXT = 2_000_000
_FEWEST_TERMS = 2
_ASKED = 4
"""Of the words of a question, how many rare ones tell what else may answer it."""

_EXACT = 3
"""Digits of an answer that is hardly the answer to something else as well."""


@dataclass(frozen=True, slots=True)
class Pointing:
    """What words point to in one database. Everything blocks."""

    database: Database

    def holders(self, entry_id: int, quote: str) -> tuple[int, ...]:
        """Give the entries that hold a quote, its own with them; () where these are too many.

        White space may differ, as in `find_excerpt`.
        """
        found = entries_with_phrase(self.database, quote, _LOOKED_AT)
        if entry_id not in found or len(found) == _LOOKED_AT:
            return ()
        held = tuple(one for one in found if self._holds(one, quote))
        return held if entry_id in held and len(held) <= MOST_HOLDERS else ()

    def _holds(self, entry_id: int, quote: str) -> bool:
        entry = self.database.entry(entry_id)
        if entry.length > _LONGEST_TEXT:
            return True
        return find_excerpt(self.database.text(entry_id), quote) is not None

    def weights(self, text: str) -> Mapping[str, float]:
        """Weigh the telling terms of a text by their rarity in the database."""
        return rarity([self.database], text).weights

    def points(self, question: str, known: Collection[str], right: Collection[int]) -> bool:
        """Whether the words of a question that are `known` of its passage are found together only
        in the documents that are right for it."""
        terms = telling_terms(question)
        words = [word for term, word in terms.items() if term in known]
        if len(words) < _FEWEST_TERMS:
            return False
        found = entries_with(self.database, words, _LOOKED_AT)
        return bool(found) and set(found) <= set(right)

    def rivals(self, question: str, known: Collection[str], right: Collection[int]) -> int:
        """Count the other entries in which the words of a question that are `known` of its passage
        are found together."""
        words = [word for term, word in telling_terms(question).items() if term in known]
        return len(set(entries_with(self.database, words, _LOOKED_AT)) - set(right))

    def is_apart(self, name: str, question: str) -> bool:
        """Whether a name stands in no passage beside any two rare words of a question."""
        terms = rarity([self.database], question)
        words = sorted(terms.known, key=lambda term: -terms.weights[term])[:_ASKED]
        return len(words) >= _FEWEST_TERMS and not any(
            entries_with(self.database, [name, *together], 1)
            for together in combinations([terms.words[term] for term in words], 2)
        )

    def also_saying(self, question: str, answer: str, right: Collection[int]) -> tuple[int, ...]:
        """Give other entries that hold an answer together with words of a question.

        They may say the same in other words, so that a question is not to be answered by one alone.
        With an answer of several digits one word is enough, others come together with any two by
        chance.
        """
        terms = rarity([self.database], question)
        words = sorted(terms.known, key=lambda term: -terms.weights[term])[:_ASKED]
        few = 1 if sum(map(str.isdigit, answer)) >= _EXACT else 2
        found: set[int] = set()
        for together in combinations([terms.words[term] for term in words], few):
            found.update(entries_with(self.database, [answer, *together], _LOOKED_AT))
        return tuple(sorted(found - set(right)))
