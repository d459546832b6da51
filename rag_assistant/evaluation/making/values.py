"""Asking for a value where it stands in its sentence: "the Fund has offered how much for it?"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.claims.claim_values import Value
from rag_assistant.evaluation.making.clauses import (
    LONGEST,
    SUBORDINATE,
    is_clear,
    piece_around,
    shortened,
    texts_of,
)
from rag_assistant.text.english import Token, is_plural, tokens_of

_MEASURES = frozenset("m mm cm km g kg mg l ml h min s ms v w kw kb mb gb bar kn hz".split())
"""Units that stand behind a number shortened."""

_IN_SITU = {"money": "how much", "share": "what percentage", "date": "what date",
            "year": "what year", "time": "what time"}  # fmt: skip
_LEFT_OUT = ("the", "a", "an", "another", "only", "some", "just", "all")
_ORDERING = ("first", "last", "next", "other")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a question, with what answers it."""

    words: tuple[str, ...]
    answers: tuple[str, ...]


def asked_in_place(plain: str, value: Value) -> Wording | None:
    """Ask for a value where it stands; None where that would be no question."""
    tokens = tokens_of(plain)
    inside = [n for n, t in enumerate(tokens) if t.start < value.end and t.end > value.start]
    if not inside or " to " in value.words or _in_range(tokens, inside[0], inside[-1]):
        return None
    piece = piece_around(tokens, inside[0])
    if tokens[inside[0]] not in piece or piece[0].lower in SUBORDINATE or not is_clear(piece):
        return None
    first = piece.index(tokens[inside[0]])
    before, after = piece[:first], piece[first + len(inside) :]
    is_part, has_verb = len(piece) + 1 < len(tokens), any(one.kind == "aux" for one in piece)
    is_clause = not is_part or (has_verb and before and piece[0].kind != "prep")
    if piece[0].kind == "aux" or not is_clause:
        return None
    asked = _asked(value, tokens[inside[0] : inside[-1] + 1], before, after)
    while before and before[-1].lower in _LEFT_OUT:
        before = before[:-1]
    rest = shortened(asked.behind) if asked else None
    if not asked or rest is None or (before and before[-1].lower in _ORDERING):
        return None
    words = [*texts_of(before), *asked.words.split(), *texts_of(rest)]
    fits = len(words) <= LONGEST and len(before) + len(rest) > 3
    return Wording(tuple(words), (asked.answer,)) if fits else None


def _in_range(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a value is one of two, as in "between 1 and 21 February", or of "24-well plates"."""
    near = [*tokens[max(0, first - 3) : first], *tokens[last + 1 : last + 4]]
    joined = any(token.lower in ("to", "and", "or", "-", "–", "/", "x", "×") for token in near)
    hyphened = any(
        "-" in token.text and token.text[-1].isalpha() for token in tokens[first : last + 1]
    )
    return hyphened or (joined and any(token.kind == "num" for token in near))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words that ask for a value, what is left of the clause behind it, and the answer."""

    words: str
    behind: Sequence[Token]
    answer: str


def _asked(
    value: Value, written: Sequence[Token], before: Sequence[Token], after: Sequence[Token]
) -> _Asked | None:
    kind, _, of = value.kind.partition(" ")
    if kind in ("number", "tight"):
        return _counted(value, written, after)
    if kind == "money":
        rate = of.partition(" ")[2]
        return _Asked(f"how much per {rate}" if rate else "how much", after, value.words)
    if after and after[0].kind in ("word", "num"):
        return None  # "20 % alcohol", "the 12 June meeting"
    if kind in ("date", "year") and before and before[-1].kind not in ("prep", "aux"):
        return None
    month = kind == "date" and re.fullmatch(r"[^\W\d]+ \d{4}", value.words)
    return _Asked("what month" if month else _IN_SITU[kind], after, value.words)


def _counted(value: Value, written: Sequence[Token], after: Sequence[Token]) -> _Asked | None:
    """Ask how many of what a number counts, or how much it is of a unit."""
    attached = re.search(r"(?<=\d)[^\W\d_]+$|°[CF]?$", written[-1].text)
    unit = attached[0].lower() if attached else after[0].lower if after else ""
    if unit.startswith("°") or unit in _MEASURES:
        words = "what temperature" if unit.startswith("°") else "how much"
        answer = value.words if attached else f"{written[-1].text} {after[0].text}"
        return _Asked(words, after if attached else after[1:], answer)
    counted = next((n for n, token in enumerate(after[:3]) if is_plural(token.lower)), None)
    if attached or counted is None or any(token.kind != "word" for token in after[: counted + 1]):
        return None
    if after[counted].lower in ("times", "ways", "parts", "things", "degrees"):
        return None
    answer = " ".join(token.text for token in (*written, *after[: counted + 1]))
    return _Asked("how many", after, answer)
