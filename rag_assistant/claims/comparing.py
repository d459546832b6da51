"""A claim held against windows of what was read: borne out by one of them, or nearest to one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from rag_assistant.claims.close_reading import close_findings
from rag_assistant.claims.computed import COMPUTING, computation
from rag_assistant.claims.denials import denial_findings
from rag_assistant.claims.findings import ClaimComparison, Finding
from rag_assistant.claims.name_differences import name_findings
from rag_assistant.claims.placing import exchange_findings
from rag_assistant.claims.value_differences import value_findings
from rag_assistant.claims.windows import Window
from rag_assistant.claims.wording import wording_findings
from rag_assistant.values.support import Computation


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """The window that is nearest to a claim, and what it does not bear out: nothing, at best."""

    window: Window | None
    findings: Sequence[Finding] = ()
    near: float = 0.0
    overlap: float = 0.0

    @property
    def is_borne_out(self) -> bool:
        """Whether the window bears the claim out."""
        return self.window is not None and not self.findings

    @property
    def hard(self) -> Sequence[Finding]:
        """What stands against what the window says."""
        return [finding for finding in self.findings if finding.hard]


def verdict(comparisons: Iterable[ClaimComparison], least: float) -> ClaimVerdict:
    """Give the likest window that bears a claim out, or the one that has least against it.

    Only windows that have about as much of the claim as the likest of all count, whose overlap is
    `least` or more: what stands word for word in one place is not borne out by fewer words of it
    in another.
    """
    best = ClaimVerdict(None)
    for beside in sorted(comparisons, key=lambda one: -one.overlap):
        if beside.overlap < least and best.window is not None:
            break
        findings = list(_findings(beside))
        if not findings:
            return ClaimVerdict(beside.window, (), beside.near, beside.overlap)
        if best.window is None or _cost(findings, beside.near) < _cost(best.findings, best.near):
            best = ClaimVerdict(beside.window, findings, beside.near, beside.overlap)
    return best


def _cost(findings: Sequence[Finding], near: float) -> float:
    """Say how far a window is from bearing a claim out."""
    return len(findings) - 4 * near


def _findings(beside: ClaimComparison) -> Iterator[Finding]:
    yield from chain(value_findings(beside), name_findings(beside), denial_findings(beside))
    yield from chain(wording_findings(beside), exchange_findings(beside))
    if not beside.bare:
        yield from close_findings(beside)


LEAST_OF_COMPUTED = 0.4
"""Share of the words of a sentence that computes which stand beside what it computes from."""


def computed_values(beside: ClaimComparison) -> list[Computation]:
    """Give how the values are computed that a window lacks, () where anything else is wrong.

    A sentence that computes says of several what each source says of one.
    """
    findings = [*value_findings(beside), *name_findings(beside), *denial_findings(beside)]
    near = beside.covered([one for one in beside.claim.content if one.form not in COMPUTING])
    if near < LEAST_OF_COMPUTED or not all(one.kind == "value" for one in findings):
        return []
    said = {one.difference.said for one in findings if one.difference}
    known = beside.window.quantities
    values = [v for v in beside.claim.quantities if " ".join(v.words.split()) in said]
    found = [computation(value, beside.claim, known) for value in values]
    return [one for one in found if one] if all(found) else []
