"""What a question says against the words that are quoted first: denials and names.

A quote may have all words of a question and say the contrary of what it presupposes ("What did he
not pay?"), or be of somebody else.
"""

from rag_assistant.claims.statements import Statement, TokenKind, statement
from rag_assistant.values.evidence import EvidenceItem


def question_fit(question: str, item: EvidenceItem) -> dict[str, float]:
    """Give three signals, each 1 at best.

    "undenied" is 0 where the question denies something and the quote denies nothing, "affirmed"
    where the question denies nothing and the quote only denies a word of it, and "named" is the
    share of the question's names that the quote has, or what stands above it.
    """
    asked, quoted = statement(question), statement(item.quote)
    denies = _denies(asked)
    above = statement(f"{item.location.heading or ''} {item.title}").terms
    names = [token.term for token in asked.tokens if token.kind is TokenKind.NAME]
    held = sum(name in quoted.terms or name in above for name in names)
    return {
        "undenied": float(not denies or _denies(quoted)),
        "affirmed": float(denies or not _only_denied(quoted) & _said(asked)),
        "named": held / len(names) if names else 1.0,
    }


def _denies(said: Statement) -> bool:
    return any(token.kind is TokenKind.NEGATION for token in said.tokens)


def _only_denied(said: Statement) -> set[str]:
    """Give the words that it denies wherever it has them."""
    return {token.term for token in said.tokens if token.term and token.negated} - _said(said)


def _said(said: Statement) -> set[str]:
    """Give the words that it has without denying them."""
    return {token.term for token in said.tokens if token.term and not token.negated}
