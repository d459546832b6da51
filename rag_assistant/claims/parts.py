"""The claims within a sentence of an answer: without what introduces it, in two, cell by cell."""

import re
from collections.abc import Sequence

from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.table_rows import cells_of
from rag_assistant.text.terms import content_terms

_INTRODUCES = re.compile(
    r"^\W*(?:(?:Yes|No)[,.:;]\s+"
    r"|(?:According to|As stated in|Based on|As per|Per|In) the (?:\w+\s+){0,4}?(?:documents?"
    r"|texts?|handbook|manual|minutes|quotes?|entr(?:y|ies)|sources?|passages?),\s+"
    r"|The (?:\w+\s+){0,3}?(?:documents?|texts?|handbook|manual|minutes|quotes?|entry|source"
    r"|passage) (?:states?|says?|notes?|explains?|reports?|mentions?)(?: that|:)\s+"
    r"|(?:In short|In summary|In brief|So|Therefore|However|Also|Additionally|Moreover"
    r"|Furthermore|Finally|Specifically|For example|For instance|Note that),?\s+)",
    re.IGNORECASE,
)
_JOINS = re.compile(r",?\s+(?:and|but|while|whereas)\s+|;\s+")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|must|will|should|could|would|does|did|do)\b"
    r"|\b\w{3,}(?:ed|es)\b",
    re.IGNORECASE,
)
LEAST_WORDS = 4
"""Words of each half of a sentence that is judged in two."""

MOST_CUTS = 6
"""Ways to cut a sentence that are tried."""

MOST_OF_BARE = 8
"""Words of a claim that may be but a value or a name: an answer to its question."""

ASKED = 0.8
"""Share of a cell's words from which it repeats the question."""


def plain_claim(words: str) -> str:
    """Give what a sentence claims without the words that only introduce it, in one line."""
    said = " ".join(words.split())
    while match := _INTRODUCES.match(said):
        said = said[match.end() :]
    return said


def is_bare(claim: str) -> bool:
    """Whether a claim is but a value or a name, which says nothing of what it is of."""
    return len(claim.split()) <= MOST_OF_BARE and not _VERB.search(claim)


def two_claims(claim: str) -> list[tuple[str, str]]:
    """Give the ways to cut a sentence into the two statements that it may join."""
    found: list[tuple[str, str]] = []
    for match in _JOINS.finditer(claim):
        halves = claim[: match.start()], claim[match.end() :]
        if all(map(_says_something, halves)):
            found.append(halves)
    return found[:MOST_CUTS]


def _says_something(half: str) -> bool:
    """Whether half a sentence can be a statement of its own."""
    words = len(half.split())
    return words > MOST_OF_BARE or (words >= LEAST_WORDS and _VERB.search(half) is not None)


def cell_claims(row: str, question: str) -> Sequence[str]:
    """Give what the cells of a row claim, sentence by sentence; what repeats the question, not."""
    asked = set(content_terms(question))
    found: list[str] = []
    for cell in filter(None, cells_of(row)):
        terms = set(content_terms(cell))
        if len(terms & asked) >= ASKED * len(terms):
            continue
        found += [cell[start:end] for start, end in sentences_of(cell)]
    return found
