"""What is read of conversations.db: lists, whole exchanges, events to replay.

Before anything is read, exchanges whose process has died become `interrupted`, with as much of
their answer as there is.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection, OperationalError
from typing import Any

from rag_assistant.history.branching import no_conversation
from rag_assistant.history.carried_rows import read_carried
from rag_assistant.history.decoding import NotUnderstood, event_of, message_of, value_of
from rag_assistant.history.kept import (
    KeptCitation,
    KeptConversation,
    KeptExchange,
    Summary,
)
from rag_assistant.history.labels import wrong_markers
from rag_assistant.history.rows import storable
from rag_assistant.history.running import hold_lock, release_lock
from rag_assistant.history.streamed import text_after
from rag_assistant.text.terms import variants_of
from rag_assistant.values.documents import Location
from rag_assistant.values.events import Answered, Event, Stopped
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem, ModelUsage
from rag_assistant.values.messages import Message, Usage

SUMMARY = """
    SELECT conversations.id, title, started, updated, databases, model, coalesce(parent, 0),
        (SELECT count(*) FROM exchanges WHERE conversation = conversations.id),
        (SELECT count(*) FROM citations JOIN exchanges ON exchanges.id = exchange
            WHERE conversation = conversations.id),
        coalesce((SELECT state FROM exchanges WHERE conversation = conversations.id
            ORDER BY ordinal DESC LIMIT 1), 'answered')
    FROM conversations
"""


def settle(connection: Connection, path: Path) -> None:
    """Mark what a dead process left running. A file that cannot be written stays as it is."""
    running = "SELECT id, process, question FROM exchanges WHERE state = 'running'"
    for exchange, process, question in connection.execute(running).fetchall():
        try:
            release_lock(hold_lock(path, process))
        except OSError:  # a process holds it, or this one may not write here
            continue
        text = ""
        for event in _events(connection, exchange, []):
            text = text_after(text, event)
        try:
            connection.execute(
                "UPDATE exchanges SET state = 'interrupted', answer = ?, variants = ?"
                " WHERE id = ? AND state = 'running'",
                (storable(text), storable(variants_of(question, text)), exchange),
            )
        except OperationalError:  # held by another process, which may well be doing the same
            continue


def summary_of(row: tuple[Any, ...]) -> Summary:
    """Make a summary of a row of `SUMMARY`."""
    id_, title, started, updated, databases, *rest = row
    return Summary(id_, title, started, updated, tuple(json.loads(databases)), *rest)


def read_summary(connection: Connection, conversation: int) -> Summary:
    """Give a conversation's summary. Raises HistoryError where there is none."""
    row = connection.execute(f"{SUMMARY} WHERE id = ?", (conversation,)).fetchone()
    if row is None:
        raise no_conversation(conversation)
    return summary_of(row)


def read_conversation(connection: Connection, conversation: int) -> KeptConversation:
    """Give a whole conversation. Raises HistoryError."""
    summary = read_summary(connection, conversation)
    rows = connection.execute(
        "SELECT id, ordinal, question, answer, state, reason, started, elapsed_ms, databases,"
        " model, usage, usage_by_model, cost FROM exchanges"
        " WHERE conversation = ? ORDER BY ordinal",
        (conversation,),
    ).fetchall()
    return KeptConversation(summary, tuple(_exchange(connection, *row) for row in rows))


def _exchange(connection: Connection, exchange: int, *row: Any) -> KeptExchange:
    ordinal, question, answer, state, reason, started, elapsed_ms, databases, *rest = row
    model, usage, usage_by_model, cost = rest
    whole = _answer(connection, exchange)
    return KeptExchange(
        ordinal=ordinal,
        question=question,
        answer=answer,
        state=state,
        reason=reason,
        started=started,
        elapsed_ms=elapsed_ms,
        databases=tuple(json.loads(databases)),
        model=model,
        usage=value_of(Usage, json.loads(usage)),
        usage_by_model=tuple(value_of(ModelUsage, used) for used in json.loads(usage_by_model)),
        cost=cost,
        citations=tuple(_citations(connection, exchange, whole)),
        evidence=tuple(_evidence(connection, exchange)),
        messages=read_messages(connection, exchange),
        coverage=whole.coverage if whole else None,
        carried=read_carried(connection, exchange),
    )


def _citations(
    connection: Connection, exchange: int, whole: Answer | None
) -> Iterator[KeptCitation]:
    """Give the citations with the versions that they are of; `whole` has all else there is."""
    wrong = wrong_markers(connection, exchange)
    told = {citation.marker: citation for citation in whole.citations} if whole else {}
    rows = connection.execute(
        'SELECT marker, "database", entry_id, title, path, quote, verified, text_hash,'
        ' start, "end", page, heading, line FROM citations WHERE exchange = ? ORDER BY id',
        (exchange,),
    )
    for marker, database, entry_id, title, path, quote, verified, text_hash, *place in rows:
        where = Location(*place)
        item = EvidenceItem(database, entry_id, title, path, quote, where, bool(verified))
        citation = told.get(marker) or Citation(marker, item)
        version = replace(citation.item, text_hash=text_hash)
        yield KeptCitation(replace(citation, item=version), text_hash, marker in wrong)


def _evidence(connection: Connection, exchange: int) -> Iterator[Evidence]:
    rows = connection.execute(
        "SELECT found FROM evidence WHERE exchange = ? ORDER BY id", (exchange,)
    )
    for (found,) in rows:
        yield value_of(Evidence, json.loads(found))


def _answer(connection: Connection, exchange: int) -> Answer | None:
    """Give the whole answer of a run, which its last event has, if it came to its end."""
    last = "SELECT event FROM events WHERE exchange = ? ORDER BY ordinal DESC LIMIT 1"
    row = connection.execute(last, (exchange,)).fetchone()
    try:
        event = event_of(json.loads(row[0])) if row else None
    except ValueError:  # of a later version
        return None
    match event:
        case Answered(answer) | Stopped(partial=answer):
            return answer
    return None


def read_messages(connection: Connection, exchange: int) -> tuple[Message, ...]:
    """Give the messages of an exchange, those of roles that are not known left out."""
    rows = connection.execute(
        "SELECT role, text, more FROM messages WHERE exchange = ? ORDER BY ordinal", (exchange,)
    )
    messages: list[Message] = []
    for role, text, more in rows:
        try:
            messages.append(message_of(role, {**json.loads(more), "text": text}))
        except ValueError:
            continue
    return tuple(messages)


def read_events(connection: Connection, exchange: int) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Give the events of a run, and the names of those that are not known here."""
    unknown: list[str] = []
    events = tuple(_events(connection, exchange, unknown))
    return events, tuple(unknown)


def _events(connection: Connection, exchange: int, unknown: list[str]) -> Iterator[Event]:
    rows = connection.execute(
        "SELECT event FROM events WHERE exchange = ? ORDER BY ordinal", (exchange,)
    )
    for (line,) in rows.fetchall():
        try:
            yield event_of(json.loads(line))
        except NotUnderstood as error:
            unknown.append(str(error))
        except ValueError:
            unknown.append("no JSON")
