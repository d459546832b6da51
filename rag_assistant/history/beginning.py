"""An exchange begun: in a new conversation, in the one that it follows, or in a branch of that."""

import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from sqlite3 import Connection
from uuid import uuid4

from rag_assistant.history.branching import branch
from rag_assistant.history.connections import writing
from rag_assistant.history.recording import Follows, Recording, TextHash
from rag_assistant.history.rows import now, row
from rag_assistant.history.running import hold_lock, release_lock
from rag_assistant.text.terms import variants_of
from rag_assistant.values.events import RunStarted
from rag_assistant.values.messages import Usage

LONGEST_TITLE = 80
"""Characters of a question that name its conversation until something better does."""


def begin_recording(
    path: Path,
    notes: list[str],
    text_hash: TextHash,
    started: RunStarted,
    follows: Follows | None,
) -> Recording:
    """Begin an exchange, in a new conversation where it follows none. Raises HistoryError."""
    process = uuid4().hex[:12]
    with ExitStack() as undo:
        with writing(path, notes) as connection:
            # Locked before others see the row, so that what is running is always locked.
            lock = hold_lock(path, process)
            undo.callback(release_lock, lock)
            place = _place_for(connection, started, follows)
            exchange = _insert_exchange(connection, place, started, process)
            if follows and place.conversation != follows.conversation:
                why = _why_elsewhere(connection, follows)
                notes.append(f"This goes on as conversation {place.conversation}: {why}.")
        undo.pop_all()
    return Recording(path, notes, text_hash, exchange, place, lock, started.question)


def _place_for(connection: Connection, started: RunStarted, follows: Follows | None) -> Follows:
    """Give the conversation and the number of a new exchange."""
    about = (now(), json.dumps(started.databases), started.model)
    if follows is None or not _exists(connection, follows.conversation):
        title = " ".join(started.question.split())[:LONGEST_TITLE]
        inserted = connection.execute(
            "INSERT INTO conversations (updated, databases, model, started, title, titled_by)"
            " VALUES (?, ?, ?, ?, ?, 'question')",
            row(*about, about[0], title),
        )
        return Follows(int(inserted.lastrowid or 0), 1)
    conversation, last = follows.conversation, _last(connection, follows.conversation)
    if last > follows.ordinal:
        conversation = branch(connection, conversation, follows.ordinal)
        last = _last(connection, conversation)
    connection.execute(
        "UPDATE conversations SET updated = ?, databases = ?, model = ? WHERE id = ?",
        row(*about, conversation),
    )
    return Follows(conversation, last + 1)


def _exists(connection: Connection, conversation: int) -> bool:
    found = connection.execute("SELECT 1 FROM conversations WHERE id = ?", (conversation,))
    return found.fetchone() is not None


def _why_elsewhere(connection: Connection, follows: Follows) -> str:
    if not _exists(connection, follows.conversation):
        return f"conversation {follows.conversation} was deleted"
    if not follows.ordinal:
        return f"it is a branch of {follows.conversation}, from its beginning"
    others = f"there, other questions came after question {follows.ordinal}"
    return f"it is a branch of {follows.conversation}; {others}"


def _last(connection: Connection, conversation: int) -> int:
    last = "SELECT coalesce(max(ordinal), 0) FROM exchanges WHERE conversation = ?"
    return int(connection.execute(last, (conversation,)).fetchone()[0])


def _insert_exchange(
    connection: Connection, place: Follows, started: RunStarted, process: str
) -> int:
    values = {
        "conversation": place.conversation,
        "ordinal": place.ordinal,
        "question": started.question,
        "answer": "",
        "state": "running",
        "reason": "",
        "process": process,
        "started": now(),
        "elapsed_ms": 0,
        "databases": json.dumps(started.databases),
        "model": started.model,
        "usage": json.dumps(asdict(Usage())),
        "usage_by_model": "[]",
        "variants": variants_of(started.question),
    }
    inserted = connection.execute(
        f"INSERT INTO exchanges ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        row(*values.values()),
    )
    return int(inserted.lastrowid or 0)
