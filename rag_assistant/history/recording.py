"""One exchange as it is written, in the order of its events: a crash loses the last moment only."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from rag_assistant.errors import HistoryError, in_full
from rag_assistant.history.carried_rows import write_carried
from rag_assistant.history.connections import writing
from rag_assistant.history.decoding import role_of
from rag_assistant.history.digests import keep_digest
from rag_assistant.history.kept import State
from rag_assistant.history.rows import now, row
from rag_assistant.history.running import release_lock
from rag_assistant.history.streamed import text_after
from rag_assistant.text.terms import variants_of
from rag_assistant.values.events import (
    Answered,
    CitationResolved,
    Event,
    EvidenceFound,
    Note,
    Stopped,
    TitleGiven,
)
from rag_assistant.values.evidence import Answer, Citation, Evidence
from rag_assistant.values.json_shapes import event_json, evidence_json
from rag_assistant.values.messages import Carried, Message

if TYPE_CHECKING:
    from filelock import BaseFileLock

TextHash = Callable[[str, int], str]
"""Gives the hash of an entry's text by its database and id, "" where it is not known."""

Statement = tuple[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Follows:
    """The conversation that a run belongs to, and the last exchange that it knows of."""

    conversation: int
    ordinal: int


@dataclass(slots=True)
class Recording:
    """An exchange being kept. Its methods are called one after the other, from any thread."""

    path: Path
    notes: list[str]
    text_hash: TextHash
    exchange: int
    place: Follows
    lock: "BaseFileLock"
    question: str
    text: str = ""
    written: int = 0
    _started: float = field(default_factory=time.monotonic)

    def keep(self, events: Sequence[Event]) -> None:
        """Write events, all or none of them. Raises HistoryError; they can be given again then."""
        before = self.written, self.text
        try:
            statements = [statement for event in events for statement in self._statements(event)]
            with writing(self.path, self.notes) as connection:
                self._check(connection)
                for sql, values in statements:
                    connection.execute(sql, row(*values))
        except BaseException:
            self.written, self.text = before
            raise

    def finish(
        self, messages: Sequence[Message], reason: str = "", carried: Carried | None = None
    ) -> None:
        """Write what the conversation goes on from, if it does so from this run, and what that
        carries.

        A run that has not ended by itself was stopped. Raises HistoryError. The exchange counts as
        running until `close`.
        """
        elapsed = round((time.monotonic() - self._started) * 1000)
        with writing(self.path, self.notes) as connection:
            self._check(connection)
            connection.execute(
                "UPDATE exchanges SET state = 'stopped', answer = ?, variants = ?, reason = ?,"
                " elapsed_ms = ? WHERE id = ? AND state = 'running'",
                row(self.text, self._variants(), reason, elapsed, self.exchange),
            )
            connection.executemany(
                "INSERT OR REPLACE INTO messages (exchange, ordinal, role, text, more)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    row(self.exchange, ordinal, *message_row(message))
                    for ordinal, message in enumerate(messages, 1)
                ],
            )
            write_carried(connection, self.exchange, carried or Carried())
            keep_digest(connection, self.exchange)

    def close(self) -> None:
        """Let go of the exchange: from here on nobody is writing it."""
        release_lock(self.lock)

    def _check(self, connection: Connection) -> None:
        values = (now(), self.place.conversation)
        updated = connection.execute("UPDATE conversations SET updated = ? WHERE id = ?", values)
        if not updated.rowcount:
            raise HistoryError(f"Conversation {self.place.conversation} was deleted meanwhile.")

    def _statements(self, event: Event) -> Iterator[Statement]:
        self.written += 1
        self.text = text_after(self.text, event)
        line = json.dumps(event_json(event))
        sql = "INSERT INTO events (exchange, ordinal, event) VALUES (?, ?, ?)"
        yield sql, (self.exchange, self.written, line)
        match event:
            case EvidenceFound(evidence):
                yield self._evidence(evidence)
            case CitationResolved(citation):
                yield self._citation(citation)
            case Note(was_streamed=True):
                yield "DELETE FROM citations WHERE exchange = ?", (self.exchange,)
            case TitleGiven(title):
                yield (
                    "UPDATE conversations SET title = ?, titled_by = 'model'"
                    " WHERE id = ? AND titled_by != 'person'",
                    (title, self.place.conversation),
                )
            case Answered(answer):
                yield from self._end("answered", answer.fallback, answer)
            case Stopped(reason, hint, partial):
                yield from self._end("stopped", in_full(reason, hint), partial)

    def _end(self, state: State, reason: str, answer: Answer) -> Iterator[Statement]:
        """Give the outcome; only what the answer itself cites stays cited."""
        by_model = [asdict(used) for used in answer.usage_by_model]
        usage = (json.dumps(asdict(answer.usage)), json.dumps(by_model), answer.cost)
        outcome = (state, reason, answer.text, self._variants(), answer.elapsed_ms, answer.model)
        yield (
            "UPDATE exchanges SET state = ?, reason = ?, answer = ?, variants = ?, elapsed_ms = ?,"
            " model = ?, usage = ?, usage_by_model = ?, cost = ? WHERE id = ?",
            (*outcome, *usage, self.exchange),
        )
        yield "DELETE FROM citations WHERE exchange = ?", (self.exchange,)
        for citation in answer.citations:
            yield self._citation(citation)

    def _variants(self) -> str:
        return variants_of(self.question, self.text)

    def _evidence(self, evidence: Evidence) -> Statement:
        whole = json.dumps(evidence_json(evidence))
        return (
            'INSERT INTO evidence (exchange, "database", query, confidence, found)'
            " VALUES (?, ?, ?, ?, ?)",
            (self.exchange, evidence.database, evidence.query, evidence.confidence, whole),
        )

    def _citation(self, citation: Citation) -> Statement:
        item, place = citation.item, citation.item.location
        entry = (item.database, item.entry_id, item.title, item.path)
        span = (item.quote, place.start, place.end, place.page, place.heading, place.line)
        text_hash = item.text_hash or self.text_hash(item.database, item.entry_id)
        return (
            'INSERT INTO citations (exchange, marker, "database", entry_id, title, path, quote,'
            ' start, "end", page, heading, line, verified, text_hash)'
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self.exchange, citation.marker, *entry, *span, item.verified, text_hash),
        )


def message_row(message: Message) -> tuple[str, str, str]:
    """Give a message as it is stored: its role, its text, and the rest as JSON."""
    more = asdict(message)
    return role_of(message), more.pop("text"), json.dumps(more)
