"""Which entries hold words: all of some in one passage, or some in a row."""

from collections.abc import Sequence

from rag_assistant.library.database import Database
from rag_assistant.text.terms import words_in


def entries_with(database: Database, words: Sequence[str], most: int) -> tuple[int, ...]:
    """Give entries of which a passage, its title or heading holds all of some words, by id.

    `most` at most; none for no words. Words are compared as a search does it, by their stems.
    """
    return _matching(database, " ".join(f'"{part}"' for w in words for part in words_in(w)), most)


def entries_with_phrase(database: Database, phrase: str, most: int) -> tuple[int, ...]:
    """Give entries of which a passage holds the words of a phrase in a row, `most` at most."""
    words = words_in(phrase)
    return _matching(database, f'text : "{" ".join(words)}"' if words else "", most)


def _matching(database: Database, query: str, most: int) -> tuple[int, ...]:
    if not query:
        return ()
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT DISTINCT entry_id FROM passages_fts"
            " JOIN passages ON passages.id = passages_fts.rowid"
            " WHERE passages_fts MATCH ? LIMIT ?",
            (query, most),
        ).fetchall()
    return tuple(sorted(entry for (entry,) in rows))
