"""What a person says of the citations of kept answers: that one is wrong, or not after all."""

from sqlite3 import Connection

from rag_assistant.errors import HistoryError
from rag_assistant.history.branching import no_exchange
from rag_assistant.history.recording import Follows
from rag_assistant.history.rows import now


def label(connection: Connection, place: Follows, marker: int, *, wrong: bool) -> None:
    """Mark a citation as wrong, or take the mark away. Raises HistoryError where there is none."""
    exchange = connection.execute(
        "SELECT id FROM exchanges WHERE conversation = ? AND ordinal = ?",
        (place.conversation, place.ordinal),
    ).fetchone()
    if exchange is None:
        raise no_exchange(place.conversation, place.ordinal)
    values = (exchange[0], marker)
    cited = connection.execute(
        "SELECT 1 FROM citations WHERE exchange = ? AND marker = ?", values
    ).fetchone()
    if cited is None:
        raise HistoryError(
            f"The answer has no citation {marker}.",
            hint=f"See rag-assistant history show {place.conversation}.",
        )
    connection.execute("DELETE FROM wrong_citations WHERE exchange = ? AND marker = ?", values)
    if wrong:
        connection.execute(
            "INSERT INTO wrong_citations (exchange, marker, marked) VALUES (?, ?, ?)",
            (*values, now()),
        )


def wrong_markers(connection: Connection, exchange: int) -> frozenset[int]:
    """Give the numbers of the citations of an exchange that are marked as wrong."""
    if not _has_table(connection):
        return frozenset()
    rows = connection.execute("SELECT marker FROM wrong_citations WHERE exchange = ?", (exchange,))
    return frozenset(marker for (marker,) in rows)


def labelled(connection: Connection) -> list[int]:
    """List the conversations with citations that are marked as wrong, the latest first."""
    if not _has_table(connection):
        return []
    rows = connection.execute(
        "SELECT conversation, max(marked) FROM wrong_citations"
        " JOIN exchanges ON exchanges.id = exchange"
        " JOIN citations USING (exchange, marker)"
        " GROUP BY conversation ORDER BY max(marked) DESC"
    )
    return [conversation for conversation, _ in rows]


def _has_table(connection: Connection) -> bool:
    """Whether there is one: an older file that cannot be written is read as it stands."""
    named = "SELECT 1 FROM sqlite_master WHERE name = 'wrong_citations'"
    return connection.execute(named).fetchone() is not None
