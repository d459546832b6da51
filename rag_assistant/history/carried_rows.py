"""Whose words may be in a kept exchange, beyond what its question was asked of and what it quotes.

Older files do not have it.
"""

from sqlite3 import Connection

from rag_assistant.history.rows import row
from rag_assistant.values.messages import Carried


def write_carried(connection: Connection, exchange: int, carried: Carried) -> None:
    """Put down what an exchange carries, in place of what was put down before."""
    connection.execute("DELETE FROM carried WHERE exchange = ?", (exchange,))
    connection.executemany(
        'INSERT INTO carried (exchange, "database", entry_id) VALUES (?, ?, ?)',
        [
            *(row(exchange, name, None) for name in carried.databases),
            *(row(exchange, name, entry) for name, entry in carried.entries),
        ],
    )


def read_carried(connection: Connection, exchange: int) -> Carried:
    """Give what was put down for an exchange."""
    named = "SELECT 1 FROM sqlite_master WHERE name = 'carried'"
    if connection.execute(named).fetchone() is None:
        return Carried()  # an older file that cannot be written is read as it stands
    rows = connection.execute(
        'SELECT "database", entry_id FROM carried WHERE exchange = ? ORDER BY rowid', (exchange,)
    ).fetchall()
    return Carried(
        tuple(name for name, entry in rows if entry is None),
        tuple((name, entry) for name, entry in rows if entry is not None),
    )
