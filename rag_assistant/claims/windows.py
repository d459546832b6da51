"""The stretches of what was read that a claim is compared with: its best sentences, with what they
refer back to.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_assistant.claims.ground import Ground, GroundSentence
from rag_assistant.claims.statements import PREFIX, Statement, StatementToken
from rag_assistant.text.quantities import Quantity

MOST_WINDOWS = 6
"""Sentences that a claim is compared with, the best first."""

LEAST_SCORE = 0.4
"""What part of the best one's score a sentence must have to be looked at."""

JOINED = 3
"""How many of them are tried together with a neighbour as well."""

LOOKED_BACK = 3
"""Sentences before one that refers back, in which its subject may stand."""

ASKED = 0.5
"""What a word of the question counts where a bare value is looked for."""


@dataclass(frozen=True)
class Window:
    """Some sentences that follow one another, what stands above them, and what comes before."""

    sentences: Sequence[GroundSentence]
    above: Statement
    before: Sequence[Statement] = ()

    @cached_property
    def statements(self) -> Sequence[Statement]:
        """The sentences, taken apart."""
        return [sentence.statement for sentence in self.sentences]

    @cached_property
    def tokens(self) -> Sequence[StatementToken]:
        """The tokens of all of them."""
        return [token for one in self.statements for token in one.tokens]

    @cached_property
    def quantities(self) -> Sequence[Quantity]:
        """The values of the sentences and of what stands above them."""
        own = [value for one in self.statements for value in one.quantities]
        return [*own, *self.above.quantities]

    @cached_property
    def text(self) -> str:
        """The words of the sentences."""
        return " ".join(sentence.text for sentence in self.sentences)

    @cached_property
    def forms(self) -> frozenset[str]:
        """All words of the sentences, levelled."""
        return frozenset().union(*(one.forms for one in self.statements))

    @cached_property
    def terms(self) -> frozenset[str]:
        """All terms of the sentences."""
        return frozenset().union(*(one.terms for one in self.statements))

    def has(self, term: str) -> bool:
        """Whether the sentences have a term, or one of the same root."""
        if term in self.terms:
            return True
        return len(term) >= PREFIX and any(one.has(term) for one in self.statements)

    def knows(self, term: str) -> bool:
        """Whether they have it, or what stands above them, or before them if they refer back."""
        return self.has(term) or self.above.has(term) or any(one.has(term) for one in self.before)

    def holds_code(self, code: str) -> bool:
        """Whether a code stands in them, however its parts are joined."""
        if len(code) == 1:
            return any(token.raw == code for token in self.tokens)
        squeezed = "".join(filter(str.isalnum, code.casefold()))
        around = (*self.statements, self.above, *self.before)
        return any(squeezed in one.squeezed for one in around)


def window_of(ground: Ground, sentences: Sequence[GroundSentence]) -> Window:
    """Make a window of sentences that follow one another."""
    first = sentences[0]
    back = ground.before(first, LOOKED_BACK) if first.refers_back else ()
    return Window(sentences, ground.above(first), [one.statement for one in back])


def windows_for(
    ground: Ground, claim: Statement, question: Statement, *, bare: bool
) -> Iterator[Window]:
    """Give the windows in which a claim is likeliest to stand, the best first.

    A `bare` value says nothing of what it is of: there the words of the question count as well.
    """
    shares = dict.fromkeys(claim.terms, 1.0)
    if bare:
        shares.update({term: ASKED for term in question.terms if term not in shares})
    scored = ground.scores(shares).most_common(2 * MOST_WINDOWS)
    least = scored[0][1] * LEAST_SCORE if scored else 0.0
    best = [ground.sentence(number) for number, score in scored if score >= least]
    best = [one for one in best if one.source.is_quote_alone or not one.markers][:MOST_WINDOWS]
    yield from (window_of(ground, [one]) for one in best)
    yield from _joined(ground, best[:JOINED])


def windows_of_quotes(ground: Ground, markers: Iterable[int]) -> Iterator[Window]:
    """Give the windows of some quotes: their sentences, and what refers back to one with it."""
    sentences = ground.of_quotes(markers)
    yield from (window_of(ground, [one]) for one in sentences)
    for one in sentences:
        following = ground.after(one)
        if following and following.refers_back:
            yield window_of(ground, [one, following])


def _joined(ground: Ground, sentences: Iterable[GroundSentence]) -> Iterator[Window]:
    for one in sentences:
        following = ground.after(one)
        if following and following.refers_back:
            yield window_of(ground, [one, following])
        before = ground.before(one, 1)
        if before and one.refers_back:
            yield window_of(ground, [before[0], one])
