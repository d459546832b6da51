"""Kept conversations that are damaged: what is wrong, and a new file of what can be read.

An exchange whose conversation is lost gets a new one of its number; what else has lost what it
belongs to is left out. The damaged file is set aside, never deleted.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from rag_assistant.errors import HistoryError
from rag_assistant.files.aside import aside_of, discard_file, replace_file
from rag_assistant.files.checking import Check, ExpectedFile, lenient
from rag_assistant.files.checking import problems as file_problems
from rag_assistant.files.faults import is_damage, is_suspect
from rag_assistant.files.layout import layout_of
from rag_assistant.files.private_files import private_file
from rag_assistant.files.salvage import (
    copy_rows,
    drop_orphans,
    keep_highest_id,
    readable_copy,
)
from rag_assistant.history.decoding import value_of
from rag_assistant.history.digests import changed, keep_all
from rag_assistant.history.restoring import restore_exchanges
from rag_assistant.history.rows import now
from rag_assistant.history.schema import VERSION, layout_of_version, upgrade
from rag_assistant.values.evidence import Evidence, ModelUsage
from rag_assistant.values.messages import Usage

PAGE_BYTES = 4_096
"""Of a page of the file: what SQLite makes where nothing else is said."""

MOST_NAMED = 5
"""Questions that are named of those that are not what they were."""


class HistoryMended(HistoryError):
    """The file was damaged and has just been made anew: what was wanted can be tried again."""


def problems(path: Path) -> list[str]:
    """List what is wrong with a file of conversations, each in one line. All of it is read."""
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            whole = ExpectedFile(layout_of_version(VERSION), _TEXTS)
            if version == VERSION:
                return file_problems(connection, whole) or [
                    *_full_text_problems(connection),
                    *(f"{said} is not what was kept" for said in _changed(connection)),
                ]
            connection.text_factory = lenient
            if layout_of(connection) == whole.layout:
                return [f"it calls itself one of version {version}, and has tables of {VERSION}"]
            return file_problems(
                connection, ExpectedFile(layout_of_version(min(version, VERSION)), {})
            )
    except (sqlite3.DatabaseError, ValueError) as error:
        if is_damage(error) or is_suspect(error):
            return [str(error)]
        raise


def _full_text_problems(connection: sqlite3.Connection) -> list[str]:
    found = []
    for index in ("exchanges_fts", "conversations_fts"):
        try:
            connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                found.append(f"{index} does not match what is kept: {error}")
    return found


def mend(path: Path) -> str:
    """Put a new file in the place of a damaged one; say in a line what became of what was kept.

    The caller holds the lock. Raises OSError, sqlite3.Error where that cannot be written.
    """
    fresh = path.with_suffix(".new")
    discard_file(fresh)
    private_file(fresh)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as sound:
        upgrade(sound)
        with readable_copy(path, (PAGE_BYTES,)) as damaged:
            if damaged:
                copy_rows(damaged, sound, _amend)
                restore_exchanges(damaged, sound)
                _give_conversations(sound)
                keep_highest_id(damaged, sound, "conversations")
        drop_orphans(sound)
        odd = list(_changed(sound))
        keep_all(sound)
        counts = [
            sound.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("conversations", "exchanges")
        ]
    aside = aside_of(path)
    replace_file(path, fresh, aside)
    return (
        f"they were set aside as {aside}, and what could be read of them is kept:"
        f" {counts[0]} conversations with {counts[1]} questions{_some(odd)}."
    )


def _changed(connection: sqlite3.Connection) -> Iterator[str]:
    for conversation, ordinal in changed(connection):
        yield f"question {ordinal} of conversation {conversation}"


def _some(odd: Sequence[str]) -> str:
    """Say what is kept although it is not word for word what it was."""
    if not odd:
        return ""
    more = f" and {len(odd) - MOST_NAMED} more" if len(odd) > MOST_NAMED else ""
    return f"; not whole, or not letter for letter: {', '.join(odd[:MOST_NAMED])}{more}"


def _give_conversations(sound: sqlite3.Connection) -> None:
    """Let every exchange be of a conversation."""
    sound.execute(
        "INSERT INTO conversations (id, title, titled_by, started, updated, databases, model)"
        " SELECT conversation, question, 'question', started, started, databases, model"
        " FROM exchanges WHERE conversation NOT IN (SELECT id FROM conversations)"
        " GROUP BY conversation HAVING ordinal = min(ordinal)"
    )


def _amend(table: str, row: dict[str, Any]) -> bool:
    """Put right what a row of ours must hold besides text and numbers; false where nothing can."""
    for (of, column), check in _TEXTS.items():
        if of == table and column in row:
            try:
                check(row[column])
            except (ValueError, TypeError, KeyError, RecursionError):
                if (of, column) not in _INSTEAD:
                    return False
                row[column] = _INSTEAD[of, column]()
    return True


def _names(text: str) -> None:
    names = json.loads(text)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise TypeError("no list of names")


def _object(text: str) -> None:
    if not isinstance(json.loads(text), dict):
        raise TypeError("no JSON object")


def _models(text: str) -> None:
    for used in json.loads(text):
        value_of(ModelUsage, used)


def _one_of(*words: str) -> Check:
    def check(text: str) -> None:
        if text not in words:
            raise ValueError("none of the words that there are")

    return check


_TEXTS: Mapping[tuple[str, str], Check] = {
    ("conversations", "titled_by"): _one_of("question", "model", "person"),
    ("conversations", "databases"): _names,
    ("conversations", "started"): datetime.fromisoformat,
    ("conversations", "updated"): datetime.fromisoformat,
    ("exchanges", "state"): _one_of("running", "answered", "stopped", "interrupted"),
    ("exchanges", "databases"): _names,
    ("exchanges", "started"): datetime.fromisoformat,
    ("exchanges", "usage"): lambda text: value_of(Usage, json.loads(text)),
    ("exchanges", "usage_by_model"): _models,
    ("events", "event"): _object,
    ("messages", "more"): _object,
    ("evidence", "found"): lambda text: value_of(Evidence, json.loads(text)),
}

_INSTEAD: Mapping[tuple[str, str], Callable[[], str]] = {
    ("conversations", "titled_by"): lambda: "question",
    ("conversations", "databases"): lambda: "[]",
    ("conversations", "started"): now,
    ("conversations", "updated"): now,
    ("exchanges", "state"): lambda: "interrupted",
    ("exchanges", "databases"): lambda: "[]",
    ("exchanges", "started"): now,
    ("exchanges", "usage"): lambda: json.dumps(asdict(Usage())),
    ("exchanges", "usage_by_model"): lambda: "[]",
    ("events", "event"): lambda: json.dumps({"event": "unreadable"}),
    ("messages", "more"): lambda: "{}",
}
