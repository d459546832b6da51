"""Choosing the sentences that answer a question: whole ones, few, each saying something of its own.

The weighing of features is linear; what each weighs was fitted so that the sentences which answer
get the highest share (`weights.py`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from math import exp, sqrt
from operator import mul

from rag_assistant.models.extractive.candidates import CandidateSentence, QuotableText, sentences_in
from rag_assistant.models.extractive.certainty import signals_of
from rag_assistant.models.extractive.features import NAMES, Asked, features_of
from rag_assistant.models.extractive.likeness import Likeness, no_likeness
from rag_assistant.models.extractive.weights import WEIGHTS
from rag_assistant.text.terms import terms_of

MOST_QUOTES = 4
"""Quotes that are given for a question."""

MOST_PASSAGE_TOKENS = 2_500
"""Tokens of passages that sentences are chosen from: further ones hold few answers."""

MARGIN = 2.0
"""How far below the best score one may be: it is e to that power times less likely to answer."""

CARRIED = 2.0
"""How far below a chosen sentence one of its paragraph beside it may be, to be quoted with it."""

LONGEST = 600
"""Characters up to which a quote takes in such sentences. To fill it up to 320 with any others gave
.00 to .02 more of the quotes' words on the questions for tuning, and .01 to .04 less of an IoU."""

HIGHEST = 12.0
"""About the score of a sentence that has all that can be wanted."""

PASSAGE = 1_500
"""Characters of a source from which one more of its sentences may be quoted by itself."""

LIKENED = 16
"""So many of the best sentences by words are compared with the question by meaning, where there is
an embedder: it takes some ten milliseconds for each."""

LIKE = 0.65
"""What a cosine adds to a score for each spread that it is above the mean of those compared. Tried
on the questions for tuning with two embedders: the more, the more first sentences and citations
are right, and the more of the quotes are lost."""

FAR_BELOW = 3.0
"""Spreads below the mean where the sentences stand that were not compared."""

LEAST_SPREAD, MOST_SPREAD = 0.02, 0.15
"""What a spread is at least and at most. It is the standard deviation of the cosines compared: some
embedders give .8 to anything, and what is near differs by .05. By less than the least they say
nothing; the most is what is usual where they range from 0 to 1."""

REPEATS = 0.8
"""Part of its terms that a quote shares with another where it says nothing new."""

_WEIGHTS = tuple(WEIGHTS.get(name, 0.0) for name in NAMES)  # a new one, until it is fitted
_SURROUNDED, _TOGETHER = NAMES.index("surrounded"), NAMES.index("together")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Words of a source, to the letter, with the `sentence` among them that was chosen.

    `head` are the heads of the table that they are rows of, with the line below these.
    `share` is the likelihood that the sentence is the one that answers, if any of them does, `fits`
    its score against those that are usual;
    `coverage` the share of the question's words in it and above it, and `together` of its
    neighbouring words that are neighbours here, too; each from 0 to 1. `signals` are those of how
    well the first of all answers (`certainty.py`); the others have none.
    """

    source: int
    text: str
    sentence: str
    head: str
    share: float
    fits: float
    coverage: float
    together: float
    signals: Mapping[str, float] = field(default_factory=dict)


def choose(
    question: str, sources: Sequence[QuotableText], most: int, likeness: Likeness = no_likeness
) -> list[Chosen]:
    """Give the `most` best quotes at most, the best first, none of which repeats another.

    Of a passage that is one quote; of a longer source as many as there are passages in it, about.
    A question is no answer. Nothing is given where no sentence shares a word with the question.
    """
    sentences = sentences_in(sources)
    rows = features_of(Asked(question), sentences)
    scores = [sum(map(mul, _WEIGHTS, row)) for row in rows]
    may = [
        place
        for place, sentence in enumerate(sentences)
        if rows[place][_SURROUNDED] and not sentence.is_question
    ]
    if not may:
        return []
    by_words = list(scores)
    _add_likeness(scores, may, sentences, lambda texts: likeness(question, texts))
    order = sorted(may, key=lambda place: -scores[place])
    best = scores[order[0]]
    whole = sum(exp(scores[place] - best) for place in may)
    chosen: list[Chosen] = []
    quoted: Counter[int] = Counter()
    taken: set[int] = set()
    said: list[set[str]] = []
    for place in order:
        one = sentences[place]
        if len(chosen) == most or scores[place] < best - MARGIN:
            break
        if place in taken or quoted[one.place] > len(sources[one.place].text) // PASSAGE:
            continue
        first, last = _with_neighbours(place, sentences, scores, taken)
        text = sources[one.place].text[sentences[first].start : sentences[last].end]
        terms = set(terms_of(text))
        if any(len(terms & other) > REPEATS * len(terms) for other in said):
            continue
        quoted[one.place] += 1
        taken.update(range(first, last + 1))
        said.append(terms)
        share, row = exp(scores[place] - best) / whole, rows[place]
        fits = min(1.0, max(0.0, by_words[place] / HIGHEST))
        held = row[_SURROUNDED], row[_TOGETHER]
        chosen.append(Chosen(sources[one.place].id, text, one.text, one.head, share, fits, *held))
    signals = signals_of(order, sentences, scores, rows)
    return [replace(chosen[0], signals=signals), *chosen[1:]]


def _add_likeness(
    scores: list[float],
    may: Collection[int],
    sentences: Sequence[CandidateSentence],
    likeness: Callable[[Sequence[str]], Sequence[float]],
) -> None:
    """Add to the scores of the best by words how near each is to the question in meaning."""
    best = nlargest(LIKENED, may, key=lambda place: scores[place])
    cosines = likeness([sentences[place].text for place in best])
    if not any(cosines):
        return
    middle = sum(cosines) / len(cosines)
    deviation = sqrt(sum((cosine - middle) ** 2 for cosine in cosines) / len(cosines))
    spread = min(MOST_SPREAD, max(LEAST_SPREAD, deviation))
    for place, cosine in zip(best, cosines, strict=True):
        scores[place] += LIKE * max(0.0, FAR_BELOW + (cosine - middle) / spread)


def _with_neighbours(
    place: int,
    sentences: Sequence[CandidateSentence],
    scores: Sequence[float],
    taken: Collection[int],
) -> tuple[int, int]:
    """Take in sentences of the same paragraph that nearly answer as well; give first and last."""
    first = last = place
    one = sentences[place]

    def joins(other: int) -> bool:
        if not 0 <= other < len(sentences) or other in taken:
            return False
        beside = sentences[other]
        if (beside.place, beside.paragraph, beside.head) != (one.place, one.paragraph, one.head):
            return False  # text before a table is none of its rows
        if beside.is_question:
            return False
        begin = min(beside.start, sentences[first].start)
        length = max(beside.end, sentences[last].end) - begin
        return length <= LONGEST and scores[other] >= scores[place] - CARRIED

    while joins(last + 1):
        last += 1
    while joins(first - 1):
        first -= 1
    return first, last
