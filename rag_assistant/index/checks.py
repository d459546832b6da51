"""Whether a database file is whole: SQLite's own structures, the full-text index, our counts."""

import sqlite3


def problems(connection: sqlite3.Connection) -> list[str]:
    """List what is wrong with an index, each in one line; nothing when it is whole.

    Needs a connection that may write: FTS5 offers its integrity check as an INSERT.
    """
    found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    try:
        # rank 1: compare the index with the passages' text, not only with itself.
        connection.execute(
            "INSERT INTO passages_fts (passages_fts, rank) VALUES ('integrity-check', 1)"
        )
        connection.rollback()
    except sqlite3.DatabaseError as error:
        found.append(f"the full-text index does not match the passages: {error}")
    for sentence, query in _COUNTS.items():
        count = connection.execute(query).fetchone()[0]
        if count:
            found.append(f"{count} {sentence}")
    return found


_COUNTS = {
    "passages do not begin where the one before ended": """
        SELECT count(*) FROM (
            SELECT start, lag("end", 1, 0) OVER (PARTITION BY entry_id ORDER BY start) AS before
            FROM passages
        ) WHERE start <> before
    """,
    "passages have a text of another length than their span": """
        SELECT count(*) FROM passages WHERE length(text) <> "end" - start
    """,
    "entries do not end where their last passage ends": """
        SELECT count(*) FROM entries WHERE length <> (
            SELECT coalesce(max("end"), 0) FROM passages WHERE entry_id = entries.id
        )
    """,
    "passages belong to no entry": """
        SELECT count(*) FROM passages WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "previous texts belong to no entry": """
        SELECT count(*) FROM previous_texts WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "sketches or versions belong to no entry": """
        SELECT count(*) FROM (SELECT entry_id FROM sketches UNION SELECT entry_id FROM versions)
        WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "suspicions belong to no entry, or lie outside of its text": """
        SELECT count(*) FROM suspicions LEFT JOIN entries ON entries.id = entry_id
        WHERE entries.id IS NULL OR start > "end" OR "end" > length
    """,
    "entries belong to no file": """
        SELECT count(*) FROM entries WHERE file_id NOT IN (SELECT id FROM files)
    """,
}
