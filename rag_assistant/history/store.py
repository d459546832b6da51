"""The conversations in one file: begun, listed, searched, shown, renamed, branched, deleted.

Every method opens the file for itself, so a store may be used from any thread, and several
processes may keep conversations in it at once. All of them raise HistoryError.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from sqlite3 import Connection
from typing import Concatenate, ParamSpec, TypeVar, cast

from rag_assistant.errors import HistoryError
from rag_assistant.history.beginning import begin_recording
from rag_assistant.history.branching import branch, no_exchange
from rag_assistant.history.connections import mended, reading, tidying, writing
from rag_assistant.history.kept import (
    FoundExchange,
    KeptCitation,
    KeptConversation,
    Past,
    Replay,
    Summary,
    past_of,
)
from rag_assistant.history.labels import label, labelled
from rag_assistant.history.mending import HistoryMended, problems
from rag_assistant.history.reading import (
    SUMMARY,
    read_conversation,
    read_events,
    read_summary,
    settle,
    summary_of,
)
from rag_assistant.history.recording import Follows, Recording, TextHash
from rag_assistant.history.rows import storable
from rag_assistant.history.spool import take_in
from rag_assistant.values.events import RunStarted

FILE_NAME = "conversations.db"
"""The name of the file in the home directory."""

Given = ParamSpec("Given")
Result = TypeVar("Result")
Method = Callable[Concatenate["ConversationStore", Given], Result]


def again_when_mended(method: Method[Given, Result]) -> Method[Given, Result]:
    """Let a method begin again where the file was damaged and has been mended; it is said."""

    @wraps(method)
    def attempt(store: "ConversationStore", *args: Given.args, **named: Given.kwargs) -> Result:
        try:
            return method(store, *args, **named)
        except HistoryMended as said:
            store.tell(str(said))
            return method(store, *args, **named)

    return cast("Method[Given, Result]", attempt)


class ConversationStore:
    """The conversations kept at `path`; `text_hash` tells the version of an entry that is cited."""

    def __init__(self, path: Path, text_hash: TextHash = lambda *_: "") -> None:
        self.path = path
        self._text_hash = text_hash
        self._notes: list[str] = []

    def take_notes(self) -> list[str]:
        """Give what a person should know of the file, each thing once."""
        notes = list(dict.fromkeys(self._notes))
        del self._notes[:]
        return notes

    def tell(self, note: str) -> None:
        """Add something that a person should know."""
        self._notes.append(note)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        take_in(self.path, self._notes, self._text_hash)
        with reading(self.path, self._notes) as connection:
            settle(connection, self.path)
            yield connection

    def problems(self) -> list[str]:
        """List what is wrong with the file, each in one line; nothing when it is whole."""
        return problems(self.path)

    def repair(self) -> str:
        """Make the file anew of what can be read; say what became of it."""
        return mended(self.path)

    @again_when_mended
    def begin(self, started: RunStarted, follows: Follows | None = None) -> Recording:
        """Begin to keep a run, in a new conversation where it follows none.

        When something else was asked there meanwhile, the run goes on in a branch.
        """
        take_in(self.path, self._notes, self._text_hash)
        return begin_recording(self.path, self._notes, self._text_hash, started, follows)

    @again_when_mended
    def conversations(self, limit: int = 20, offset: int = 0) -> list[Summary]:
        """List conversations, the latest first."""
        with self._reading() as connection:
            rows = connection.execute(
                f"{SUMMARY} ORDER BY updated DESC, id DESC LIMIT ? OFFSET ?", (limit, offset)
            ).fetchall()
            return [summary_of(row) for row in rows]

    @again_when_mended
    def count(self) -> int:
        """Count the conversations."""
        with self._reading() as connection:
            return int(connection.execute("SELECT count(*) FROM conversations").fetchone()[0])

    def latest(self) -> int:
        """Give the conversation that something was last said in."""
        found = self.conversations(limit=1)
        if not found:
            raise HistoryError(
                "No conversation is kept yet.", hint="Ask something: `rag-assistant ask QUESTION`."
            )
        return found[0].id

    @again_when_mended
    def search(self, text: str, limit: int = 20, offset: int = 0) -> list[FoundExchange]:
        """Find exchanges by any text, the best first."""
        from rag_assistant.history.searching import search  # noqa: PLC0415 - and what reads queries

        with self._reading() as connection:
            return search(connection, text, limit, offset)

    @again_when_mended
    def show(self, conversation: int) -> KeptConversation:
        """Give a whole conversation."""
        with self._reading() as connection:
            return read_conversation(connection, conversation)

    def change_since(self, kept: KeptCitation) -> str:
        """Say what became of a cited entry: "changed", "gone", or "" as far as is known."""
        item = kept.citation.item
        if not kept.text_hash:
            return ""
        text_hash = self._text_hash(item.database, item.entry_id)
        return "" if text_hash == kept.text_hash else "changed" if text_hash else "gone"

    def resume(self, conversation: int, up_to: int | None = None) -> Past:
        """Give what a conversation goes on from, all of it or up to an exchange."""
        exchanges = self.show(conversation).exchanges
        if up_to is not None:
            exchanges = exchanges[:up_to]
            if len(exchanges) < up_to:
                raise no_exchange(conversation, up_to)
        exchanges = tuple(e for e in exchanges if e.messages or e.answer)
        said = (past_of(exchange) for exchange in exchanges)
        evidence = (found for e in exchanges if e.messages for found in e.evidence)
        return Past(tuple(said), tuple(evidence))

    @again_when_mended
    def replay(self, conversation: int, ordinal: int | None = None) -> Replay:
        """Give the events of a kept run, of the last one if none is named."""
        with self._reading() as connection:
            read_summary(connection, conversation)
            row = connection.execute(
                "SELECT id, state, answer FROM exchanges WHERE conversation = ?"
                " AND ordinal = coalesce(?, ordinal) ORDER BY ordinal DESC LIMIT 1",
                (conversation, ordinal),
            ).fetchone()
            if row is None:
                raise no_exchange(conversation, ordinal)
            exchange, state, text = row
            events, unknown = read_events(connection, exchange)
        return Replay(conversation, events, state, text, unknown)

    @again_when_mended
    def rename(self, conversation: int, title: str) -> None:
        """Give a conversation a title of the person's own, which no model changes."""
        words = storable(" ".join(title.split()))
        if not words:
            raise HistoryError("The title is empty.", hint="Give some words.")
        with writing(self.path, self._notes) as connection:
            read_summary(connection, conversation)
            connection.execute(
                "UPDATE conversations SET title = ?, titled_by = 'person' WHERE id = ?",
                (words, conversation),
            )

    @again_when_mended
    def label(self, place: Follows, marker: int, *, wrong: bool) -> None:
        """Mark a citation of an exchange as wrong, or take the mark away."""
        with writing(self.path, self._notes) as connection:
            label(connection, place, marker, wrong=wrong)

    @again_when_mended
    def labelled(self) -> list[KeptConversation]:
        """Give the conversations with citations that are marked as wrong, the latest first."""
        with self._reading() as connection:
            return [read_conversation(connection, found) for found in labelled(connection)]

    @again_when_mended
    def branch(self, conversation: int, up_to: int) -> int:
        """Copy a conversation up to an exchange, and give the copy's number."""
        with writing(self.path, self._notes) as connection:
            return branch(connection, conversation, up_to)

    @again_when_mended
    def delete(self, conversation: int) -> None:
        """Delete a conversation and overwrite what the file held of it."""
        with writing(self.path, self._notes) as connection:
            read_summary(connection, conversation)
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation,))
        self._overwrite()

    @again_when_mended
    def delete_all(self) -> int:
        """Delete all conversations; give how many there were."""
        with writing(self.path, self._notes) as connection:
            deleted = connection.execute("DELETE FROM conversations").rowcount
        self._overwrite()
        return deleted

    def _overwrite(self) -> None:
        """Let nothing that was deleted stay in the file: merge the indexes, write it anew."""
        try:
            with tidying(self.path, self._notes) as connection:
                for index in ("exchanges_fts", "conversations_fts"):
                    connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
                connection.execute("VACUUM")
                held, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except HistoryError:
            held = True
        if held:
            self._notes.append(
                "What was deleted is still in the free space of the file, for another process"
                " holds it; the next deletion overwrites it."
            )
