"""Finding a model's quote in an entry's text. Code, not the model, decides whether it is there.

A quote is looked for to the letter; then word for word, whatever the layout, case, hyphens and
punctuation; then in parts where it leaves words out by an ellipsis; then by alignment. What is
given back is always the entry's own text at that place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rag_assistant.claims.alignment import Aligner
from rag_assistant.claims.quote_values import MOST_TRIES, find_words, none_differs
from rag_assistant.claims.turning import negates
from rag_assistant.claims.words import Words, words_of
from rag_assistant.values.documents import Location, Passage
from rag_assistant.values.evidence import QuoteMatch

_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:…|\.\s?\.\s?\.)\s*[\])]?\s*")
_QUOTATION_MARKS = "\"'“”‘’«»„…* \t\n"
_CLOSES = re.compile(r"[.!?…;:,)\]”’\"'*]+")
_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*\n")

NEAR = 500
"""Characters that an ellipsis may stand for; parts further apart are two quotes."""

LEAST_PART = 3
"""Words of each part of a quote with an ellipsis."""

LONGEST = 20_000
"""Characters of a quote that is looked for other than to the letter."""

MOST_STARTS = 50
"""Places at which a quote with an ellipsis is tried to begin."""


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A quote's words as the entry has them, where, and how they were matched."""

    text: str
    location: Location
    match: QuoteMatch


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    match: QuoteMatch


class QuoteFinder:
    """Looks quotes up in the passages of one entry, whose words are read once for all of them."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._runs = [_Run(run) for run in _contiguous(passages)]

    def find(self, quote: str) -> FoundQuote | None:
        """Give the place of a quote, the strictest match first; None when its words are not there.

        Works in time in proportion to the passages; see `Aligner` for the bound of the rest.
        """
        if not quote.strip():
            return None
        for run in self._runs:
            if span := _exact(run, quote):
                return run.found(span)
        wanted = words_of(quote) if len(quote) <= LONGEST else words_of("")
        for look in (_levelled, _in_parts, _aligned):
            for run in self._runs:
                if span := look(run, quote, wanted):
                    return run.found(span)
        return None


def find_quote(quote: str, passages: Sequence[Passage]) -> FoundQuote | None:
    """Find one quote in the passages of one entry, as `QuoteFinder.find` does."""
    return QuoteFinder(passages).find(quote)


class _Run:
    """Passages that follow one another without a gap, as one text."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self.text = "".join(passage.text for passage in passages)

    @cached_property
    def words(self) -> Words:
        """The words of the text."""
        return words_of(self.text)

    @cached_property
    def aligner(self) -> Aligner:
        """What aligns quotes with it."""
        return Aligner(self.words)

    def found(self, span: _Span) -> FoundQuote:
        """Turn a span of the text into words and a place in the entry."""
        place = _locate(self._passages, span.start, span.end)
        return FoundQuote(self.text[span.start : span.end], place, span.match)


def _contiguous(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Group passages that follow one another without a gap: a quote may run across them."""
    if not passages:
        return
    run = [passages[0]]
    for before, passage in pairwise(passages):
        if passage.location.start != before.location.end:
            yield run
            run = []
        run.append(passage)
    yield run


def _exact(run: _Run, quote: str) -> _Span | None:
    start = -1
    for _try in range(MOST_TRIES):
        start = run.text.find(quote, start + 1)
        if start < 0:
            return None
        if none_differs(quote, run.text, start, start + len(quote)):
            return _Span(start, start + len(quote), QuoteMatch.EXACT)
    return None


def _levelled(run: _Run, quote: str, wanted: Words) -> _Span | None:
    found = find_words(run.words, wanted)
    return _span(run, found, quote, QuoteMatch.LEVELLED) if found else None


def _aligned(run: _Run, quote: str, wanted: Words) -> _Span | None:
    found = run.aligner.align(wanted)
    return _span(run, (found.first, found.last), quote, QuoteMatch.ALIGNED) if found else None


def _in_parts(run: _Run, quote: str, wanted: Words) -> _Span | None:
    """Find the parts that an ellipsis joins: word for word, in order, and near to one another.

    What is left out of a sentence must not negate it.
    """
    if not wanted.forms:
        return None
    parts = [words_of(part) for part in _ELLIPSIS.split(quote) if part.strip()]
    if len(parts) < 2 or any(len(part) < LEAST_PART for part in parts):
        return None
    start = 0
    for _ in range(MOST_STARTS):
        begun = find_words(run.words, parts[0], start)
        if begun is None:
            return None
        last = _rest_of_parts(run, begun[1], parts[1:])
        if last:
            return _span(run, (begun[0], last), quote, QuoteMatch.ALIGNED)
        start = begun[0] + 1
    return None


def _rest_of_parts(run: _Run, end: int, parts: Sequence[Words]) -> int | None:
    """Give the word before which the last part ends, each part following the one before it."""
    for part in parts:
        found = find_words(run.words, part, end)
        if found is None:
            return None
        left_out = run.text[run.words.ends[end - 1] : run.words.starts[found[0]]]
        if len(left_out) > NEAR:
            return None
        if negates(left_out) and not _SENTENCE_END.search(left_out):
            return None
        end = found[1]
    return end


def _span(run: _Run, words: tuple[int, int], quote: str, match: QuoteMatch) -> _Span:
    """Give the place of words, with the punctuation after them that the quote has as well."""
    start, end = run.words.span(*words)
    written = quote.rstrip(_QUOTATION_MARKS)
    closing = _CLOSES.match(run.text, end)
    if closing and written and written[-1] in closing[0] and not written[-1].isalnum():
        end += closing[0].index(written[-1]) + 1
    return _Span(start, end, match)


def _locate(run: Sequence[Passage], start: int, end: int) -> Location:
    """Turn a span of a run's text into a place in the entry."""
    offset = run[0].location.start
    for passage in run:
        place = passage.location
        if place.start <= offset + start < place.end:
            before = place.start - offset
            return passage.place(start - before, end - before)
    raise ValueError("the span lies outside the run")
