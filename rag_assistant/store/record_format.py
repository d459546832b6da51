"""The form of the blobs in which the terms of passages and entries are kept.

All numbers are little-endian. A passage: the counts of its distinct terms, of the counts, of the
terms of its heading (2, 2 and 1 bytes), the lengths of text and heading in words (2 and 1) and its
flags (1); then 4 bytes for each term, 1 for each count, 4 for each term of the heading. An entry:
the number of terms of each of its fields (1 byte each), then 4 bytes for each term.
"""

import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from struct import Struct

from rag_assistant.text.term_counts import CountedTerms
from rag_assistant.values.term_records import PassageRecord

_HEAD = Struct("<HHBHBB")
_QUOTES = 1
WIDTH = 4
"""Bytes of a term."""
MOST_TERMS, MOST_WORDS, MOST_OF_A_FIELD = 0xFFFF, 0xFFFF, 0xFF
"""Distinct terms and words of a passage, and terms of each other field, that a blob holds."""

ENTRY_FIELDS = 4
"""Title, path, authors, lead."""


def passage_blob(
    counted: CountedTerms, heading: Sequence[int], heading_length: int, *, quotes: bool
) -> bytes:
    """Write what is kept of a passage."""
    ids, counts = counted.ids[:MOST_TERMS], counted.counts[:MOST_TERMS]
    heading = heading[:MOST_OF_A_FIELD]
    head = _HEAD.pack(
        len(ids),
        len(counts),
        len(heading),
        min(MOST_WORDS, counted.length),
        min(MOST_OF_A_FIELD, heading_length),
        _QUOTES if quotes else 0,
    )
    return b"".join((head, _written(ids), counts, _written(array("I", heading))))


def read_passage(passage_id: int, entry_id: int, blob: bytes) -> PassageRecord:
    """Read it back. Raises ValueError or struct.error where it is not of this form."""
    terms, counts, heading, length, heading_length, flags = _HEAD.unpack_from(blob)
    first = _HEAD.size + WIDTH * terms
    second = first + counts
    if len(blob) != second + WIDTH * heading:
        raise ValueError(f"the terms of the passage {passage_id} are cut off")
    ids = _read(blob[_HEAD.size : first])
    counted = dict.fromkeys(ids, 1)
    counted.update(zip(ids, blob[first:second], strict=False))
    return PassageRecord(
        passage_id,
        entry_id,
        counted,
        counts,
        _read(blob[second:]) if heading else (),
        length,
        heading_length,
        flags & _QUOTES > 0,
    )


def entry_blob(*fields: Sequence[int]) -> bytes:
    """Write the fields of an entry."""
    cut = [field[:MOST_OF_A_FIELD] for field in fields]
    return bytes(map(len, cut)) + _written(array("I", chain.from_iterable(cut)))


def read_entry(blob: bytes) -> list[Sequence[int]]:
    """Read them back. Raises ValueError where the blob is not of this form."""
    lengths = blob[:ENTRY_FIELDS]
    if len(lengths) != ENTRY_FIELDS or len(blob) != ENTRY_FIELDS + WIDTH * sum(lengths):
        raise ValueError("the terms of an entry are cut off")
    ids = _read(blob[ENTRY_FIELDS:])
    title, path, authors = accumulate(lengths[:-1])  # where they end
    return [ids[:title], ids[title:path], ids[path:authors], ids[authors:]]


def ids_blob(ids: "array[int]") -> bytes:
    """Write some terms."""
    return _written(ids)


def read_ids(blob: bytes) -> "array[int]":
    """Read them back. Raises ValueError where bytes are missing."""
    return _read(blob)


def _written(ids: "array[int]") -> bytes:
    if sys.byteorder == "big":
        ids = ids[:]
        ids.byteswap()
    return ids.tobytes()


def _read(blob: bytes) -> "array[int]":
    ids = array("I", blob)
    if sys.byteorder == "big":
        ids.byteswap()
    return ids
