"""The pool: the entries that a search ranks, cut into words once, for all stages.

An entry takes part with its extract: its title and its best few passages. For short entries that
is the whole text; of long ones it is what bears on the query.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from rag_assistant.search.keys import Keys, keys_of
from rag_assistant.search.quoted import said_once
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.terms import terms_by_word
from rag_assistant.values.search_plan import Candidate, Plan

Words = Sequence[str]
Terms = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """A passage of an extract: the words of its text and variants, lower case.

    `terms` and `heading` count the terms of the query in them and in the heading; `length` counts
    all words, those of title and heading too.
    """

    words: Words
    terms: Terms
    heading: Terms
    length: int


@dataclass(frozen=True, slots=True)
class Extract:
    """An entry in the pool: `title` counts the terms of the query in its title.

    `counts` counts all words of title and texts, lower case; `length` is their number.
    """

    candidate: Candidate
    title_words: Words
    title: Terms
    passages: Sequence[PassageTerms]
    counts: Mapping[str, int]
    length: int

    @property
    def terms(self) -> frozenset[str]:
        """The terms of the query that it holds."""
        held = ((*passage.terms, *passage.heading) for passage in self.passages)
        return frozenset(self.title).union(*held)


@dataclass(frozen=True, slots=True)
class Pool:
    """All extracts of a search, with their keys.

    `vocabulary` is all their words, lower case; `terms` maps those of the query to its terms,
    stop words within compounds too.
    """

    plan: Plan
    extracts: Sequence[Extract]
    vocabulary: frozenset[str]
    terms: Mapping[str, str]
    keys: Keys


def make_pool(plan: Plan, candidates: Sequence[Candidate]) -> Pool:
    """Cut the texts of candidates into words, each once."""
    every = [passage for candidate in candidates for passage in candidate.texts]
    short = {text: lower_words(text) for p in every for text in (p.title, p.heading)}
    texts = [[lower_words(f"{said} {p.variants}") for said, p in zip(own, one.texts, strict=True)]
             for own, one in zip(said_once(candidates), candidates, strict=True)]  # fmt: skip
    vocabulary: frozenset[str] = frozenset().union(*short.values(), *chain.from_iterable(texts))
    wanted = plan.weights.keys() | set(chain(*plan.compounds))
    all_terms = query_terms(vocabulary, wanted)
    terms = {word: term for word, term in all_terms.items() if term in plan.weights}
    counted = {text: _count(words, terms) for text, words in short.items()}
    extracts: list[Extract] = []
    for candidate, texts_words in zip(candidates, texts, strict=True):
        title = candidate.texts[0].title
        passages: list[PassageTerms] = []
        for p, words in zip(candidate.texts, texts_words, strict=True):
            length = len(words) + len(short[title]) + len(short[p.heading])
            passages.append(PassageTerms(words, _count(words, terms), counted[p.heading], length))
        counts = Counter(chain(short[title], *texts_words))
        extracts.append(
            Extract(candidate, short[title], counted[title], passages, counts, counts.total())
        )
    keys = keys_of([extract.counts for extract in extracts])
    return Pool(plan, extracts, vocabulary, all_terms, keys)


def _count(words: Words, terms: Mapping[str, str]) -> Terms:
    """Count the terms of the query. A plain loop: few words are any, and a Counter costs more."""
    counts: dict[str, int] = {}
    for word in words:
        if word in terms:
            counts[terms[word]] = counts.get(terms[word], 0) + 1
    return counts


def query_terms(words: Iterable[str], wanted: Collection[str]) -> dict[str, str]:
    """Map those of the words that stand for a wanted term to it.

    Stemming is what costs, so only words are stemmed that may give one: Porter's stems keep the
    first letter, and the second unless it is a y that becomes an i; folding changes what is not
    ASCII.
    """
    starts = {term[:2] for term in wanted} | {term[:1] + "y" for term in wanted}
    short = {term for term in wanted if len(term) == 1}
    likely = [
        word for word in words if word[:2] in starts or word[0] in short or not word.isascii()
    ]
    by_word = terms_by_word(" ".join(likely))
    return {word: term for word, term in by_word.items() if term in wanted}
