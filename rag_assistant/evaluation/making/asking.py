"""Questions in plain English for the facts of a document.

A sentence is asked for its value where it stands ("the Fund has offered how much towards the
beds?"), which is grammatical wherever the sentence is, or for its subject, its reason, or what
happens on its condition.
"""

from collections.abc import Iterator

from rag_assistant.claims.claim_values import values_in
from rag_assistant.evaluation.making.alike import is_verb
from rag_assistant.evaluation.making.clauses import (
    LONGEST,
    is_clear,
    piece_around,
    shortened,
    subject_end,
    texts_of,
)
from rag_assistant.evaluation.making.values import Wording, asked_in_place
from rag_assistant.library.passage_facts import Fact
from rag_assistant.text.english import kind_of, tokens_of
from rag_assistant.text.written_names import Names

_ATTRIBUTES = frozenset(
    "amount price cost rate fee charge salary allowance deposit deadline date time day duration"
    " interval period frequency weight width depth height length size volume capacity pressure"
    " temperature flow speed power torque current voltage level limit maximum minimum number"
    " quantity owner manager contact person role grade place location site room position colour"
    " material type model code meaning cause reason remedy action penalty notice guarantee"
    " delivery reference percentage share budget actual total visibility wind".split()
)
"""What a column or row may be headed by so that one can ask what it is."""

_NO_NOUNS = frozenset(
    "went said came made seen taken took lower higher remain belong undertook aloud first second"
    " third fifth last next same longer wants myself yourself left done gone given full free good"
    " true able sure other half common".split()
)
"""Words that end a phrase and are no noun."""


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
            if not value.denied and (wording := asked_in_place(plain, value)):
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
    if tokens[0].lower in ("if", "when") and 3 < comma < LONGEST and is_clear(tokens[:comma]):
        answer = plain[tokens[comma].end :].strip(" .")
        yield Wording(("What", "happens", *texts_of(tokens[:comma])), (answer,))
        return
    piece = piece_around(tokens, 0)
    helping = subject_end(piece)
    if not helping or not is_clear(piece):
        return
    subject, verb, rest = piece[:helping], piece[helping], shortened(piece[helping + 1 :])
    if rest is None or len(rest) < 4:
        return
    if len(piece) < len(tokens) and tokens[len(piece)].lower == "because":
        reason = plain[tokens[len(piece)].end :].strip(" .")
        yield Wording(("Why", verb.lower, *texts_of(subject), *texts_of(rest)), (reason,))
    elif subject[0].lower not in ("you", "we", "there", "no", "all"):
        words = ("Who", "or", "what", verb.lower, *texts_of(rest))
        yield Wording(words, (" ".join(texts_of(subject)),))


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
        if before.kind in ("det", "prep", "word", "num")
        if behind.kind not in ("word", "det", "pron", "adv")
        if before.kind != "word" or not token.text.endswith("s")
        if len(token.text) > 3 and not token.text.endswith(("ed", "ing", "est"))
        if not is_verb(token.text) and token.text not in _NO_NOUNS
        if before.lower != "to"
    ]
