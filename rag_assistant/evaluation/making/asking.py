"""Questions for a value in an English sentence, by turning its clause round.

Each form is a function from a clause to the words of a question, or to nothing where the clause is
not of that form. What they make is grammatical wherever the clause was taken apart rightly.
"""

import re
from collections.abc import Sequence

from rag_assistant.agents.claim_values import Value
from rag_assistant.evaluation.making.asked import SIZES, Asked, asked_for
from rag_assistant.evaluation.making.clauses import (
    Clause,
    finite_verb,
    is_be,
    is_modal,
    is_subject,
    starts_as_participle,
)
from rag_assistant.evaluation.making.english import (
    Token,
    is_participle,
    is_plural,
    verb_forms,
)

_MORE = {
    "longer": "long", "wider": "wide", "higher": "high", "deeper": "deep", "older": "old",
    "thicker": "thick", "taller": "tall", "heavier": "heavy", "larger": "large", "bigger": "big",
    "farther": "far", "further": "far", "warmer": "warm", "hotter": "hot", "colder": "cold",
    "lower": "low", "shorter": "short", "smaller": "small", "younger": "young",
}  # fmt: skip
_DATE_OPENINGS = {
    "by": "By when", "until": "Until when", "till": "Until when", "from": "From when",
    "since": "Since when", "before": "Before which date", "after": "After which date",
    "on": "On which date", "in": "When", "for": "For which date",
}  # fmt: skip
_COUNTED_BY = frozenset(
    "after before within for by to at above below under over with from in into during up"
    " until between on through".split()
)
_PARTICLES = frozenset("in up out off down on".split())
"""What belongs to the verb where money follows: it brought in £5."""

_HELPING = ("be", "been", "being", "have")
_DANGLING = re.compile(
    r"\b(?:of|with|an?|per|each|every)"
    r" (?:do|does|did|is|are|was|were|can|could|may|must|will|should|ha[sd]|have)\b"
)
"""What was taken apart wrongly: a preposition without its noun, before a verb."""

_LASTING = frozenset("remain stay stand total".split())
"""Verbs that say what something is."""


def question_for(value: Value, clause: Clause) -> list[str]:
    """Give the words of a question for the value, [] where its clause is of no known form."""
    if clause.unclear or clause.is_condition:
        return []
    if clause.opener == "," and any(token.lower in ("and", "or") for token in clause.before):
        return []  # the end of a list
    asked = asked_for(value, clause)
    if asked is None:
        return []
    for form in (_value_first, _size, _copula, _share_of, _behind_preposition, _object):
        if words := form(clause, asked):
            asking = [word for word in words if word]
            return [] if _DANGLING.search(" ".join(asking)) else asking
    return []


def _texts(tokens: Sequence[Token]) -> list[str]:
    """Give words as they stand within a question: small ones without a capital."""
    return [
        token.lower if token.kind in ("det", "prep", "conj") else token.text for token in tokens
    ]


def _value_first(clause: Clause, asked: Asked) -> list[str]:
    """From "up to five days may be carried over": how many days may be carried over."""
    if clause.before or not asked.after or asked.kind in ("date", "year", "time"):
        return []
    verb = finite_verb([clause.value[0], *asked.after])
    if not 0 < verb < 6 or (clause.verb_after and asked.after[verb - 1].kind != "aux"):
        return []
    return [asked.words, *_texts(asked.after)]


def _size(clause: Clause, asked: Asked) -> list[str]:
    """From "the path must be at least 1.5 m wide": how wide must the path be."""
    before, after = clause.before, asked.after
    limit = ""
    if len(before) > 3 and before[-1].lower == "than" and before[-2].lower in _MORE:
        size, before = _MORE[before[-2].lower], before[:-2]
        limit = "at most"
        if before[-1].lower == "no":
            before = before[:-1]
    elif after and after[0].lower in SIZES:
        size, after = after[0].lower, after[1:]
    else:
        return []
    verb = finite_verb(before)
    if verb < 1 or before[-1].lower not in ("be", *_BEING) or not is_subject(before[:verb]):
        return []
    negated = any(token.lower == "not" for token in before)
    helping = "may" if negated and before[verb].lower == "must" else before[verb].text
    if limit and not negated and before[verb].lower not in ("may", "can", "must", "should"):
        return []
    rest = ["be"] if is_modal(before[verb]) else []
    return ["How", size, helping, *_texts(before[:verb]), *rest, *_texts(after), limit]


_BEING = ("is", "are", "was", "were")


def _copula(clause: Clause, asked: Asked) -> list[str]:
    """From "the filled weight is 34 kg": what is the filled weight."""
    verb = finite_verb(clause.before)
    if verb < 1 or verb != len(clause.before) - 1:
        return []
    subject, finite = clause.before[:verb], clause.before[verb]
    base = next(iter(verb_forms(finite.lower).values()), "")
    if not (is_be(finite) or base in _LASTING) or not is_subject(subject):
        return []
    be = finite.text if is_be(finite) else "was" if finite.lower.endswith("ed") else "is"
    rest = list(asked.after)
    if (rest and rest[0].kind not in ("prep", "adv")) or (rest and rest[0].lower == "of"):
        return []
    if be in ("are", "were") and asked.kind not in ("money", "date"):
        return []
    opening = {"date": "When", "money": "How much", "year": "Which year", "time": "At what time"}
    return [opening.get(asked.kind, "What"), be, *_texts(subject), *_texts(rest)]


def _share_of(clause: Clause, asked: Asked) -> list[str]:
    """From "pay the deposit of £3,690": how much is the deposit."""
    before = clause.before
    if asked.kind != "money" or len(before) < 3 or before[-1].lower != "of":
        return []
    start = next(
        (n for n in range(len(before) - 2, -1, -1) if before[n].kind != "word"), len(before)
    )
    if start >= len(before) - 2 or before[start].lower not in ("the", "a", "an"):
        return []
    rest = asked.after if asked.after and asked.after[0].lower in ("for", "towards") else ()
    told = before[:start]
    past = any("past" in verb_forms(t.lower) or t.lower in ("was", "were", "had") for t in told)
    return [
        "How much",
        "was" if past else "is",
        "the",
        *_texts(before[start + 1 : -1]),
        *_texts(rest),
    ]


def _behind_preposition(clause: Clause, asked: Asked) -> list[str]:
    """From "they must be used by 30 June": by when must they be used."""
    before = clause.before
    if len(before) < 2 or before[-1].lower not in (*_COUNTED_BY, *_DATE_OPENINGS):
        return []
    opening = _opening(before[-1].lower, asked)
    turned = _turned(before[:-1])
    if not opening or not turned or (turned[0] == "did" and clause.verb_after):
        return []
    if before[-1].lower == "from" and asked.kind == "number" and len(clause.value) > 1:
        return []  # from one value to another
    of_it, after = _of_it(asked)
    return [opening, *of_it, *turned, *after]


def _opening(preposition: str, asked: Asked) -> str:
    if asked.kind == "date":
        return _DATE_OPENINGS.get(preposition, "")
    if preposition not in _COUNTED_BY or (asked.kind == "money" and preposition in _PARTICLES):
        return ""
    if asked.kind == "money":
        return f"{preposition.capitalize()} how much money"
    return f"{preposition.capitalize()} {asked.words[0].lower()}{asked.words[1:]}"


_BELONGING = frozenset("ahead beforehand earlier later away apart more less longer higher".split())


def _of_it(asked: Asked) -> tuple[list[str], list[str]]:
    """Part what belongs to the value ("of the station", "ahead") from what follows it."""
    after = asked.after
    first = after[0].lower if after else ""
    if first in _BELONGING:
        return _texts(after[:1]), _texts(after[1:])
    if first in ("before", "after") and len(after) > 1:
        return _texts(after), []
    rates = first in ("a", "an", "per", "each", "every")
    if not (rates or first == "of" or (first == "with" and asked.kind == "number")):
        return [], _texts(after)
    kinds = ("word",) if rates else ("word", "det", "num")
    end = next((n for n, token in enumerate(after) if n and token.kind not in kinds), len(after))
    return _texts(after[:end]), _texts(after[end:])


def _object(clause: Clause, asked: Asked) -> list[str]:
    """From "you can buy up to four extra days": how many extra days can you buy."""
    before = clause.before
    if asked.kind in ("date", "year", "time", "measure") or not before:
        return []
    forms = verb_forms(before[-1].lower)
    if before[-1].kind != "word" or not forms or set(forms) == {"ing"}:
        return []
    if len(before) > 1 and before[-2].kind in ("det", "prep", "num") and before[-2].lower != "to":
        return []  # "a simulated 9 bar"
    turned = _turned(before)
    if not turned or (turned[0] == "did" and clause.verb_after):
        return []
    opening = asked.words
    if is_participle(before[-1].lower) and any(is_be(t) or t.lower == "be" for t in before):
        if clause.bound not in ("up to", "over", "under"):
            return []  # a passive has no object
        opening = f"{clause.bound.capitalize()} {asked.words[0].lower()}{asked.words[1:]}"
    of_it, after = _of_it(asked)
    return [opening, *of_it, *turned, *after]


def _turned(tokens: Sequence[Token]) -> list[str]:
    """Turn subject, verb and what follows into a question: "the station needs", does it need."""
    tokens = list(tokens)
    while tokens and tokens[-1].lower in ("only", "just", "exactly", "even"):
        tokens.pop()
    if not tokens or any(
        token.kind == "mark" or token.lower in ("not", "never") for token in tokens[1:]
    ):
        return []
    verb = finite_verb(tokens)
    if verb < 1:
        return _told(tokens)
    subject, finite, rest = tokens[:verb], tokens[verb], tokens[verb + 1 :]
    doubled = any(token.kind == "aux" and token.lower not in _HELPING for token in rest)
    joined = any(token.lower in ("and", "or") for token in rest)
    if doubled or joined or not is_subject(subject):
        return []
    return _inverted(subject, finite, rest)


def _inverted(subject: Sequence[Token], finite: Token, rest: Sequence[Token]) -> list[str]:
    """Put the finite verb, or a form of "to do", before the subject."""
    helps = is_be(finite) or finite.lower in ("has", "have", "had")
    if is_modal(finite) or (helps and starts_as_participle(rest)):
        turns = bool(rest) and rest[-1].kind not in ("det", "prep", "conj")
        return [finite.text, *_texts(subject), *_texts(rest)] if turns else []
    forms = verb_forms(finite.lower)
    if "past" in forms and _is_label(subject):
        return []
    if "past" in forms:
        return ["did", *_texts(subject), forms["past"], *_texts(rest)]
    if "s" in forms:
        return ["does", *_texts(subject), forms["s"], *_texts(rest)]
    if "base" in forms:
        return ["do", *_texts(subject), forms["base"], *_texts(rest)]
    return []


def _is_label(subject: Sequence[Token]) -> bool:
    """Whether a subject is a bare noun, so that what follows may be a participle: a label."""
    last = subject[-1]
    return subject[0].kind == "word" and last.text.islower() and not is_plural(last.text)


def _told(tokens: Sequence[Token]) -> list[str]:
    """Turn an order into a question: "check the screws", should you check the screws."""
    first = tokens[0].lower
    if first == "let" or any(token.lower in ("and", "or", "not") for token in tokens):
        return []
    if "base" not in verb_forms(first) or len(tokens) < 2 or tokens[1].kind not in ("det", "prep"):
        return []
    return ["should you", first, *_texts(tokens[1:])]
