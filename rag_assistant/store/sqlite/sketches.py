"""The sketches of entries that are whole files, and which entries share what: candidates for
versions of one document.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from rag_assistant.store.sketching import Sketch, SketchRow, keys_of, stem_key
from rag_assistant.text.version_names import named_version

FEW, TOGETHER = 1_000, 10_000
"""New entries whose keys are looked up one by one; of more, all keys that there are are read. And
entries whose keys are written at once."""


class Sketches(dict[int, Sketch]):
    """The sketches by entry, read when they are asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, entry_id: int) -> Sketch:
        stem, sentences = self._connection.execute(
            "SELECT stem, sentences FROM sketches WHERE entry_id = ?", (entry_id,)
        ).fetchone()
        self[entry_id] = sketch = Sketch.of(stem, sentences)
        return sketch


def add_sketches(connection: sqlite3.Connection, rows: Sequence[SketchRow]) -> None:
    """Keep the sketches of entries whose families are to be looked for."""
    connection.executemany(
        "INSERT INTO sketches (entry_id, stem, sentences, compared) VALUES (?, ?, ?, 0)", rows
    )


def rename_sketch(connection: sqlite3.Connection, entry_id: int, path: str) -> None:
    """Give an entry's sketch another name; its family is to be looked for anew."""
    row = connection.execute("SELECT stem FROM sketches WHERE entry_id = ?", (entry_id,)).fetchone()
    if row is None:
        return
    stem = named_version(path).stem
    connection.execute(
        "UPDATE sketches SET stem = ?, compared = 0 WHERE entry_id = ?", (stem, entry_id)
    )
    connection.execute(
        "UPDATE sketch_keys SET key = ? WHERE key = ? AND entry_id = ?",
        (stem_key(stem), stem_key(row[0]), entry_id),
    )


def forget_sketch(connection: sqlite3.Connection, entry_id: int) -> None:
    """Delete the sketch of an entry, if it has one."""
    row = connection.execute(
        "SELECT stem, sentences FROM sketches WHERE entry_id = ?", (entry_id,)
    ).fetchone()
    if row is None:
        return
    connection.execute("DELETE FROM sketches WHERE entry_id = ?", (entry_id,))
    connection.executemany(
        "DELETE FROM sketch_keys WHERE key = ? AND entry_id = ?",
        [(key, entry_id) for key in keys_of(*row)],
    )


def key_new(connection: sqlite3.Connection) -> set[int]:
    """Let the entries whose families are to be looked for be looked up; give them."""
    rows = connection.execute("SELECT entry_id, stem, sentences FROM sketches WHERE compared = 0")
    new: set[int] = set()
    while some := rows.fetchmany(TOGETHER):
        new.update(entry_id for entry_id, *_ in some)
        # In order of the keys: one after the other, these would fall all over the table.
        connection.executemany(
            "INSERT OR IGNORE INTO sketch_keys (key, entry_id) VALUES (?, ?)",
            sorted((key, entry_id) for entry_id, *given in some for key in keys_of(*given)),
        )
    return new


def sharing(
    connection: sqlite3.Connection, new: Collection[int]
) -> Iterator[tuple[int, list[int]]]:
    """Give the entries that share a key with a new one, by id, with the key; stems come first."""
    rows: Iterable[tuple[int, int]]
    if len(new) <= FEW:
        wanted = connection.execute(
            "SELECT stem, sentences FROM sketches WHERE compared = 0"
        ).fetchall()
        keys = sorted({key for given in wanted for key in keys_of(*given)})
        rows = connection.execute(
            "SELECT sketch_keys.key, entry_id FROM json_each(?) AS wanted"
            " CROSS JOIN sketch_keys ON sketch_keys.key = wanted.value",
            (json.dumps(keys),),
        )
    else:
        rows = connection.execute("SELECT key, entry_id FROM sketch_keys ORDER BY key, entry_id")
    for key, found in groupby(rows, itemgetter(0)):
        ids = [entry_id for _, entry_id in found]
        if len(ids) > 1 and any(entry_id in new for entry_id in ids):
            yield key, ids


def sketch_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Say whether entries are looked up by other keys than their sketches have.

    Those of an entry that is still to be compared are made when it is.
    """
    held = missing = 0
    for entry_id, compared, *given in connection.execute(
        "SELECT entry_id, compared, stem, sentences FROM sketches"
    ):
        keys = keys_of(*given)
        (found,) = connection.execute(
            "SELECT count(*) FROM json_each(?) AS own CROSS JOIN sketch_keys"
            " ON sketch_keys.key = own.value AND entry_id = ?",
            (json.dumps(keys), entry_id),
        ).fetchone()
        held += found
        missing += len(keys) - found if compared else 0
    (kept,) = connection.execute("SELECT count(*) FROM sketch_keys").fetchone()
    if missing or kept != held:
        yield f"{missing + kept - held} keys of sketches are not those of the sketches"
