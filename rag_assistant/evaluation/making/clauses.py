"""Taking a sentence apart around a value in it: the clause, its subject, its verb, what follows."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.agents.claim_values import Value
from rag_assistant.evaluation.making.english import (
    BE,
    MODALS,
    UNCLEAR,
    Token,
    is_participle,
    is_plural,
    tokens_of,
    verb_forms,
)

LONGEST_SUBJECT, LONGEST_REST = 9, 9
"""Words of a subject, and of what follows the value, that a question takes over."""

_BOUNDS = (
    "at least|at most|no more than|not more than|no less than|no fewer than|more than|less than"
    "|fewer than|up to|about|around|roughly|nearly|almost|approximately|exactly|only|just|over"
    "|under|a total of|a maximum of|a minimum of|as much as|as many as|some|the|a further|another"
    "|no later than|not later than|some time"
)
BOUNDS = tuple(tuple(bound.split()) for bound in _BOUNDS.split("|"))
"""What may stand between a verb or preposition and the value, and is left out of a question."""

_OPENS = frozenset(
    "because although though while whereas if unless when whenever where wherever which who whom"
    " whose that as so but since".split()
)

_LEFT_OVER = ("only", "together", "according", "along", "such")
"""Words that a question cannot end with."""

_OPENING_MARKS = frozenset(',;:()–—“”"')
_CONDITIONS = frozenset(
    "if when whenever unless where wherever whether while until once as that which who whom"
    " whose".split()
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: the words before its value without bounds, the value, and the words after it.

    `bound` are the words that make the value a limit, `opener` is what the clause begins behind: a
    word or a mark, "" where it begins the sentence. `verb_after` says that a finite verb follows.
    """

    before: tuple[Token, ...]
    value: tuple[Token, ...]
    after: tuple[Token, ...]
    bound: str = ""
    opener: str = ""
    verb_after: bool = False

    @property
    def is_condition(self) -> bool:
        """Whether it says when something holds, and so states nothing."""
        return self.opener in _CONDITIONS

    @property
    def unclear(self) -> bool:
        """Whether it points to something said before."""
        return any(token.lower in UNCLEAR for token in (*self.before, *self.after))


def clause_around(sentence: str, value: Value) -> Clause | None:
    """Give the clause that a value stands in; None where another value is bound up with it."""
    tokens = tokens_of(sentence)
    inside = [
        place
        for place, token in enumerate(tokens)
        if token.start < value.end and token.end > value.start
    ]
    if not inside:
        return None
    first, last = inside[0], inside[-1] + 1
    start, end = _start(tokens, first), _end(tokens, last)
    if _in_range(tokens[:first], tokens[last:]):
        return None
    given = tokens[start:first]
    before = without_bounds(given)
    bound = " ".join(token.lower for token in given[len(before) :])
    opener = tokens[start - 1].lower if start else ""
    if start and tokens[start - 1].kind == "mark" and opener not in _OPENING_MARKS:
        return None
    after = tokens[last:end]
    verb_after = any(_is_finite(token) for token in after)
    return Clause(before, tuple(tokens[first:last]), _cut(after), bound, opener, verb_after)


def _is_finite(token: Token) -> bool:
    """Whether a word cannot but be the verb of a clause: "is", "showed"."""
    forms = verb_forms(token.lower)
    return token.kind == "aux" or ("past" in forms and len(forms) == 1)


def _start(tokens: Sequence[Token], first: int) -> int:
    """Find where the clause begins: behind a mark or a word that opens one, or behind an "and" that
    has a finite verb on both sides."""
    for place in range(first - 1, -1, -1):
        token = tokens[place]
        if token.kind == "mark" and token.text not in "'’&%":
            return place + 1
        if token.lower in _OPENS:
            return place + 1
        if token.lower in ("and", "or") and (
            finite_verb(tokens[place + 1 : first]) >= 0 and finite_verb(tokens[:place]) >= 0
        ):
            return place + 1
    return 0


def _end(tokens: Sequence[Token], last: int) -> int:
    for place in range(last, len(tokens)):
        token = tokens[place]
        if token.kind == "mark" and token.text not in "'’&%":
            return place
        if token.lower in _OPENS:
            return place
        if token.lower in ("and", "or"):
            rest = tokens[place + 1 : place + 6]
            numbered = any(token.kind == "num" for token in rest)
            if numbered or finite_verb(rest) >= 0 or (rest and verb_forms(rest[0].lower)):
                return place
    return len(tokens)


def _in_range(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether the value is one of two, as in "between 1 and 21 February", "5 to 10 bar"."""
    near = [token.lower for token in before[-3:]]
    if "between" in near or (
        near[-1:]
        and near[-1] in ("to", "and", "or", "-", "–", "/", "×", "x")
        and any(token.kind == "num" for token in before[-4:-1])
    ):
        return True
    following = [token for token in after[:4]]
    joined = any(token.lower in ("to", "and", "or", "-", "–", "/") for token in following[:2])
    return joined and any(token.kind == "num" for token in following)


def without_bounds(before: Sequence[Token]) -> tuple[Token, ...]:
    """Leave out what says that a value is a limit or not exact."""
    kept = list(before)
    while kept:
        for bound in BOUNDS:
            if tuple(token.lower for token in kept[-len(bound) :]) == bound:
                del kept[-len(bound) :]
                break
        else:
            break
    return tuple(kept)


def _cut(after: Sequence[Token]) -> tuple[Token, ...]:
    """Keep so much of what follows as a question can bear, up to a preposition."""
    kept = list(after)
    if len(after) > LONGEST_REST:
        end = next((n for n in range(LONGEST_REST, 1, -1) if after[n].kind == "prep"), 0)
        kept = list(after[:end])
    while kept:
        last = kept[-1]
        if last.lower in ("before", "after"):
            return ()  # "the Monday before" what was said
        if last.kind in ("prep", "det", "conj") or last.lower in _LEFT_OVER:
            kept.pop()
        elif "base" in verb_forms(last.lower) and len(kept) > 1 and kept[-2].lower == "to":
            del kept[-2:]
        else:
            break
    return tuple(kept)


def finite_verb(tokens: Sequence[Token]) -> int:
    """Find the finite verb of a clause: an auxiliary, or a known verb in the past or with an s.

    A participle behind a noun ("the money collected by …") is none where an auxiliary follows.
    Gives -1 where there is none.
    """
    helping = next((n for n, token in enumerate(tokens) if token.kind == "aux"), -1)
    doubtful = False
    for place, token in enumerate(tokens):
        if place == helping:
            return place
        if token.kind != "word" or place == 0 or token.text[0].isupper():
            continue
        forms = verb_forms(token.lower)
        before = tokens[place - 1]
        if before.kind in ("det", "prep", "num"):
            continue
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if "past" in forms and not (
            "participle" in forms
            and (helping > place or (after is not None and after.lower == "by"))
        ):
            return place
        if "s" in forms:
            if after is None or after.kind in ("det", "prep", "num", "adv", "conj"):
                return -1 if doubtful else place
            doubtful = True  # "the socket accepts memory sticks": which of the two it is
        if "base" in forms and (
            before.lower in ("you", "we")
            or (is_plural(before.lower) and (after is None or after.kind in ("det", "prep")))
        ):
            return place
    return helping


def is_subject(tokens: Sequence[Token]) -> bool:
    """Whether words can stand as the subject of a question: a short noun phrase, or you or we."""
    words = [token.lower for token in tokens]
    if words in (["you"], ["we"]):
        return True
    if not tokens or len(tokens) > LONGEST_SUBJECT or tokens[0].kind not in ("det", "word", "num"):
        return False
    if tokens[-1].kind not in ("word", "num"):
        return False
    if any(is_only_verb(token.lower) for token in (tokens[0], tokens[-1])):
        return False
    return not any(
        token.kind in ("aux", "pron", "conj", "mark", "adv") and token.lower not in ("and", "or")
        for token in tokens
    )


def is_only_verb(word: str) -> bool:
    """Whether a word is a form of a verb that is hardly anything else."""
    forms = verb_forms(word)
    return "past" in forms and "base" not in forms


def is_modal(token: Token) -> bool:
    """Whether a token is a modal verb."""
    return token.lower in MODALS


def is_be(token: Token) -> bool:
    """Whether a token is a form of "to be" that can open a question."""
    return token.lower in BE


def starts_as_participle(tokens: Sequence[Token]) -> bool:
    """Whether a predicate goes on with a participle, maybe behind an adverb or "not", "been"."""
    for token in tokens[:3]:
        if token.kind == "adv" or token.lower in ("been", "be", "being"):
            continue
        return is_participle(token.lower)
    return False
