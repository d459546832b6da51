"""Exchanges whose own rows are lost, made again of their events, which hold all that was said."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict

from rag_assistant.history.decoding import event_of
from rag_assistant.history.rows import now, row
from rag_assistant.history.streamed import text_after
from rag_assistant.text.terms import variants_of
from rag_assistant.values.events import Answered, Event, RunStarted, Stopped
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import Usage


def restore_exchanges(damaged: sqlite3.Connection, sound: sqlite3.Connection) -> None:
    """Insert an exchange for all events that have lost theirs.

    Its place is that which the index of the damaged table still names; else it is a conversation of
    its own.
    """
    places = {exchange: (talk, ordinal) for talk, ordinal, exchange in _indexed(damaged)}
    lost = "SELECT DISTINCT exchange FROM events WHERE exchange NOT IN (SELECT id FROM exchanges)"
    (last,) = sound.execute(
        "SELECT max(coalesce((SELECT max(id) FROM conversations), 0),"
        " coalesce((SELECT max(conversation) FROM exchanges), 0))"
    ).fetchone()
    for (exchange,) in sound.execute(lost).fetchall():
        place = places.get(exchange)
        if place is None:
            last += 1
            place = (last, 1)
        _restore(sound, exchange, place)


def _indexed(damaged: sqlite3.Connection) -> Iterator[tuple[int, int, int]]:
    for order in ("ASC", "DESC"):
        with suppress(sqlite3.Error, ValueError):
            for found in damaged.execute(
                "SELECT conversation, ordinal, id FROM exchanges"
                f" INDEXED BY sqlite_autoindex_exchanges_1 ORDER BY conversation {order}"
            ):
                if all(isinstance(number, int) and number > 0 for number in found):
                    yield found


def _restore(sound: sqlite3.Connection, exchange: int, place: tuple[int, int]) -> None:
    events = list(_events(sound, exchange))
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        return
    answer: Answer | None = None
    match events[-1]:
        case Answered(answer) | Stopped(partial=answer):
            pass
    text = ""
    for event in events:
        text = text_after(text, event)
    state = "interrupted" if answer is None else "answered"
    if isinstance(events[-1], Stopped):
        state = "stopped"
    usage = answer.usage if answer else Usage()
    by_model = answer.usage_by_model if answer else ()
    values = {
        "id": exchange,
        "conversation": place[0],
        "ordinal": place[1],
        "question": started.question,
        "answer": text,
        "state": state,
        "reason": "",
        "process": "",
        "started": now(),
        "elapsed_ms": answer.elapsed_ms if answer else 0,
        "databases": json.dumps(started.databases),
        "model": answer.model if answer else started.model,
        "usage": json.dumps(asdict(usage)),
        "usage_by_model": json.dumps([asdict(used) for used in by_model]),
        "cost": answer.cost if answer else None,
        "variants": variants_of(started.question, text),
    }
    sound.execute(
        f"INSERT OR IGNORE INTO exchanges ({', '.join(values)})"
        f" VALUES ({', '.join('?' * len(values))})",
        row(*values.values()),
    )


def _events(sound: sqlite3.Connection, exchange: int) -> Iterator[Event]:
    rows = sound.execute(
        "SELECT event FROM events WHERE exchange = ? ORDER BY ordinal", (exchange,)
    )
    for (line,) in rows.fetchall():
        with suppress(ValueError):  # one that could not be read
            yield event_of(json.loads(line))
