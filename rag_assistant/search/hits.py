"""Hits: what is shown of the entries that a ranking chose. Only of these are snippets made."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_assistant.search.query import Query
from rag_assistant.search.snippets import best_span
from rag_assistant.store.sqlite.suspicion_rows import of_entries
from rag_assistant.store.sqlite.version_rows import other_versions
from rag_assistant.values.documents import Hit, Location, Suspicion

DIGITS = 4
"""Decimal places of scores."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A passage chosen to show its entry, with the shares of each stage in the entry's score.

    `others` counts further passages of the entry that match, `duplicates` are ids of entries that
    say the same.
    """

    passage_id: int
    others: int = 0
    explanation: Mapping[str, float] = field(default_factory=dict)
    duplicates: tuple[int, ...] = ()


def make_hit(
    connection: sqlite3.Connection, database: str, query: Query, rank: int, choice: Choice
) -> Hit:
    """Read a chosen passage and cut its snippet."""
    entry_id, text, start, page, line, heading, title, key, path = connection.execute(
        """
        SELECT entry_id, text, start, page, line, heading, entries.title, entries.key, files.path
        FROM passages JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id
        WHERE passages.id = ?
        """,
        (choice.passage_id,),
    ).fetchone()
    begin, end = best_span(text, query.weights, heading=heading or "")
    location = Location(
        start=start + begin,
        end=start + end,
        page=page,
        heading=heading,
        line=None if line is None else line + text.count("\n", 0, begin),
    )
    shares = {name: round(share, DIGITS) for name, share in choice.explanation.items() if share}
    return Hit(
        rank=rank,
        database=database,
        entry_id=entry_id,
        title=title,
        path=path,
        location=location,
        score=round(sum(shares.values()), DIGITS),
        snippet=text[begin:end],
        other_passages=choice.others,
        key=key,
        explanation=shares,
        duplicates=choice.duplicates,
        versions=other_versions(connection, entry_id),
        suspicions=_suspicions(connection, entry_id, start, start + len(text)),
    )


def _suspicions(
    connection: sqlite3.Connection, entry_id: int, start: int, end: int
) -> tuple[Suspicion, ...]:
    """Give what is suspicious in a passage, and of its entry's names."""
    found = of_entries(connection, [entry_id]).get(entry_id, ())
    return tuple(
        one for one in found if one.place != "text" or (one.start < end and one.end > start)
    )
