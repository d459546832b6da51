"""Names and codes of a claim that a source has not, each beside the one that stands there."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rag_assistant.claims.findings import ClaimComparison, Finding
from rag_assistant.claims.statements import StatementToken, TokenKind
from rag_assistant.claims.value_differences import LEAST_NEAR, stands_somewhere
from rag_assistant.values.support import Difference

LEAST_NEAR_OF_NAMES = 0.7
"""Share of a claim's words that a window has before another name in it stands against the claim's:
people are called by more names than one."""

_DIGITS = re.compile(r"\d+")


def name_findings(beside: ClaimComparison) -> Iterator[Finding]:
    """Give the names and codes of a claim that neither its window has nor what belongs to it."""
    claimed = {token.term for token in beside.claim.content}
    for token in beside.claim.content:
        if token.kind is TokenKind.CODE:
            if not beside.window.holds_code(token.raw):
                yield _code_finding(beside, token)
        elif token.kind is TokenKind.NAME and not is_named(beside, token):
            yield _name_finding(beside, token, claimed)


def _code_finding(beside: ClaimComparison, token: StatementToken) -> Finding:
    form = _skeleton(token.raw)
    codes = [one for one in beside.window.tokens if one.kind is TokenKind.CODE]
    ours = {one.term for one in beside.claim.content}
    other = next((o.raw for o in codes if _skeleton(o.raw) == form and o.term not in ours), "")
    difference = Difference("version", token.raw, other)
    nowhere = not stands_somewhere(beside.ground, token.raw)
    return Finding("code", difference, hard=nowhere or (bool(other) and beside.near >= LEAST_NEAR))


def _skeleton(code: str) -> str:
    """Give what codes of one kind have in common: their letters and signs."""
    return _DIGITS.sub("0", code.casefold())


def _name_finding(beside: ClaimComparison, token: StatementToken, claimed: set[str]) -> Finding:
    names = [" ".join(one.raw for one in run) for run in _runs(beside.window.tokens, claimed)]
    other = names[0] if len(names) == 1 else ""
    difference = Difference("name", token.raw, other)
    near = beside.near >= LEAST_NEAR_OF_NAMES
    nowhere = not stands_somewhere(beside.ground, token.raw)
    return Finding("name", difference, hard=near and nowhere)


def _runs(tokens: Sequence[StatementToken], claimed: set[str]) -> Iterator[list[StatementToken]]:
    """Give the names of a window of which the claim has no word."""
    for is_name, run in groupby(tokens, key=lambda one: one.kind is TokenKind.NAME):
        words = list(run)
        if is_name and not any(word.term in claimed for word in words):
            yield words


def is_named(beside: ClaimComparison, token: StatementToken) -> bool:
    """Whether a window has a name, or the words that it is short for."""
    return beside.window.knows(token.term) or _is_shortened(beside, token)


def _is_shortened(beside: ClaimComparison, token: StatementToken) -> bool:
    """Whether a name is the first letters of others in the window, or they of it."""
    if not token.raw.isupper() or len(token.raw) < 2:
        return False
    words = [one.form for one in beside.window.tokens if one.form]
    letters = "".join(word[:1] for word in words)
    return token.form in letters
