"""What of a database is kept out of prompts: each passage that a suspicious span is in.

For people everything stays as it is; models are told that a passage is missing, and never why in
its own words.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rag_assistant import suspicion_rows
from rag_assistant.documents import EntryText, Hit, Location, Passage, Suspicion
from rag_assistant.fences import KEPT_OUT
from rag_assistant.index import reader


def not_allowed(
    connection: sqlite3.Connection, entry_ids: Collection[int]
) -> dict[int, tuple[Suspicion, ...]]:
    """Give the spans of entries' texts that models may not read, by id."""
    found = suspicion_rows.of_entries(connection, entry_ids)
    barred = {
        entry_id: tuple(one for one in there if one.place == "text" and not one.allowed)
        for entry_id, there in found.items()
    }
    return {entry_id: there for entry_id, there in barred.items() if there}


def without(text: EntryText, barred: Sequence[Suspicion]) -> EntryText:
    """Give an entry's passages without those that models may not read, and where these were."""
    out = [one.location for one in text.passages if _overlaps(one.location, barred)]
    if not out:
        return text
    kept = tuple(one for one in text.passages if not _overlaps(one.location, barred))
    return replace(text, passages=kept, kept_out=tuple(out))


def is_barred(hit: Hit) -> bool:
    """Whether models may not read the passage that a hit is shown by."""
    return any(one.place == "text" and not one.allowed for one in hit.suspicions)


def text_for_models(connection: sqlite3.Connection, entry_id: int) -> str:
    """Give the text of an entry with a line in place of each passage that is kept out."""
    barred = not_allowed(connection, [entry_id]).get(entry_id, ())
    if not barred:
        return reader.text(connection, entry_id)
    return "".join(_shown(reader.passages(connection, entry_id), barred))


def _shown(passages: Iterable[Passage], barred: Sequence[Suspicion]) -> Iterable[str]:
    for passage in passages:
        yield f"\n{KEPT_OUT}\n" if _overlaps(passage.location, barred) else passage.text


def _overlaps(place: Location, barred: Sequence[Suspicion]) -> bool:
    return any(one.start < place.end and one.end > place.start for one in barred)
