"""What of a database is hidden from models: suspicious spans, unless the person allows them.

For people everything stays as it is; models are told that something is missing, and not its words.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rag_assistant.injection.cutting import parts, with_marks
from rag_assistant.store.sqlite import reader, suspicion_rows
from rag_assistant.values.documents import (
    HIDDEN,
    EntryText,
    Hit,
    KeptOut,
    Location,
    Passage,
    Suspicion,
)


def not_allowed(
    connection: sqlite3.Connection, entry_ids: Collection[int]
) -> dict[int, tuple[Suspicion, ...]]:
    """Give the spans of entries' texts that models may not read, by id, in order."""
    found = suspicion_rows.of_entries(connection, entry_ids)
    barred = {
        entry_id: tuple(one for one in there if one.place == "text" and not one.allowed)
        for entry_id, there in found.items()
    }
    return {entry_id: there for entry_id, there in barred.items() if there}


def without(text: EntryText, barred: Sequence[Suspicion]) -> EntryText:
    """Give an entry's passages without what models may not read, and where that was."""
    kept: list[Passage] = []
    out: list[KeptOut] = []
    for passage in text.passages:
        here = passage.location.start
        for low, high, why in parts(passage.text, here, barred):
            if why is None:
                kept.append(_part(passage, low, high))
            else:
                out.append(KeptOut(here + low, here + high, why.kind, why.reason))
    return replace(text, passages=tuple(kept), kept_out=tuple(out)) if out else text


def is_barred(hit: Hit) -> bool:
    """Whether models may not read something of a hit's snippet."""
    return any(
        one.start < hit.location.end and one.end > hit.location.start for one in _barred(hit)
    )


def snippet_for_models(hit: Hit) -> str:
    """Give the snippet of a hit with a line in place of what models may not read of it."""
    return with_marks(hit.snippet, hit.location.start, _barred(hit)).strip("\n")


def passage_for_models(hit: Hit, passage: Passage) -> str:
    """Give the text of the passage that a hit is from, with a line in place of such words."""
    return with_marks(passage.text, passage.location.start, _barred(hit))


def text_for_models(connection: sqlite3.Connection, entry_id: int) -> str:
    """Give the text of an entry with a line in place of what is hidden from models."""
    barred = not_allowed(connection, [entry_id]).get(entry_id, ())
    if not barred:
        return reader.text(connection, entry_id)
    return "".join(
        with_marks(passage.text, passage.location.start, barred)
        for passage in reader.passages(connection, entry_id)
    )


def hidden_characters(connection: sqlite3.Connection) -> int:
    """Count the characters of all entries that are hidden from models."""
    counted = 0
    for entry_id in suspicion_rows.entry_ids(connection):
        barred = not_allowed(connection, [entry_id]).get(entry_id, ())
        for passage in reader.passages(connection, entry_id) if barred else ():
            for low, high, why in parts(passage.text, passage.location.start, barred):
                if why is not None:
                    counted += high - low
    return counted


def _barred(hit: Hit) -> list[Suspicion]:
    return [one for one in hit.suspicions if one.place == "text" and not one.allowed]


def reasons_of(hidden: Iterable[KeptOut]) -> str:
    """Say why places are hidden from models: "2 that read like instructions to an assistant"."""
    counted = Counter(
        one.reason.removeprefix("hidden: ") if one.kind == HIDDEN else "" for one in hidden
    )
    return ", ".join(
        f"{number} {reason}" if reason else f"{number} {_READS}{'' if number > 1 else 's'} {_LIKE}"
        for reason, number in counted.items()
    )


_READS, _LIKE = "that read", "like instructions to an assistant"


def _part(passage: Passage, low: int, high: int) -> Passage:
    """Give a part of a passage, by characters of its text, with its place in the entry."""
    here = passage.location
    line = here.line if here.line is None else here.line + passage.text.count("\n", 0, low)
    place: Location = replace(here, start=here.start + low, end=here.start + high, line=line)
    return replace(passage, location=place, text=passage.text[low:high])
