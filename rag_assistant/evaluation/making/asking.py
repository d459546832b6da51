"""Questions in plain English for the facts of a document.

A sentence is asked for its value where it stands ("the Fund has offered how much towards the
beds?"), which is grammatical wherever the sentence is; the question word goes to the front only
where an auxiliary verb shows how.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.agents.claim_values import Value, values_in
from rag_assistant.evaluation.making.alike import is_verb
from rag_assistant.evaluation.making.english import (
    UNCLEAR,
    Token,
    is_plural,
    kind_of,
    tokens_of,
)
from rag_assistant.evaluation.making.facts import Fact
from rag_assistant.evaluation.making.names import Names

_LONGEST, _LONGEST_SUBJECT, _LONGEST_REST = 22, 7, 9
"""Words of a question for a sentence, of its subject, and of what follows the value."""

_MEASURES = frozenset("m mm cm km g kg mg l ml h min s ms v w kw kb mb gb bar kn hz".split())
"""Units that stand behind a number shortened."""

_IN_SITU = {"money": "how much", "share": "what percentage", "date": "what date",
            "year": "what year", "time": "what time"}  # fmt: skip
_SUBORDINATE = frozenset(
    "if when whenever unless where while until once as that which who whom whose because although"
    " since than so whether".split()
)
_AUXILIARIES = frozenset(
    "is are was were has have had can could may might must should will would cannot".split()
)
_ATTRIBUTES = frozenset(
    "amount price cost rate fee charge salary allowance deposit deadline date time day duration"
    " interval period frequency weight width depth height length size volume capacity pressure"
    " temperature flow speed power torque current voltage level limit maximum minimum number"
    " quantity owner manager contact person role grade place location site room position colour"
    " material type model code meaning cause reason remedy action penalty notice guarantee"
    " delivery reference percentage share budget actual total visibility wind".split()
)
"""What a column or row may be headed by so that one can ask what it is."""

_ORDERING = ("first", "last", "next", "other")
_NO_NOUNS = frozenset(
    "went said came made seen taken first second third fifth last next same longer said reads wants"
    " myself yourself left done gone given full free good true able sure same other half".split()
)
"""Words that end a phrase and are no noun."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a question, with what answers it."""

    words: tuple[str, ...]
    answers: tuple[str, ...]


def wordings_of(fact: Fact, topic: str, names: Names) -> Iterator[Wording]:
    """Give the questions for a fact; `topic` is what it stands under, "" where that is dull."""
    if fact.kind == "table":
        yield from _of_cell(fact, names.lowered(fact.label), topic)
    elif fact.kind == "list":
        words = f"What applies to {names.lowered(fact.label)}"
        yield Wording(_said(words, "in connection with", topic), (fact.value,))
    else:
        plain = names.lowered(fact.plain)
        for value in values_in(plain):
            if not value.denied and (wording := _in_situ(plain, value)):
                yield wording
        yield from _of_clauses(plain)


def _of_cell(fact: Fact, label: str, topic: str) -> Iterator[Wording]:
    """Ask for a cell by its row and its column."""
    column = fact.column
    if kind_of(column) == "prep":
        return
    small = column if _coded(column) or column.isupper() else column[0].lower() + column[1:]
    if _is_attribute(column):
        yield Wording(tuple(f"What is the {small} for {label}".split()), (fact.value,))
        words = f"What is the {small} for {label}"
    else:
        words = f"What stands under {small} for {label}"
    yield Wording(_said(words, "in the table on", topic), (fact.value,))


def _is_attribute(words: str) -> bool:
    return any(word.lower().strip(",") in _ATTRIBUTES for word in words.split()[:3])


def _coded(words: str) -> bool:
    """Whether words name a thing, as "HP-410", and not what is said of it."""
    return any(letter.isdigit() for letter in words)


def _said(words: str, link: str, topic: str) -> tuple[str, ...]:
    return tuple(f"{words} {link} {topic}".split() if topic else words.split())


def _of_clauses(plain: str) -> Iterator[Wording]:
    """Ask what happens if something does, why, or what it is that a sentence speaks of."""
    tokens = tokens_of(plain)[:-1]
    if not tokens:
        return
    comma = next((n for n, token in enumerate(tokens) if token.text == ","), 0)
    if tokens[0].lower in ("if", "when") and 3 < comma < _LONGEST and _is_clear(tokens[:comma]):
        answer = plain[tokens[comma].end :].strip(" .")
        yield Wording(("What", "happens", *_texts(tokens[:comma])), (answer,))
        return
    piece = _piece(tokens, 0)
    helping = _subject_end(piece)
    if not helping or not _is_clear(piece):
        return
    subject, verb, rest = piece[:helping], piece[helping], _short(piece[helping + 1 :])
    if rest is None or len(rest) < 4:
        return
    if len(piece) < len(tokens) and tokens[len(piece)].lower == "because":
        reason = plain[tokens[len(piece)].end :].strip(" .")
        yield Wording(("Why", verb.lower, *_texts(subject), *_texts(rest)), (reason,))
    elif subject[0].lower not in ("you", "we", "there", "no", "all"):
        words = ("Who", "or", "what", verb.lower, *_texts(rest))
        yield Wording(words, (" ".join(_texts(subject)),))


def _subject_end(piece: Sequence[Token]) -> int:
    """Find the auxiliary behind the subject that a clause begins with; 0 where none is plain."""
    helping = next((n for n, token in enumerate(piece) if token.kind == "aux"), 0)
    if not 0 < helping <= _LONGEST_SUBJECT or piece[helping].lower not in _AUXILIARIES:
        return 0
    subject, behind = piece[:helping], piece[helping + 1 : helping + 2]
    owns = piece[helping].lower in ("has", "have", "had")
    if owns and not (behind and behind[0].lower.endswith(("ed", "en"))):
        return 0  # a verb of its own
    if any(token.kind in ("mark", "conj", "pron", "adv") for token in subject):
        return helping if _texts(subject) in (["you"], ["we"]) else 0
    if subject[0].kind == "prep" or any(token.text.endswith(("ed", "ing")) for token in subject):
        return 0
    return helping


def _in_situ(plain: str, value: Value) -> Wording | None:
    """Ask for a value where it stands; None where that would be no question."""
    tokens = tokens_of(plain)
    inside = [n for n, t in enumerate(tokens) if t.start < value.end and t.end > value.start]
    if not inside or _in_range(tokens, inside[0], inside[-1]):
        return None
    piece = _piece(tokens, inside[0])
    if not piece or piece[0].lower in _SUBORDINATE or not _is_clear(piece):
        return None
    first = piece.index(tokens[inside[0]])
    before, after = piece[:first], piece[first + len(inside) :]
    is_part, has_verb = len(piece) + 1 < len(tokens), any(one.kind == "aux" for one in piece)
    if piece[0].kind == "aux" or (
        is_part and not (has_verb and before and piece[0].kind != "prep")
    ):
        return None  # no whole clause
    asked = _asked(value, tokens[inside[0] : inside[-1] + 1], before, after)
    while before and before[-1].lower in ("the", "a", "an", "another", "only", "some", "just"):
        before = before[:-1]
    rest = _short(asked.behind) if asked else None
    if not asked or rest is None or (before and before[-1].lower in _ORDERING):
        return None
    words = [*_texts(before), *asked.words.split(), *_texts(rest)]
    fits = len(words) <= _LONGEST and len(before) + len(rest) > 3
    return Wording(tuple(words), (asked.answer,)) if fits else None


def _piece(tokens: Sequence[Token], place: int) -> list[Token]:
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
    lead = tokens[0].kind == "prep" or tokens[0].lower in _SUBORDINATE
    if start and tokens[start - 1].text == "," and lead and start + len(piece) <= _LONGEST:
        return list(tokens[:end])
    return piece


def _parts(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    if token.lower in ("which", "who", "whose", "because", "although", "whereas", "while"):
        return True
    return token.kind == "mark" and token.text not in "'’&%£€$"


def _is_clear(piece: Sequence[Token]) -> bool:
    """Whether words point to nothing said before; "their" may point to the subject."""
    return not any(
        token.lower in UNCLEAR
        and (n < 6 or token.lower not in ("it", "its", "their", "they", "them"))
        for n, token in enumerate(piece)
    )


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


def _short(after: Sequence[Token]) -> list[Token] | None:
    """Keep so much of what follows as a question can bear, up to a preposition; None for no end."""
    kept = list(after)
    for n, token in enumerate(kept[:-1]):
        if token.lower in ("and", "but", "or") and kept[n + 1].kind not in ("word", "prep"):
            kept = kept[:n]  # another clause begins
            break
    if len(kept) > _LONGEST_REST:
        end = next((n for n in range(_LONGEST_REST, 2, -1) if kept[n].kind == "prep"), 0)
        if not end:
            return None
        kept = kept[:end]
    while kept and kept[-1].kind in ("prep", "det", "conj", "aux", "mark", "adv"):
        kept.pop()
    return kept


def _texts(tokens: Sequence[Token]) -> list[str]:
    """Give words as they stand within a question, marks at the words that they follow."""
    words: list[str] = []
    for token in tokens:
        if token.kind == "mark" and words:
            words[-1] += token.text
        else:
            words.append(token.text)
    return words


def heading_words(heading: str, title: str) -> tuple[str, ...]:
    """Ask what is said under a heading, with the title's words where that has some."""
    words = ["What", "is", "said", "about", *heading.split()]
    if title and title.lower() != heading.lower():
        words += ["in", "connection", "with", *title.split()]
    return tuple(words)


def head_nouns(plain: str) -> list[str]:
    """Give the nouns that phrases of a sentence end in, as far as the words around them tell."""
    tokens = tokens_of(plain)
    return [
        token.text
        for before, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.kind == "word" and token.text.islower() and token.text.isalpha()
        if before.kind in ("det", "prep", "word", "num") and behind.kind != "word"
        if len(token.text) > 3 and not token.text.endswith(("ed", "ing", "est"))
        if not is_verb(token.text) and token.text not in _NO_NOUNS
        if before.lower != "to"
    ]
