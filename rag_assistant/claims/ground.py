"""All that was read for an answer, as sentences that can be looked up by their words.

It is built once an answer, in time in proportion to what was read; a sentence is taken apart only
when it is compared.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from math import log
from typing import NamedTuple

from rag_assistant.claims.statements import Statement, WrittenWords, statement
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.table_rows import heads_of_rows, is_rule
from rag_assistant.text.terms import terms_by_word, words_in
from rag_assistant.values.documents import DATE_KEYS, EntryText, Location, Passage
from rag_assistant.values.evidence import EvidenceItem

EntryRead = tuple[str, EntryText]
"""A database, and an entry of it as it was handed to a model."""

MOST_SENTENCES = 400
"""Sentences with a term beyond which it says nothing about where a claim stands."""

OF_UNKNOWN = 2.0
"""What a word tells that stands nowhere: it may be another word for one that does."""

LONGEST = 1_500
"""Characters of a sentence that is compared; the rest of what is longer is left out."""

_GOES_ON = re.compile(r"(?<=[^\s.!?:;|])[ \t]*\n(?=[ \t]*[a-z(][^|\n]*(?:\n|$))")
"""A line's end within a sentence, as in text that was set in lines."""

_REFERS_BACK = re.compile(
    r"\W*(?:(?:In|For|At|On|From|To|However|But|And|Also|Then|Thus|As)\b[^,]{0,20},?\s+)?"
    r"(?:it|they|he|she|this|these|those|that|their|his|her|its|you|we|both|another|such"
    r"|the\s+(?:latter|former|new|same)|in\s+(?:this|that))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class GroundSource:
    """An entry, or a quote of one: where sentences are from.

    Of an entry that was not handed over there is its quote alone.
    """

    database: str
    entry_id: int
    title: str
    path: str
    text_hash: str
    dates: str = ""
    is_quote_alone: bool = False

    @property
    def entry(self) -> tuple[str, int]:
        """The entry, by its database and id."""
        return self.database, self.entry_id


@dataclass(frozen=True)
class GroundSentence:
    """A sentence that was read: its place in the entry, and what stands `above` it.

    `markers` are the citations whose quote it is of; it is then the quote's words alone.
    """

    number: int
    text: str
    location: Location
    source: GroundSource
    above: str
    written: WrittenWords
    markers: tuple[int, ...] = ()

    @cached_property
    def statement(self) -> Statement:
        """Its words, names and values."""
        return statement(self.text[:LONGEST], self.written)

    @cached_property
    def refers_back(self) -> bool:
        """Whether its subject stands in a sentence before it."""
        return _REFERS_BACK.match(self.text) is not None

    @property
    def item(self) -> EvidenceItem:
        """The sentence as it can be cited."""
        source = self.source
        where = source.database, source.entry_id, source.title, source.path
        return EvidenceItem(
            *where, self.text, self.location, verified=True, text_hash=source.text_hash
        )


class Ground:
    """The sentences of the entries that were read, and of the quotes that an answer cites.

    Quotes that were `found` and are not cited count where their entry itself is not there.
    """

    def __init__(
        self,
        read: Iterable[EntryRead],
        cited: Mapping[int, EvidenceItem],
        found: Iterable[EvidenceItem] = (),
    ) -> None:
        entries = list(_runs_of(read))
        dates = {run.source.entry: run.source.dates for run in entries}
        runs = [*entries, *_quotes_of(cited, found, dates)]
        self._cuts = [cut for run in runs for cut in run.cuts()]
        self._sentences: dict[int, GroundSentence] = {}
        self._above: dict[str, Statement] = {}
        self._words = [words_in(cut.text) for cut in self._cuts]
        terms = terms_by_word(" ".join(set(chain.from_iterable(self._words))))
        small = {word for word in terms if word[0].islower()}
        capital = {word.lower() for word in terms if word[0].isupper()}
        self.written = WrittenWords(small, capital - small)
        self._index: dict[str, list[int]] = defaultdict(list)
        for number, some in enumerate(self._words):
            for term in {terms[word] for word in some}:
                self._index[term].append(number)

    def sentence(self, number: int) -> GroundSentence:
        """Give a sentence by its number, always the same one."""
        if number not in self._sentences:
            cut = self._cuts[number]
            self._sentences[number] = cut.run.sentence(number, cut, self.written)
        return self._sentences[number]

    @cached_property
    def text(self) -> str:
        """All letters and digits that were read, with what stands above them, a blank between."""
        above = dict.fromkeys(chain.from_iterable(cut.run.above for cut in self._cuts))
        words = chain(words_in(" ".join(above)), chain.from_iterable(self._words))
        return " ".join(words).casefold()

    def weight(self, term: str) -> float:
        """Say how much a term tells: the logarithm of how rare it is, at most 3."""
        with_it = len(self._index.get(term, ()))
        if not with_it:
            return OF_UNKNOWN
        return min(3.0, log(1 + len(self._cuts) / (with_it + 0.5)))

    def scores(self, terms: Mapping[str, float]) -> Counter[int]:
        """Give the sentences that have some of the terms, each of which counts by its share."""
        scores: Counter[int] = Counter()
        for term, share in terms.items():
            numbers = self._index.get(term, ())
            if len(numbers) <= MOST_SENTENCES:
                weight = share * self.weight(term) ** 1.5
                for number in numbers:
                    scores[number] += weight
        return scores

    def with_term(self, term: str) -> Sequence[int]:
        """Give the numbers of the sentences that have a term."""
        return self._index.get(term, ())

    def of_quotes(self, markers: Iterable[int]) -> list[GroundSentence]:
        """Give the sentences of the quotes with some numbers."""
        wanted = frozenset(markers)
        numbers = (n for n, cut in enumerate(self._cuts) if wanted.intersection(cut.run.markers))
        return [self.sentence(number) for number in numbers]

    def before(self, sentence: GroundSentence, count: int) -> list[GroundSentence]:
        """Give up to `count` sentences before one in the same text."""
        numbers = range(max(0, sentence.number - count), sentence.number)
        run = self._cuts[sentence.number].run
        return [self.sentence(number) for number in numbers if self._cuts[number].run is run]

    def after(self, sentence: GroundSentence) -> GroundSentence | None:
        """Give the sentence after one in the same text."""
        number = sentence.number + 1
        run = self._cuts[sentence.number].run
        is_there = number < len(self._cuts) and self._cuts[number].run is run
        return self.sentence(number) if is_there else None

    def above(self, sentence: GroundSentence) -> Statement:
        """Give what stands above a sentence: title, path, dates, headings, heads of a table."""
        if sentence.above not in self._above:
            self._above[sentence.above] = statement(sentence.above, self.written)
        return self._above[sentence.above]


class _Cut(NamedTuple):
    """A sentence of a run between two places in it, with the heads where it is a row."""

    run: "_Run"
    start: int
    end: int
    heads: str = ""

    @property
    def text(self) -> str:
        """Its words."""
        return self.run.text[self.start : self.end]


@dataclass(frozen=True)
class _Run:
    """A text without gaps, with the passages that it is of."""

    text: str
    source: GroundSource
    passages: Sequence[Passage]
    markers: tuple[int, ...] = ()

    @cached_property
    def above(self) -> Sequence[str]:
        """What stands above its sentences, each once."""
        headings = (passage.location.heading or "" for passage in self.passages)
        source = self.source
        about = source.title, source.path.replace("/", " "), source.dates
        return list(dict.fromkeys((*about, *headings)))

    def cuts(self) -> list[_Cut]:
        """Cut it into sentences and rows."""
        flat = _GOES_ON.sub(lambda found: " " * len(found[0]), self.text)
        spans = sentences_of(flat)
        if "|" not in flat:
            return [_Cut(self, start, end) for start, end in spans]
        spans = [span for span in spans if not is_rule(flat[slice(*span)])]
        heads = heads_of_rows(flat, spans)
        return [_Cut(self, *span, heads.get(number, "")) for number, span in enumerate(spans)]

    def sentence(self, number: int, cut: _Cut, written: WrittenWords) -> GroundSentence:
        """Make the sentence of a cut."""
        base = self.passages[0].location.start
        start, end = base + cut.start, base + cut.end
        passage = self._passage(start)
        place = passage.place(start - passage.location.start, end - passage.location.start)
        about = (self.source.title, self.source.path.replace("/", " "), self.source.dates)
        above = " \n".join(filter(None, (*about, place.heading or "", cut.heads)))
        return GroundSentence(number, cut.text, place, self.source, above, written, self.markers)

    def _passage(self, offset: int) -> Passage:
        for passage in self.passages:
            if offset < passage.location.end:
                return passage
        return self.passages[-1]


def _runs_of(read: Iterable[EntryRead]) -> Iterator[_Run]:
    """Give the texts of entries; what was read of one at several times is put together."""
    entries: dict[tuple[str, int], tuple[EntryText, dict[int, Passage]]] = {}
    for database, text in read:
        _, passages = entries.setdefault((database, text.entry.id), (text, {}))
        passages.update({one.location.start: one for one in text.passages})
    for (database, _), (text, by_start) in entries.items():
        entry = text.entry
        dates = " ".join(filter(None, (*_dates(entry.metadata), entry.changed[:10])))
        source = GroundSource(database, entry.id, entry.title, entry.path, entry.text_hash, dates)
        for run in _without_gaps([by_start[start] for start in sorted(by_start)]):
            yield _Run("".join(one.text for one in run), source, run)


def _dates(metadata: Mapping[str, str]) -> Iterator[str]:
    for key in (*DATE_KEYS, "author", "from", "to", "subject"):
        if key in metadata:
            yield metadata[key][:200]


def _without_gaps(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    run: list[Passage] = list(passages[:1])
    for before, passage in pairwise(passages):
        if passage.location.start != before.location.end:
            yield run
            run = []
        run.append(passage)
    if run:
        yield run


def _quotes_of(
    cited: Mapping[int, EvidenceItem],
    found: Iterable[EvidenceItem],
    dates: Mapping[tuple[str, int], str],
) -> Iterator[_Run]:
    """Give the quotes that were found in their sources, each with its citations."""
    markers: dict[EvidenceItem, list[int]] = defaultdict(list)
    for marker, item in cited.items():
        markers[item].append(marker)
    for item in found:
        if (item.database, item.entry_id) not in dates:
            markers.setdefault(item, [])
    for item, numbers in markers.items():
        entry = item.database, item.entry_id
        if item.verified and item.quote.strip():
            about = item.title, item.path, item.text_hash
            alone = entry not in dates
            source = GroundSource(*entry, *about, dates.get(entry, ""), alone)
            yield _Run(item.quote, source, [Passage(item.quote, item.location)], tuple(numbers))
