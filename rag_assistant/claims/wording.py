"""Whether a source has the words of a claim: all together, clause by clause, and its subject."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rag_assistant.claims.findings import ClaimComparison, Finding
from rag_assistant.claims.statements import CONTENT, StatementToken, TokenKind

LEAST_COVERED = 0.55
"""Share of a claim's words that a source must have, by what they tell."""

LEAST_OF_CLAUSE = 0.4
LEAST_OF_SUBJECT = 0.5
"""The same of a clause, and of what stands before its verb."""

LONGEST_UNKNOWN = 3
"""So many words in a row that the source lacks are something that it does not say."""

VERBS = frozenset(
    """
    is are was were has have had can may must will should could would does did do cannot need needs
    get gets become becomes mean means led made wrote used found began isnt arent wasnt werent cant
    dont doesnt didnt
    """.split()
)
_SUBORDINATE = frozenset(
    "which although except provided as because for unless especially mainly".split()
)


def wording_findings(beside: ClaimComparison) -> Iterator[Finding]:
    """Give what of a claim its window has no words for."""
    if beside.near < LEAST_COVERED:
        yield Finding("words")
    if _longest_unknown(beside) >= LONGEST_UNKNOWN:
        yield Finding("run")
    for clause in beside.clauses:
        telling = [token for token in clause if token.kind in CONTENT]
        says_more = len(telling) >= 2 or clause[0].form in _SUBORDINATE
        if telling and says_more and beside.covered(telling) < LEAST_OF_CLAUSE:
            yield Finding("clause")
        subject = subject_of(clause)
        asked = all(token.term in beside.question.terms for token in subject)
        if subject and not asked and beside.covered(subject) < LEAST_OF_SUBJECT:
            yield Finding("subject")


def subject_of(tokens: Sequence[StatementToken]) -> Sequence[StatementToken]:
    """Give the telling words before the first verb, none where there is no verb."""
    verb = verb_in(tokens)
    return [token for token in tokens[:verb] if token.kind in CONTENT] if verb else []


def verb_in(tokens: Sequence[StatementToken]) -> int | None:
    """Give the place of the first verb, as far as its form tells; never the first of the words."""
    for place, token in enumerate(tokens):
        past = token.kind is TokenKind.WORD and token.form.endswith("ed")
        if place and (token.form in VERBS or past):
            return place
    return None


def _longest_unknown(beside: ClaimComparison) -> int:
    """Count the words of the longest row that the window lacks, the question's not counted."""
    longest = 0
    for clause in beside.clauses:
        telling = [token for token in clause if token.kind in CONTENT]
        for unknown, run in groupby(telling, key=lambda token: _is_unknown(beside, token)):
            longest = max(longest, len(list(run)) if unknown else 0)
    return longest


def _is_unknown(beside: ClaimComparison, token: StatementToken) -> bool:
    return not beside.window.knows(token.term) and token.term not in beside.question.terms
