"""A conversation copied up to one of its exchanges, to go on from there another way."""

from sqlite3 import Connection

from rag_assistant.errors import HistoryError
from rag_assistant.history.digests import keep_digest
from rag_assistant.history.rows import now

_COPIED = ("events", "messages", "evidence", "citations", "wrong_citations", "carried")
"""Tables whose rows belong to an exchange."""


def no_conversation(conversation: int) -> HistoryError:
    """Say that there is no conversation of this number."""
    return HistoryError(
        f"There is no conversation {conversation}.", hint="See rag-assistant history."
    )


def no_exchange(conversation: int, ordinal: int | None) -> HistoryError:
    """Say that a conversation has no exchange of this number, or none at all."""
    which = "no exchange" if ordinal is None else f"no exchange {ordinal}"
    return HistoryError(
        f"Conversation {conversation} has {which}.",
        hint=f"See rag-assistant history show {conversation}.",
    )


def branch(connection: Connection, conversation: int, up_to: int) -> int:
    """Copy a conversation up to an exchange; give the copy's number. Raises HistoryError.

    Up to 0 it is an empty one: the first question is to be asked again.
    """
    there = connection.execute("SELECT 1 FROM conversations WHERE id = ?", (conversation,))
    if there.fetchone() is None:
        raise no_conversation(conversation)
    exchanges = connection.execute(
        "SELECT id FROM exchanges WHERE conversation = ? AND ordinal <= ?"
        " AND state != 'running' ORDER BY ordinal",
        (conversation, up_to),
    ).fetchall()
    if up_to and not exchanges:
        raise no_exchange(conversation, up_to)
    copy = connection.execute(
        "INSERT INTO conversations (title, titled_by, started, updated, databases, model,"
        " parent, parent_ordinal) SELECT title, titled_by, started, ?, databases, model,"
        " id, ? FROM conversations WHERE id = ?",
        (now(), up_to, conversation),
    ).lastrowid
    for (exchange,) in exchanges:
        _copy_exchange(connection, exchange, int(copy or 0))
    return int(copy or 0)


def _copy_exchange(connection: Connection, exchange: int, conversation: int) -> None:
    columns = "ordinal, question, answer, state, reason, process, started, elapsed_ms, databases,"
    columns += " model, usage, usage_by_model, cost, variants"
    copy = connection.execute(
        f"INSERT INTO exchanges (conversation, {columns}) SELECT ?, {columns} FROM exchanges"
        " WHERE id = ?",
        (conversation, exchange),
    ).lastrowid
    for table in _COPIED:
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        kept = ", ".join(f'"{name}"' for name in names if name not in ("id", "exchange"))
        connection.execute(
            f"INSERT INTO {table} (exchange, {kept}) SELECT ?, {kept} FROM {table}"
            " WHERE exchange = ?",
            (copy, exchange),
        )
    keep_digest(connection, int(copy or 0))
