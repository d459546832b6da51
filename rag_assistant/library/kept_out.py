"""What of a database is hidden from models: suspicious spans, in their sentence or paragraph.

Of words that nobody sees the span alone is hidden. Words that read like orders take their paragraph
along, or their sentence where the paragraph is long; what stands between two such places is read.
For people everything stays as it is; models are told that something is missing, and not its words.
"""

import re
import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from rag_assistant import suspicion_rows
from rag_assistant.documents import (
    HIDDEN,
    EntryText,
    Hit,
    KeptOut,
    Location,
    Passage,
    Suspicion,
)
from rag_assistant.fences import mark_of
from rag_assistant.index import reader

LONGEST_PARAGRAPH = 600
"""Characters of a paragraph that goes as a whole; of a longer one a sentence goes."""

_BLANK = re.compile(r"\n[ \t]*\n\s*")
"""Between two paragraphs."""
_SENTENCE_END = re.compile(r"[.!?…。！？]['\"”’)\]]*\s+|\n(?=[ \t]*[-*•#|>\d])")

Part = tuple[int, int, Suspicion | None]
"""A part of a text: start, end, and the suspicion for which it is hidden, if it is."""


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
    return _written(hit.snippet, hit.location.start, _barred(hit)).strip("\n")


def passage_for_models(hit: Hit, passage: Passage) -> str:
    """Give the text of the passage that a hit is from, with a line in place of such words."""
    return _written(passage.text, passage.location.start, _barred(hit))


def text_for_models(connection: sqlite3.Connection, entry_id: int) -> str:
    """Give the text of an entry with a line in place of what is hidden from models."""
    barred = not_allowed(connection, [entry_id]).get(entry_id, ())
    if not barred:
        return reader.text(connection, entry_id)
    return "".join(
        _written(passage.text, passage.location.start, barred)
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


def parts(text: str, offset: int, barred: Sequence[Suspicion]) -> Iterator[Part]:
    """Cut a text that begins at `offset` of its entry into what models may read and may not.

    `barred` are spans in the entry, in order, none within another.
    """
    place = 0
    for low, high, why in _hidden_parts(text, offset, barred):
        if text[place:low].strip():
            yield place, low, None
        yield low, high, why
        place = high
    if text[place:].strip() or not place:
        yield place, len(text), None


def _hidden_parts(
    text: str, offset: int, barred: Sequence[Suspicion]
) -> Iterator[tuple[int, int, Suspicion]]:
    """Give what is hidden of a text, joined where only white space is between."""
    last: tuple[int, int, Suspicion] | None = None
    first = bisect_left(barred, offset, key=lambda one: one.end)
    for one in barred[first:]:
        if one.start >= offset + len(text):
            break
        low, high = max(0, one.start - offset), min(len(text), one.end - offset)
        if low >= high:
            continue
        if one.kind != HIDDEN:
            low, high = _around(text, low, high)
        if last and not text[last[1] : low].strip():
            last = (last[0], max(last[1], high), last[2])
            continue
        if last:
            yield last
        last = (low, high, one)
    if last:
        yield last


def _around(text: str, low: int, high: int) -> tuple[int, int]:
    """Give the paragraph of a span, or where that is long, the sentences that it is in."""
    start = max((gap.end() for gap in _BLANK.finditer(text, 0, low)), default=0)
    after = _BLANK.search(text, high)
    end = after.start() if after else len(text)
    if end - start <= LONGEST_PARAGRAPH:
        return start, end
    start = max((stop.end() for stop in _SENTENCE_END.finditer(text, start, low)), default=start)
    stop = None if text[:high].endswith((".", "!", "?")) else _SENTENCE_END.search(text, high, end)
    return start, stop.end() if stop else high


def _written(text: str, offset: int, barred: Sequence[Suspicion]) -> str:
    return "".join(
        text[low:high] if why is None else f"\n{mark_of(why.kind)}\n"
        for low, high, why in parts(text, offset, barred)
    )


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
