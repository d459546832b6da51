"""Which words of a question an entry has, as the index sees words, and what it has instead."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag_assistant.search.query_terms import QueryTerms
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.terms import accents_off, terms_by_word, words_in
from rag_assistant.values.search_plan import Phrase, Plan

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


def account_of_words(
    reader: StoreReader, plan: Plan, query: QueryTerms, entry_id: int
) -> tuple[WordAccount, ...]:
    """Say of each word of a planned question whether the entry has it."""
    return tuple(_each_word(reader, plan, query, entry_id))


def _each_word(
    reader: StoreReader, plan: Plan, query: QueryTerms, entry_id: int
) -> Iterator[WordAccount]:
    hold = reader.candidates.hold
    given = [*query.words, *(word for phrase in query.parsed.phrases for word in words_in(phrase))]
    by_word = terms_by_word(" ".join(given))
    alternatives = {one.words for phrases in (plan.any_of, *plan.required) for one in phrases}
    spelt: dict[str, str] | None = None
    for word in dict.fromkeys(given):
        term = by_word.get(word, "")
        weight = plan.weights.get(term, 0.0)
        held = bool(term) and hold((Phrase((word,)),), [entry_id])
        near: tuple[str, ...] = ()
        if not held and weight and len(word) >= SHORTEST_NEAR:
            spelt = _words_of(reader, entry_id) if spelt is None else spelt
            near = _near(accents_off(word), spelt)
        yield WordAccount(word, round(weight, 4), held, (word,) in alternatives, near)
    for prefix in query.prefixes:
        begun = Phrase(tuple(words_in(prefix)), begun=True)
        yield WordAccount(f"{prefix}*", 1.0, hold((begun,), [entry_id]), finds=True)


def _words_of(reader: StoreReader, entry_id: int) -> dict[str, str]:
    """Give the words of an entry as they are compared, each as it is written."""
    room, found = LONGEST_READ, dict[str, str]()
    for passage in reader.passages.candidates_of(entry_id):
        if room <= 0:
            break
        text = f"{passage.title} {passage.heading} {passage.text}"
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
