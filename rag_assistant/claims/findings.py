"""What is found where a claim is compared with a stretch of a source."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_assistant.claims.ground import Ground
from rag_assistant.claims.statements import CONTENT, Statement, StatementToken, TokenKind
from rag_assistant.claims.support_values import is_known
from rag_assistant.claims.windows import Window
from rag_assistant.values.support import Difference

VALUE_WEIGHT = 2.0
"""What a value counts beside words, which count up to 3."""

ASKED_SHARE = 0.4
"""What a word counts that the source lacks and the question has."""

REPLACED = "replaced"
"""The kind of a finding where a value or a name stands in the very place of another."""

_MARKS = frozenset(",;:()—–|\n")
_OPENS = frozenset("because although unless except provided which whereas while".split())


@dataclass(frozen=True, slots=True)
class Finding:
    """Something of a claim that a window does not bear out: `kind` names the rule that found it.

    `difference` is of a value or a name; `hard` says that it stands against the source's own, and
    does not only lack there.
    """

    kind: str
    difference: Difference | None = None
    hard: bool = False


@dataclass(frozen=True)
class ClaimComparison:
    """A claim beside a window. `bare` claims are values without a sentence around them."""

    ground: Ground
    claim: Statement
    window: Window
    question: Statement
    bare: bool = False

    @cached_property
    def clauses(self) -> Sequence[Sequence[StatementToken]]:
        """The clauses of the claim that tell anything."""
        found: list[list[StatementToken]] = [[]]
        for token in self.claim.tokens:
            if token.kind is TokenKind.MARK and token.raw in _MARKS:
                found.append([])
            elif token.form in _OPENS and found[-1]:
                found.append([token])
            else:
                found[-1].append(token)
        telling = CONTENT | {TokenKind.VALUE}
        return [clause for clause in found if any(token.kind in telling for token in clause)]

    @cached_property
    def near(self) -> float:
        """How much of the claim's words the window has, from 0 to 1."""
        return self.covered(self.claim.content)

    @cached_property
    def overlap(self) -> float:
        """How much of the claim's words and values the sentences themselves have, from 0 to 1."""
        whole = held = 0.0
        for token in self.claim.content:
            weight = self.ground.weight(token.term)
            whole += weight
            held += weight * self.window.has(token.term)
        for value in self.claim.quantities:
            whole += VALUE_WEIGHT
            held += VALUE_WEIGHT * is_known(value, self.window.quantities)
        return held / whole if whole else 1.0

    def covered(self, tokens: Sequence[StatementToken]) -> float:
        """Give the share of some words, by what they tell, that the window has; 1 for none."""
        whole = held = 0.0
        for token in tokens:
            weight = self.ground.weight(token.term)
            known = self.window.knows(token.term)
            if not known and token.term in self.question.terms:
                weight *= ASKED_SHARE
            whole += weight
            held += weight * known
        return held / whole if whole else 1.0
