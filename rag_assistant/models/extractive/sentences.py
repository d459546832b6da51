"""Which sentences of some entries bear on a question, and how well they cover it.

A sentence covers a question's term outright when it holds it, and in part when its surroundings
do: the paragraph, the headings above it, its section, the title. What is given back is the sentence
with as much of its paragraph as fits, to the letter.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from rag_assistant.models.extractive.kinds import holds_kind, kind_asked
from rag_assistant.text.blocks import BlockKind
from rag_assistant.text.fences import GAPS
from rag_assistant.text.markdown import blocks
from rag_assistant.text.nearness import together
from rag_assistant.text.terms import content_terms, sentences_of, terms_of

PARAGRAPH, TITLE, HEADING, SECTION, BESIDE = 0.5, 0.5, 0.4, 0.2, 0.2
"""How much of a term's weight a sentence gets when the term stands only around it."""

NO_FIGURE, NO_NAME = 0.7, 0.8
"""What a sentence keeps of its score when it lacks the kind of thing that was asked for."""

PRIOR = 0.03
"""What each place further down the list of sources costs: they come best first."""

SHORT, SHORT_COSTS = 25, 0.7
"""Characters below which a line is hardly an answer, and what it keeps of its score."""

LONGEST_QUOTE = 320
"""Characters up to which a quote takes in sentences of the same paragraph."""

_LEADING_SIGNS = re.compile(r"^(?:[>\s]*(?:[-*+•]|\d{1,3}[.)])\s+|[>\s]+)")
"""Of quotes, lists and numbered lines, in a text of any format."""


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """An entry's text to choose from."""

    id: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a source; `coverage` of the question runs from 0 to 1.

    `together` is the share of the question's neighbouring words that are neighbours here, too.
    """

    source: int
    text: str
    coverage: float
    together: float = 0.0


@dataclass(slots=True)
class _Sentence:
    """A sentence in its surroundings; `place` counts the sources, `start` and `end` its text."""

    place: int
    start: int
    end: int
    paragraph: int
    terms: frozenset[str]
    around: dict[str, float]


def rank_quotes(question: str, sources: Sequence[SourceEntry], limit: int) -> list[Quote]:
    """Give the `limit` quotes that cover the most of the question, best first, without overlap."""
    parts = [_sentences(place, source) for place, source in enumerate(sources)]
    sentences = [sentence for part in parts for sentence in part]
    weights = _weights(content_terms(question), sentences)
    total = sum(weights.values())
    if not total:
        return []
    scores = {id(s): _score(s, sources[s.place].text, weights, question) for s in sentences}
    quotes: list[Quote] = []
    taken: set[int] = set()
    for sentence in sorted(sentences, key=lambda s: -scores[id(s)]):
        if len(quotes) == limit or not scores[id(sentence)]:
            break
        if id(sentence) in taken:
            continue
        around = _window(sentence, parts[sentence.place], taken)
        taken.update(id(other) for other in around)
        source = sources[sentence.place]
        text = source.text[around[0].start : around[-1].end]
        coverage = round(scores[id(sentence)] / total, 4)
        quotes.append(Quote(source.id, text, coverage, together(weights, terms_of(text))))
    return quotes


def _sentences(place: int, source: SourceEntry) -> list[_Sentence]:
    """Cut a source into sentences, each with what its surroundings hold; headings are none."""
    found: list[_Sentence] = []
    open_headings: dict[int, frozenset[str]] = {}
    sections: list[frozenset[str]] = []
    section_of: list[int] = []
    paragraph = end = heading_end = 0
    headings = [block for block in blocks(source.text, {BlockKind.HEADING}) if not block.depth]
    headings.reverse()
    for start, stop in sentences_of(source.text):
        text = source.text[start:stop]
        is_gap = any(gap in text for gap in GAPS)
        while headings and headings[-1].start <= start:
            heading = headings.pop()
            open_headings = {n: terms for n, terms in open_headings.items() if n < heading.level}
            open_headings[heading.level] = frozenset(
                terms_of(source.text[heading.start : heading.end])
            )
            sections.append(frozenset().union(*open_headings.values()))
            heading_end = heading.end
        if "\n\n" in source.text[end:start] or start < heading_end or is_gap:
            paragraph += 1
        end = stop
        signs = _LEADING_SIGNS.match(text)
        words = start + signs.end() if signs else start
        terms = frozenset(terms_of(source.text[words:stop]))
        if start < heading_end or is_gap or not terms:
            continue
        found.append(_Sentence(place, words, stop, paragraph, terms, {}))
        section_of.append(len(sections))
    _look_around(found, section_of, sections, frozenset(terms_of(source.title)))
    return found


def _look_around(
    sentences: Sequence[_Sentence],
    section_of: Sequence[int],
    headings: Sequence[frozenset[str]],
    title: frozenset[str],
) -> None:
    """Weigh what stands around each sentence, the weightiest of its surroundings last."""
    in_section: dict[int, set[str]] = {}
    in_paragraph: dict[int, set[str]] = {}
    for sentence, section in zip(sentences, section_of, strict=True):
        in_section.setdefault(section, set()).update(sentence.terms)
        in_paragraph.setdefault(sentence.paragraph, set()).update(sentence.terms)
    for index, (sentence, section) in enumerate(zip(sentences, section_of, strict=True)):
        beside = (*sentences[max(0, index - 1) : index], *sentences[index + 1 : index + 2])
        above = headings[section - 1] if section else frozenset[str]()
        for weight, terms in (
            (SECTION, in_section[section]),
            *((BESIDE, other.terms) for other in beside),
            (HEADING, above),
            (TITLE, title),
            (PARAGRAPH, in_paragraph[sentence.paragraph]),
            (1.0, sentence.terms),
        ):
            sentence.around.update(dict.fromkeys(terms, weight))


def _weights(wanted: Iterable[str], sentences: Sequence[_Sentence]) -> dict[str, float]:
    """Weigh the question's terms by their rarity among the sentences (as in BM25's idf)."""
    counts = Counter(term for sentence in sentences for term in sentence.terms)
    total = len(sentences)
    return {t: log1p((total - counts[t] + 0.5) / (counts[t] + 0.5)) for t in wanted}


def _score(sentence: _Sentence, text: str, weights: Mapping[str, float], question: str) -> float:
    """Sum what the sentence covers, less for the wrong kind of answer or a late source."""
    if not sentence.terms:
        return 0.0
    words = text[sentence.start : sentence.end]
    score = sum(weight * sentence.around.get(term, 0.0) for term, weight in weights.items())
    kind = kind_asked(question)
    if not holds_kind(kind, words):
        score *= NO_FIGURE if kind == "figure" else NO_NAME
    if len(words) < SHORT:
        score *= SHORT_COSTS
    return score * max(0.5, 1.0 - PRIOR * sentence.place)


def _window(
    sentence: _Sentence, part: Sequence[_Sentence], taken: Collection[int]
) -> Sequence[_Sentence]:
    """Take in neighbours of the same paragraph, the following first, as far as there is room."""
    first = last = next(index for index, other in enumerate(part) if other is sentence)
    grown = True
    while grown:
        grown = False
        for low, high in ((first, last + 1), (first - 1, last)):
            if low < 0 or high == len(part):
                continue
            if id(part[high if high > last else low]) in taken:
                continue
            fits = part[high].end - part[low].start <= LONGEST_QUOTE
            if fits and part[low].paragraph == part[high].paragraph:
                first, last, grown = low, high, True
                break
    return part[first : last + 1]
