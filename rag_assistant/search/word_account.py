"""Which words of a question an entry has, as the index sees words, and what it has instead."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag_assistant.search.asked import Asked
from rag_assistant.search.part import Part
from rag_assistant.search.wording import quoted
from rag_assistant.text.terms import accents_off, terms_by_word, words_in

NEAR = 0.7
"""Least likeness (OSA, 1 is the same) of a word of the entry that is named for one it lacks."""

NEAR_WORDS = 2
"""Such words that are named."""

SHORTEST_NEAR = 4
"""Letters of a word that near ones are looked for."""

LONGEST_READ = 2_000_000
"""Characters of an entry that are looked through for near words."""


@dataclass(frozen=True, slots=True)
class WordAccount:
    """A word of the question. `weight` is its rarity, 0 where it was not looked for.

    `held` says that the entry has it, as the index sees words; `near` are words of the entry that
    are spelt like one it lacks. `finds` says that it is rare enough to find candidates by.
    """

    word: str
    weight: float
    held: bool
    finds: bool = False
    near: tuple[str, ...] = ()


def account_of_words(part: Part, asked: Asked, entry_id: int) -> tuple[WordAccount, ...]:
    """Say of each word of a planned question whether the entry has it."""
    return tuple(_told(part, asked, entry_id))


def _told(part: Part, asked: Asked, entry_id: int) -> Iterator[WordAccount]:
    connection, query, one = part.connection, part.query, json.dumps([entry_id])
    given = [*asked.words, *(word for phrase in asked.parsed.phrases for word in words_in(phrase))]
    by_word = terms_by_word(" ".join(given))
    spelt: dict[str, str] | None = None
    for word in dict.fromkeys(given):
        term = by_word.get(word, "")
        weight = query.weights.get(term, 0.0)
        held = bool(term) and holds(connection, quoted((word,)), one)
        near: tuple[str, ...] = ()
        if not held and weight and len(word) >= SHORTEST_NEAR:
            spelt = _words_of(connection, entry_id) if spelt is None else spelt
            near = _near(accents_off(word), spelt)
        finds = quoted((word,)) in query.match
        yield WordAccount(word, round(weight, 4), held, finds, near)
    for prefix in asked.prefixes:
        held = holds(connection, f"{quoted(words_in(prefix))} *", one)
        yield WordAccount(f"{prefix}*", 1.0, held, finds=True)


def _words_of(connection: sqlite3.Connection, entry_id: int) -> dict[str, str]:
    """Give the words of an entry as they are compared, each as it is written."""
    room, found = LONGEST_READ, dict[str, str]()
    rows = connection.execute(
        "SELECT title || ' ' || coalesce(heading, '') || ' ' || text FROM passages"
        " WHERE entry_id = ? ORDER BY start",
        (entry_id,),
    )
    for (text,) in rows:
        if room <= 0:
            break
        room -= len(text)
        for word in words_in(text):
            if len(word) >= SHORTEST_NEAR:
                found.setdefault(accents_off(word), word)
    return found


def _near(word: str, spelt: Mapping[str, str]) -> tuple[str, ...]:
    """Give the words that are spelt most like one, the likest first."""
    from rapidfuzz import process  # noqa: PLC0415 - only a word that is missing needs it
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    found = process.extract(
        word, list(spelt), scorer=OSA.normalized_similarity, score_cutoff=NEAR, limit=NEAR_WORDS
    )
    return tuple(spelt[name] for name, *_ in found)


def holds(connection: sqlite3.Connection, expression: str, wanted: str) -> bool:
    """Say whether a passage of some entries, given as a JSON list of ids, fits an expression."""
    found = connection.execute(
        "SELECT 1 FROM passages_fts JOIN passages ON passages.id = passages_fts.rowid"
        " WHERE passages_fts MATCH ? AND entry_id IN (SELECT value FROM json_each(?)) LIMIT 1",
        (expression, wanted),
    )
    return found.fetchone() is not None
