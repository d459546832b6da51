"""Which sentences of some entries bear on a question, and how well they cover it.

A sentence covers a question's term outright when it holds it, and in part when its surroundings
do: the title, the headings above it, or the sentences beside it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log1p

from rag_assistant.terms import content_terms, sentences_of, terms_of

HELD, ABOVE, BESIDE = 1.0, 0.7, 0.4
"""How much of a term's weight a sentence gets for the term in itself, in a heading or the title,
in a sentence beside it."""

_LEADING_MARKS = re.compile(r"^(?:[>\s]*(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s+|[>\s]+)")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s")
_RULE = re.compile(r"^[\s|:=*_-]+$")
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:much|many|long|often|far|old|high|big|large|late|early|soon)|when|what (?:time|"
    r"date|day|year|price|amount|number|percentage|limit|temperature|pressure|size|sum)|"
    r"which (?:day|date|year|version))\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    r"forty|fifty|hundred|thousand|half|once|twice|daily|weekly|monthly|quarterly|yearly|annual)\b",
    re.IGNORECASE,
)
_ASKS_PERSON = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w'’-]+\s+(?:[a-z]{2,3}\s+)?[A-Z][\w'’-]+")


@dataclass(frozen=True, slots=True)
class Source:
    """An entry's text to choose from."""

    id: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a source; `coverage` of the question runs from 0 to 1."""

    source: int
    text: str
    coverage: float


@dataclass(slots=True)
class _Line:
    """A sentence on its way to a score."""

    source: int
    text: str
    terms: frozenset[str]
    above: frozenset[str]
    beside: frozenset[str] = frozenset()


def rank_sentences(question: str, sources: Sequence[Source]) -> list[Sentence]:
    """Give the sentences that cover something of the question, best first."""
    wanted = content_terms(question)
    lines = [line for source in sources for line in _lines_of(source)]
    weights = _weights(wanted, lines)
    total = sum(weights.values())
    if not total:
        return []
    ranked = [
        Sentence(line.source, line.text, round(_score(line, weights, question) / total, 4))
        for line in lines
    ]
    return sorted((s for s in ranked if s.coverage > 0), key=lambda s: -s.coverage)


def _lines_of(source: Source) -> list[_Line]:
    """Cut a source into sentences, each with the terms of its title and headings."""
    title = frozenset(terms_of(source.title))
    headings: dict[int, frozenset[str]] = {}
    lines: list[_Line] = []
    for start, end in sentences_of(source.text):
        text = source.text[start:end]
        if _RULE.match(text):
            continue
        heading = _HEADING.match(text)
        if heading:
            level = len(heading[1])
            headings = {n: terms for n, terms in headings.items() if n < level}
            headings[level] = frozenset(terms_of(text))
            continue
        text = _LEADING_MARKS.sub("", text)
        above = title.union(*headings.values())
        lines.append(_Line(source.id, text, frozenset(terms_of(text)), above))
    for index, line in enumerate(lines):
        beside = lines[max(0, index - 1) : index] + lines[index + 1 : index + 2]
        line.beside = frozenset().union(*(other.terms for other in beside))
    return lines


def _weights(wanted: Iterable[str], lines: Sequence[_Line]) -> dict[str, float]:
    """Weigh the question's terms by their rarity among the sentences (as in BM25's idf)."""
    counts = Counter(term for line in lines for term in line.terms)
    total = len(lines)
    return {t: log1p((total - counts[t] + 0.5) / (counts[t] + 0.5)) for t in wanted}


def _score(line: _Line, weights: dict[str, float], question: str) -> float:
    score = 0.0
    for term, weight in weights.items():
        if term in line.terms:
            score += HELD * weight
        elif term in line.above:
            score += ABOVE * weight
        elif term in line.beside:
            score += BESIDE * weight
    if not line.terms & weights.keys():
        score *= 0.5  # everything it shares with the question stands around it
    return score * _kind_of_answer(line.text, question)


def _kind_of_answer(text: str, question: str) -> float:
    """Prefer a figure where one is asked for, and a name where a person is."""
    if _ASKS_FIGURE.search(question):
        return 1.0 if _FIGURE.search(text) else 0.7
    if _ASKS_PERSON.search(question):
        return 1.0 if _NAME.search(text) else 0.8
    return 0.95
