"""What of a database is kept out of prompts: the paragraphs that a suspicious span is in.

The rest of their passage is still read, since a page is not untrue for a line that somebody planted
in it. For people everything stays as it is; models are told that something is missing, and never
why in its own words.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rag_assistant import suspicion_rows
from rag_assistant.documents import EntryText, Hit, Location, Passage, Suspicion
from rag_assistant.fences import KEPT_OUT
from rag_assistant.index import reader

_BLANK = re.compile(r"\n[ \t]*\n\s*")
"""Between two paragraphs."""


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
    """Give an entry's passages without what models may not read, and where that was."""
    kept: list[Passage] = []
    out: list[Location] = []
    for passage in text.passages:
        for part, is_kept in _parts(passage, barred):
            if is_kept:
                kept.append(part)
            else:
                out.append(part.location)
    return replace(text, passages=tuple(kept), kept_out=tuple(out)) if out else text


def is_barred(hit: Hit) -> bool:
    """Whether models may not read the passage that a hit is shown by."""
    return any(one.place == "text" and not one.allowed for one in hit.suspicions)


def text_for_models(connection: sqlite3.Connection, entry_id: int) -> str:
    """Give the text of an entry with a line in place of what is kept out."""
    barred = not_allowed(connection, [entry_id]).get(entry_id, ())
    if not barred:
        return reader.text(connection, entry_id)
    return "".join(
        part.text if is_kept else f"\n{KEPT_OUT}\n"
        for passage in reader.passages(connection, entry_id)
        for part, is_kept in _parts(passage, barred)
    )


def _parts(passage: Passage, barred: Sequence[Suspicion]) -> Iterable[tuple[Passage, bool]]:
    """Cut a passage into what models may read, and what they may not, in order.

    From the first suspicious paragraph to the last nothing is read: what stands between two of them
    may belong to both.
    """
    here, text = passage.location, passage.text
    spans = [one for one in barred if one.start < here.end and one.end > here.start]
    if not spans:
        yield passage, True
        return
    first = max(0, min(one.start for one in spans) - here.start)
    last = min(len(text), max(one.end for one in spans) - here.start)
    start = max((gap.end() for gap in _BLANK.finditer(text, 0, first)), default=0)
    after = _BLANK.search(text, last)
    end = after.start() if after else len(text)
    for low, high, is_kept in ((0, start, True), (start, end, False), (end, len(text), True)):
        if text[low:high].strip() or not is_kept:
            yield _part(passage, low, high), is_kept


def _part(passage: Passage, low: int, high: int) -> Passage:
    """Give a part of a passage, by characters of its text, with its place in the entry."""
    here = passage.location
    line = here.line if here.line is None else here.line + passage.text.count("\n", 0, low)
    place = replace(here, start=here.start + low, end=here.start + high, line=line)
    return replace(passage, location=place, text=passage.text[low:high])
