"""Whether a claim denies what a source says, says the opposite, or leaves its denial out."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rag_assistant.claims.findings import ClaimComparison, Finding
from rag_assistant.claims.opposites import makes_a_duty, says_the_opposite
from rag_assistant.claims.statements import CONTENT, StatementToken, TokenKind

_IMPLIED = re.compile(
    r"\b(?:exclu\w+|lack\w*|stop\w*|fail\w*|prevent\w*|refus\w*|forbid\w*|prohibit\w*|except|unless"
    r"|only|instead|rather|absen\w*|free|no longer|avoid\w*|reject\w*|un\w{4,}|impossible|lost"
    r"|in(?:capable|sufficient|valid|eligible)\w*|lapse\w*|few|little|deni\w+|deny)\b",
    re.IGNORECASE,
)
"""Words that deny without a negation."""


def denial_findings(beside: ClaimComparison) -> Iterator[Finding]:
    """Give what speaks for the claim saying the contrary of its window."""
    asked = beside.question.forms
    forms = [token.form for token in beside.claim.tokens if token.form and token.form not in asked]
    if says_the_opposite(forms, beside.window.forms):
        yield Finding("opposite")
    if makes_a_duty(beside.claim.forms, beside.window.forms):
        yield Finding("duty")
    yield from _denied(beside)
    yield from _left_out(beside)


def _denied(beside: ClaimComparison) -> Iterator[Finding]:
    """Find what the claim negates and its window does not."""
    tokens = beside.window.tokens
    negated = {token.term for token in tokens if token.negated}
    stated = {token.term for token in tokens if token.kind in CONTENT and not token.negated}
    implied = _IMPLIED.search(beside.window.text)
    for run in _negated_runs(beside.claim.tokens):
        there = [token.term for token in run if beside.window.has(token.term)]
        if not there:
            if not negated and not implied:
                yield Finding("negation")
        elif not negated.intersection(there):
            plain = len(there) >= 2 and stated.issuperset(there)
            if plain or not implied:
                yield Finding("negation")


def _left_out(beside: ClaimComparison) -> Iterator[Finding]:
    """Find what the window negates and the claim says without."""
    ours = {token.term for token in beside.claim.content}
    negated = {token.term for token in beside.claim.tokens if token.negated}
    if _IMPLIED.search(beside.claim.text):
        return
    for run in _negated_runs(beside.window.tokens):
        there = [token.term for token in run if token.term in ours]
        if there and 2 * len(there) >= len(run) and not negated.intersection(there):
            yield Finding("negation")


def _negated_runs(tokens: Iterable[StatementToken]) -> Iterator[Sequence[StatementToken]]:
    """Give the words that follow each negation and that it denies."""
    run: list[StatementToken] = []
    for token in tokens:
        if token.kind is TokenKind.NEGATION:
            if run:
                yield run
            run = []
        elif token.negated:
            run.append(token)
        elif run and token.kind in CONTENT:
            yield run
            run = []
    if run:
        yield run
