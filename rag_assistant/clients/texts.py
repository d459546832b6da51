"""Entries as clients read them one by one: lists of them, and their texts in parts.

Words that are hidden from models are left out, with a line in their place.
"""

from dataclasses import dataclass

from rag_assistant.clients.shapes import Shape
from rag_assistant.errors import ToolFailed
from rag_assistant.injection.naming import prompt_path, prompt_title
from rag_assistant.library.database import Database
from rag_assistant.library.hidden import hidden_spans, passages_for_models
from rag_assistant.values.uris import entry_uri

PART_CHARACTERS = 40_000
"""Characters of an entry that are given at once; of a longer one the rest is named by its place."""

MOST_ENTRIES = 100
"""Entries on a page of a list."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """Part of an entry's text: whole passages, from the one that holds `start` on.

    `next_start` is where it goes on, None at the end.
    """

    text: str
    start: int
    next_start: int | None


def text_part(database: Database, entry_id: int, start: int, end: int | None) -> TextPart:
    """Give the part of a text that begins at a character; up to `end`, if that is not too much.

    Raises EntryNotFound, ToolFailed.
    """
    with database.reading() as reader:
        entry = reader.entries.get(entry_id)
        passages = [
            one
            for one in reader.passages.of_entry(entry_id)
            if one.location.end > start and (end is None or one.location.start < end)
        ]
        if not passages and entry.length:
            raise ToolFailed(
                f"Document {entry_id} has nothing there: it has {entry.length} characters.",
                hint="Give another place.",
            )
        room, fitting = PART_CHARACTERS, 0
        while fitting < len(passages) and (not fitting or len(passages[fitting].text) <= room):
            room -= len(passages[fitting].text)
            fitting += 1
        chosen, left = passages[:fitting], passages[fitting:]
        spans = hidden_spans(reader, [entry_id]).get(entry_id, ())
        text = passages_for_models(chosen, spans)
    first = chosen[0].location.start if chosen else 0
    return TextPart(text, first, left[0].location.start if left else None)


def entries_page(database: Database, offset: int) -> Shape:
    """List the entries of a database by path, `MOST_ENTRIES` from `offset` on."""
    entries = database.entries()
    page = entries[offset : offset + MOST_ENTRIES]
    told: Shape = {
        "database": database.name,
        "documents": len(entries),
        "entries": [
            {
                "id": entry.id,
                "title": prompt_title(entry.title, entry.path),
                "path": prompt_path(entry.path),
                "uri": entry_uri(database.name, entry.id),
                "characters": entry.length,
                "media_type": entry.media_type,
            }
            for entry in page
        ],
    }
    if offset + len(page) < len(entries):
        told["next_offset"] = offset + len(page)
    return told
