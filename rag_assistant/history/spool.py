"""Runs that could not be kept for the time being, in files beside conversations.db.

None is dropped: each is a file of its own, written whole or not at all, with what was not written
yet of one run. It is taken in when the conversations are opened the next time.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from rag_assistant.errors import HistoryError
from rag_assistant.history.beginning import begin_recording
from rag_assistant.history.connections import HistoryHeld, is_free
from rag_assistant.history.decoding import NotUnderstood, event_of, message_of
from rag_assistant.history.mending import HistoryMended
from rag_assistant.history.recording import Follows, Recording, TextHash, message_row
from rag_assistant.history.running import hold_lock, release_lock
from rag_assistant.values.events import Event, RunStarted
from rag_assistant.values.json_shapes import event_json
from rag_assistant.values.messages import Carried, Message

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Unwritten:
    """What is left to be written of a run: it has `begun`, or follows what it follows.

    `messages` are what the conversation goes on from, `reason` says why the run ended, and
    `carried` whose words may be in it.
    """

    events: Sequence[Event]
    begun: Recording | None = None
    follows: Follows | None = None
    messages: Sequence[Message] = ()
    reason: str = ""
    carried: Carried = Carried()


def _folder(path: Path) -> Path:
    return path.with_suffix(".pending")


def put_aside(path: Path, run: Unwritten) -> Path:
    """Write down what is left of a run beside the conversations at `path`. Raises OSError."""
    begun, follows = run.begun, run.follows
    whole = {
        "format": _FORMAT,
        "begun": begun
        and {
            "exchange": begun.exchange,
            "conversation": begun.place.conversation,
            "ordinal": begun.place.ordinal,
            "question": begun.question,
            "text": begun.text,
            "written": begun.written,
        },
        "follows": follows and [follows.conversation, follows.ordinal],
        "events": [event_json(event) for event in run.events],
        "messages": [message_row(message) for message in run.messages],
        "reason": run.reason,
        "carried": [list(run.carried.databases), [list(one) for one in run.carried.entries]],
    }
    folder = _folder(path)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f"{uuid4().hex}.part"
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(whole, file)
    place = part.with_suffix(".json")
    part.replace(place)
    return place


def spooled(path: Path) -> list[Path]:
    """List what waits to be taken in, the oldest first."""
    try:
        found = [(file.stat().st_mtime_ns, file) for file in _folder(path).glob("*.json")]
    except OSError:  # another process is taking them in
        return []
    return [file for _, file in sorted(found)]


def take_in(path: Path, notes: list[str], text_hash: TextHash) -> None:
    """Keep what waits, as far as nobody else is doing so; what cannot be read is left, and said.

    Nothing is waited for: while another process writes, it stays where it is.
    """
    waiting = spooled(path)
    for file in waiting if waiting and is_free(path) else ():
        try:
            lock = hold_lock(path, f"pending-{file.stem}")
        except OSError:  # another process is at it
            continue
        try:
            if file.exists():
                _take_in(path, file, notes, text_hash)
                file.unlink()
        except HistoryHeld:
            return  # at the next opening
        except HistoryMended as error:  # which took its time; what waits comes the next time
            notes.append(str(error))
            return
        except (HistoryError, OSError, ValueError, TypeError, LookupError) as error:
            notes.append(f"An answer that waits in {file} cannot be kept: {error}")
        finally:
            release_lock(lock)
    with suppress(OSError):
        _folder(path).rmdir()


def _take_in(path: Path, file: Path, notes: list[str], text_hash: TextHash) -> None:
    whole: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    events: list[Event] = []
    for line in whole["events"]:
        with suppress(NotUnderstood):  # of another version, which wrote it down
            events.append(event_of(line))
    follows = Follows(*whole["follows"]) if whole["follows"] else None
    begun = whole["begun"]
    if begun:
        recording = Recording(
            path,
            notes,
            text_hash,
            begun["exchange"],
            Follows(begun["conversation"], begun["ordinal"]),
            hold_lock(path, uuid4().hex[:12]),
            begun["question"],
            begun["text"],
            begun["written"],
        )
    elif events and isinstance(events[0], RunStarted):
        recording = begin_recording(path, notes, text_hash, events[0], follows)
    else:
        raise ValueError("it does not begin with a question")
    try:
        recording.keep(events)
        messages = [
            message_of(role, {**json.loads(more), "text": text})
            for role, text, more in whole["messages"]
        ]
        databases, entries = whole["carried"]
        carried = Carried(tuple(databases), tuple((name, entry) for name, entry in entries))
        recording.finish(messages, whole["reason"], carried)
    finally:
        recording.close()
