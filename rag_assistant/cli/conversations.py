"""How commands reach kept conversations, and how a person names one: 12, 12:3 or last."""

import re
from argparse import Namespace
from dataclasses import dataclass

from rag_assistant.cli.session import home_of, library_of, say
from rag_assistant.errors import HistoryError, RagError
from rag_assistant.history.store import FILE_NAME, ConversationStore
from rag_assistant.values.events import RunStarted
from rag_assistant.values.scope import Wanted, wanted_of

_PLACE = re.compile(r"(last|[1-9]\d{0,17})(?::([1-9]\d{0,8}))?")


@dataclass(frozen=True, slots=True)
class ExchangePlace:
    """A conversation, and maybe one of its exchanges."""

    conversation: int
    ordinal: int | None


def store_of(options: Namespace) -> ConversationStore:
    """Open the kept conversations, whose citations remember the version of what they cite."""
    library = library_of(options)

    def text_hash(database: str, entry_id: int) -> str:
        try:
            return library.database(database).entry(entry_id).text_hash
        except RagError:
            return ""

    return ConversationStore(home_of(options) / FILE_NAME, text_hash)


def place_of(store: ConversationStore, written: str) -> ExchangePlace:
    """Read what a person wrote. Raises HistoryError."""
    found = _PLACE.fullmatch(written.strip())
    if found is None:
        raise HistoryError(
            f"{written!r} names no conversation.",
            hint="Write a number of rag-assistant history, or last; 3:2 is its second question.",
        )
    conversation = store.latest() if found[1] == "last" else int(found[1])
    return ExchangePlace(conversation, int(found[2]) if found[2] else None)


def asked_before(store: ConversationStore, conversation: int, ordinal: int) -> tuple[Wanted, ...]:
    """Give what the last question before went to."""
    events = store.replay(conversation, ordinal).events
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    return wanted_of(started.databases, started.scope) if started else ()


def say_notes(store: ConversationStore) -> None:
    """Tell the person what there is to know of the file."""
    for note in store.take_notes():
        say(note)
