"""What some words of a sentence come to when they are judged, and what of it is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.claims.comparing import ClaimVerdict
from rag_assistant.claims.ground import GroundSentence
from rag_assistant.claims.statements import Statement
from rag_assistant.values.support import Difference, Sentence, Support


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """What some words of a sentence rest on, its places still to be filled in, and by what."""

    sentence: Sentence
    verdict: ClaimVerdict

    @property
    def place(self) -> tuple[int, str]:
        """The text and the place in it that the verdict is of."""
        window = self.verdict.window
        first = window.sentences[0] if window else None
        return (first.location.start, first.source.path) if first else (0, "")


def worst(outcomes: Sequence[PartOutcome]) -> Sentence | None:
    """Give the one of some outcomes that a person must know of first; None for none."""
    order: list[Support] = list(Support)
    told = [one.sentence for one in outcomes]
    return max(told, key=lambda one: order.index(one.support), default=None)


def overlap_of(one: ClaimVerdict) -> float:
    """Give the share of the claim's words that the window has."""
    return one.overlap


def hard_differences(nearest: ClaimVerdict) -> tuple[Difference, ...]:
    """Give the hard differences, of each value the one with what the source says."""
    found: dict[str, Difference] = {}
    for finding in nearest.hard:
        if finding.difference:
            known = found.get(finding.difference.said)
            if known is None or not known.read:
                found[finding.difference.said] = finding.difference
    return tuple(found.values())


def bearing(one: ClaimVerdict, claim: Statement) -> GroundSentence | None:
    """Give the sentence of a window that has most of a claim's words."""
    if one.window is None:
        return None
    return max(one.window.sentences, key=lambda each: len(claim.terms & each.statement.terms))
