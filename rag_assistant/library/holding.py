"""Which entries hold words: all of some in one passage, or some in a row."""

from collections.abc import Sequence

from rag_assistant.library.database import Database
from rag_assistant.text.terms import words_in
from rag_assistant.values.search_plan import AllOf, Phrase


def entries_with(database: Database, words: Sequence[str], most: int) -> tuple[int, ...]:
    """Give entries of which a passage, its title or heading holds all of some words, by id.

    `most` at most; none for no words. Words are compared as a search does it, by their stems.
    """
    phrases = tuple(Phrase((part,)) for word in words for part in words_in(word))
    return _entries_with(database, phrases, most)


def entries_with_phrase(database: Database, phrase: str, most: int) -> tuple[int, ...]:
    """Give entries of which a passage holds the words of a phrase in a row, `most` at most."""
    words = tuple(words_in(phrase))
    return _entries_with(database, (Phrase(words, column="text"),) if words else (), most)


def _entries_with(database: Database, phrases: AllOf, most: int) -> tuple[int, ...]:
    if not phrases:
        return ()
    with database.reading() as reader:
        return tuple(reader.candidates.entries_with(phrases, most))
