"""Where a text nearly says what was quoted: the same claim with slips, found by its words.

Likeness alone never decides: numbers, dates, units, names, negations and words that turn a claim
must be the same on both sides.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rag_assistant.claims.names import is_name
from rag_assistant.claims.opposites import opposed
from rag_assistant.claims.quote_values import state_the_same, values_around, values_of
from rag_assistant.claims.turning import turning
from rag_assistant.claims.words import APART, Words
from rag_assistant.text.quantities import Quantity
from rag_assistant.text.terms import STOP_WORDS
from rag_assistant.text.units import base_of

LEAST_LIKENESS = 90.0
"""Likeness, from 0 to 100 (rapidfuzz's ratio of the words), from which words may count as found.

On COVID-QA (reference quotes altered, see the benchmark `quotes`), of quotes with slips and of
quotes whose claim was broken, found: 96.1 % and 1.0 % at 80, 95.9 % and 0.3 % at 90, 91.2 % and
0.1 % at 95 (questions for choosing); at 90 on the rest 95.5 % and 0.2 %, on the demo questions
92.7 % and none. By likeness alone it would be 99.0 % and 44.3 % of the rest.
"""

LEAST_WORDS, MOST_WORDS = 5, 400
"""Words of a quote that is aligned; a shorter one is like too much, a longer one takes too long."""

MOST_PLACES = 200
"""Places of a word in the text beyond which it says nothing about where a quote stands."""

CANDIDATES = 4
"""Stretches of the text that are compared with a quote word by word."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """Words `first` up to `last` of a text, and how like a quote they are, from 0 to 100."""

    first: int
    last: int
    likeness: float


@dataclass(frozen=True)
class Aligner:
    """Aligns quotes with one text.

    A quote takes at most MOST_WORDS x MOST_PLACES votes for where it may stand and CANDIDATES
    comparisons with no more than three times its words; the text is looked through once.
    """

    words: Words
    _places: dict[str, list[int]] = field(init=False, default_factory=dict)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each word stands."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, form in enumerate(self.words.forms):
            places[form].append(place)
        return dict(places)

    def align(self, quote: Words, least: float = LEAST_LIKENESS) -> Aligned | None:
        """Give the stretch that is most like `quote` and says the same; None where none does."""
        if not LEAST_WORDS <= len(quote) <= MOST_WORDS:
            return None
        found = [self._fitted(quote, start) for start in self._candidates(quote)]
        alike = [aligned for aligned in found if aligned and aligned.likeness >= least]
        for aligned in sorted(alike, key=lambda one: -one.likeness):
            if self.says_the_same(quote, aligned):
                return aligned
        return None

    def _candidates(self, quote: Words) -> list[int]:
        """Give where the quote may begin, by votes of the words that both have."""
        band = max(4, len(quote) // 4)
        votes: Counter[int] = Counter()
        for number, form in enumerate(quote.forms):
            places = self.places.get(form, ())
            if len(places) <= MOST_PLACES:
                votes.update({(place - number) // band for place in places})
        # A quote that begins near the edge of a band has its votes in two.
        sums = {at: votes[at] + votes[at + 1] for at in votes}
        best = sorted(sums, key=lambda at: (-sums[at], at))[:CANDIDATES]
        return [at * band for at in best]

    def _fitted(self, quote: Words, start: int) -> Aligned | None:
        """Fit the quote to the text round a place."""
        from rapidfuzz import fuzz  # noqa: PLC0415 - only a quote that is not found needs it

        slack = len(quote) // 2 + 4
        low = max(0, start - slack)
        high = min(len(self.words), start + len(quote) + 2 * slack)
        stretch = _best_stretch(quote.forms, self.words.forms[low:high])
        if stretch is None:
            return None
        first, last = max(0, low + stretch[0]), min(len(self.words), low + stretch[1])
        there = " ".join(self.words.forms[first:last])
        return Aligned(first, last, fuzz.ratio(" ".join(quote.forms), there))

    def says_the_same(self, quote: Words, aligned: Aligned) -> bool:
        """Whether nothing differs that would make another claim of it."""
        start, end = self.words.span(aligned.first, aligned.last)
        theirs = _Side(quote, values_of(quote.text))
        ours = _Side(self.words, values_around(self.words.text, start, end))
        if not state_the_same(theirs.values, ours.values, (start, end)):
            return False
        mine = self.words.forms[aligned.first : aligned.last]
        for first, last, other_first, other_last in _differences(quote.forms, mine):
            there = range(aligned.first + other_first, aligned.first + other_last)
            if not self._harmless(theirs, range(first, last), ours, there):
                return False
        return True

    def _harmless(self, quote: "_Side", theirs: range, text: "_Side", ours: range) -> bool:
        """Whether a stretch that differs changes no more than the wording.

        Words of values are left out: what they say has been compared.
        """
        written, there = quote.forms(theirs), text.forms(ours)
        if "".join(written) == "".join(there):
            return True
        if quote.turns(theirs) != text.turns(ours):
            return False
        if any(opposed(one, other) for one in written for other in there):
            return False
        return self._names(quote, theirs) == self._names(text, ours)

    @cached_property
    def _written_small(self) -> frozenset[str]:
        """The words that the text has without a capital."""
        words = self.words
        placed = zip(words.forms, words.starts, strict=True)
        return frozenset(form for form, start in placed if words.text[start].islower())

    def _names(self, side: "_Side", places: Iterable[int]) -> list[str]:
        """Give the names among words; at a sentence's start, what the text never writes small."""
        named = []
        words = side.words
        for place in side.outside(places):
            form, start, end = words.forms[place], words.starts[place], words.ends[place]
            if form.startswith(APART):
                continue
            capital = words.text[start].isupper() and form not in STOP_WORDS
            if is_name(words.text, start, end) or (capital and form not in self._written_small):
                named.append(form)
        return named


@dataclass(frozen=True, slots=True)
class _Side:
    """The words of a quote or of a text, and the places of its values."""

    words: Words
    values: Sequence[Quantity]

    def outside(self, places: Iterable[int]) -> list[int]:
        """Give which of some words stand in no value."""
        starts = self.words.starts
        return [
            place
            for place in places
            if not any(value.start <= starts[place] < value.end for value in self.values)
        ]

    def forms(self, places: Iterable[int]) -> list[str]:
        """Give those words, levelled."""
        return [self.words.forms[place] for place in self.outside(places)]

    def turns(self, places: Iterable[int]) -> list[str]:
        """Give what those words do to a claim, units of measure among them, in any order."""
        forms = [form.strip(APART) for form in self.forms(places)]
        units = (base_of(form) for form in forms if len(form) > 2)
        return sorted(filter(None, (*map(turning, forms), *units)))


def _best_stretch(quote: Sequence[str], text: Sequence[str]) -> tuple[int, int] | None:
    """Give the stretch of `text` that has the most of `quote` for the least besides.

    Words of the quote at its ends that do not agree have their room in it: what stands there
    instead is what they are compared with.
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - as above

    blocks = [b for b in Levenshtein.editops(quote, text).as_matching_blocks() if b.size]
    best = value = 0
    begin = first = last = 0
    for number, block in enumerate(blocks):
        gap = block.b - (blocks[number - 1].b + blocks[number - 1].size) if number else 0
        if value - gap < 0 or not number:
            value, begin = 0, number
        else:
            value -= gap
        value += block.size
        if value > best:
            best, first, last = value, begin, number
    if not best:
        return None
    start, end = blocks[first].b, blocks[last].b + blocks[last].size
    right = len(quote) - blocks[last].a - blocks[last].size
    return start - blocks[first].a, end + right


def _differences(quote: Sequence[str], text: Sequence[str]) -> Iterable[tuple[int, int, int, int]]:
    """Give the stretches of both that are not the same."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - as above

    at = other = 0
    for block in Levenshtein.editops(quote, text).as_matching_blocks():
        if block.a > at or block.b > other:
            yield at, block.a, other, block.b
        at, other = block.a + block.size, block.b + block.size
