"""Clauses of a sentence: where one begins and ends, its subject, what a question takes of it."""

from collections.abc import Sequence

from rag_assistant.evaluation.making.alike import is_verb
from rag_assistant.text.english import UNCLEAR, Token

LONGEST, _LONGEST_SUBJECT, _LONGEST_REST = 22, 7, 9
"""Words of a question for a sentence, of its subject, and of what follows the value."""

SUBORDINATE = frozenset(
    "if when whenever unless where while until once as that which who whom whose because although"
    " since than so whether".split()
)
_AUXILIARIES = frozenset(
    "is are was were has have had can could may might must should will would cannot".split()
)


def piece_around(tokens: Sequence[Token], place: int) -> list[Token]:
    """Give the clause around a place: all up to a mark, with a condition that goes before it."""
    start = end = place
    while start and not _parts(tokens, start - 1):
        start -= 1
    while end < len(tokens) and not _parts(tokens, end):
        end += 1
    if start and tokens[start - 1].lower in ("which", "who", "whose"):
        return []
    piece = list(tokens[start:end])
    if piece and piece[0].lower in ("and", "but", "so", "or"):
        piece = piece[1:]
    lead = tokens[0].kind == "prep" or tokens[0].lower in SUBORDINATE
    if start and tokens[start - 1].text == "," and lead and start + len(piece) <= LONGEST:
        return list(tokens[:end])
    return piece


def _parts(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    if token.lower in ("which", "who", "whose", "because", "although", "whereas", "while"):
        return True
    return token.kind == "mark" and token.text not in "'’&%£€$"


def is_clear(piece: Sequence[Token]) -> bool:
    """Whether words point to nothing said before; "their" may point to the subject."""
    return not any(
        token.lower in UNCLEAR
        and (n < 6 or token.lower not in ("it", "its", "their", "they", "them"))
        for n, token in enumerate(piece)
    )


def subject_end(piece: Sequence[Token]) -> int:
    """Find the auxiliary behind the subject that a clause begins with; 0 where none is plain."""
    helping = next((n for n, token in enumerate(piece) if token.kind == "aux"), 0)
    if not 0 < helping <= _LONGEST_SUBJECT or piece[helping].lower not in _AUXILIARIES:
        return 0
    subject, behind = piece[:helping], piece[helping + 1 : helping + 2]
    owns = piece[helping].lower in ("has", "have", "had")
    if owns and not (behind and behind[0].lower.endswith(("ed", "en"))):
        return 0  # a verb of its own
    if any(token.kind in ("mark", "conj", "pron", "adv") for token in subject):
        return helping if texts_of(subject) in (["you"], ["we"]) else 0
    if subject[0].kind == "prep" or any(token.text.endswith(("ed", "ing")) for token in subject):
        return 0
    return helping


def shortened(after: Sequence[Token]) -> list[Token] | None:
    """Keep so much of what follows as a question can bear, up to a preposition; None for no end."""
    kept = list(after)
    for n, token in enumerate(kept[:-1]):
        joins = token.lower in ("and", "but", "or")
        if joins and (kept[n + 1].kind not in ("word", "prep") or is_verb(kept[n + 1].lower)):
            kept = kept[:n]  # another clause begins
            break
    if len(kept) > _LONGEST_REST:
        end = next((n for n in range(_LONGEST_REST, 2, -1) if _ends_before(kept[n])), 0)
        if not end:
            return None
        kept = kept[:end]
    while kept and kept[-1].kind in ("prep", "det", "conj", "aux", "mark", "adv"):
        kept.pop()
    return kept


def _ends_before(token: Token) -> bool:
    return token.kind == "prep" and token.lower != "than"


def texts_of(tokens: Sequence[Token]) -> list[str]:
    """Give words as they stand within a question, marks at the words that they follow."""
    words: list[str] = []
    for token in tokens:
        if token.kind == "mark" and words:
            words[-1] += token.text
        else:
            words.append(token.text)
    return words
