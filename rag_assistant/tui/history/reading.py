"""What the conversations' screen reads and writes: lists, searches, exports. Call it in threads."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rag_assistant.errors import HistoryError
from rag_assistant.history.export import conversation_json, conversation_markdown
from rag_assistant.history.kept import Summary
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.sources.reference import place_of

LISTED = 500
"""Conversations that are listed; a filter finds older ones by their words."""
FOUND = 60


@dataclass(frozen=True, slots=True)
class Listing:
    """What was read for a filter: conversations, and the words found in their answers."""

    text: str
    summaries: tuple[Summary, ...] = ()
    snippets: Mapping[int, str] = field(default_factory=dict)
    total: int = 0
    notes: tuple[str, ...] = ()
    failure: HistoryError | None = None


def read_listing(store: ConversationStore, text: str) -> Listing:
    """Read the list, or what fits a text: titles that hold it, then what full-text search finds."""
    summaries = store.conversations(LISTED)
    total = store.count()
    if not text:
        return Listing(text, tuple(summaries), {}, total, tuple(store.take_notes()))
    words = text.casefold().split()
    titled = [s for s in summaries if all(word in s.title.casefold() for word in words)]
    # The last word is still being typed.
    found = store.search(f"{text}*" if text[-1].isalnum() else text, FOUND)
    found += store.search(text, FOUND)
    snippets = {match.conversation.id: match.snippet for match in reversed(found)}
    known = {s.id: s for s in [*titled, *(match.conversation for match in found)]}
    return Listing(text, tuple(known.values()), snippets, total, tuple(store.take_notes()))


def free_path(path: Path) -> Path:
    """Give a path where nothing is yet."""
    number = 2
    free = path
    while free.exists():
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free


def export(store: ConversationStore, conversation: int, path: Path) -> str:
    """Write a conversation to a new file. Raises HistoryError."""
    kept = store.show(conversation)
    if path.suffix == ".json":
        text = json.dumps(conversation_json(kept), indent=2) + "\n"
    elif path.suffix == ".md":
        text = conversation_markdown(kept, lambda place: " · ".join(place_of(place)))
    else:
        raise HistoryError(f"{path} ends in neither .md nor .json.", hint="Choose one of them.")
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise HistoryError(f"{path} is there already.", hint="Choose another name.") from None
    except OSError as error:
        raise HistoryError(
            f"{path} cannot be written: {error.strerror or error}.", hint="Choose another file."
        ) from error
    return f"written to {path}"
