"""Which version is newer: by the dates, numbers and stages in their names, then by their dates.

What counts first: the date in the name (where all have one), the version number, the stage (draft,
final), the document's own date (where all have one), the number of a copy, when the file changed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from rag_assistant.text.version_names import NamedVersion, document_date, named_version, own_date
from rag_assistant.values.documents import Relation, Version


@dataclass(frozen=True, slots=True)
class Dated:
    """An entry with what tells its age. `changed` is in nanoseconds, `day` is ISO 8601."""

    entry_id: int
    path: str
    name: NamedVersion
    own_date: str
    changed: int
    day: str

    @classmethod
    def of(cls, entry_id: int, path: str, facts: Mapping[str, str], mtime_ns: int) -> "Dated":
        """Make one of what an index has of an entry; `facts` are its metadata."""
        changed = "" if mtime_ns <= 0 else datetime.fromtimestamp(mtime_ns / 1e9, UTC).isoformat()
        return cls(
            entry_id,
            path,
            named_version(path),
            own_date(facts),
            mtime_ns,
            document_date(path, facts, changed)[0],
        )


_Criterion = tuple[str, Callable[[Dated], Any]]

_CRITERIA: Sequence[_Criterion] = (
    ("the date in its name", lambda one: one.name.date),
    ("the version in its name", lambda one: (0, *one.name.number)),
    ("the state in its name", lambda one: (0, one.name.stage)),
    ("its own date", lambda one: one.own_date),
    ("the number of the copy", lambda one: (0, one.name.copy)),
    ("when its file was changed", lambda one: one.changed),
)
"""What tells versions apart in time, what counts most first; "" is a value that is not there."""


def in_order(versions: Sequence[Dated]) -> list[tuple[Dated, str]]:
    """Put versions of one document in order, newest first, each with what tells it from the next.

    The last has what tells it from the one before. What nothing tells apart goes by path, which is
    the same in whatever order files were indexed; ids are not.
    """
    usable = [(words, key) for words, key in _CRITERIA if all(key(one) != "" for one in versions)]
    ordered = sorted(versions, key=lambda one: (one.path, one.entry_id))
    ordered.sort(key=lambda one: tuple(key(one) for _, key in usable), reverse=True)
    told = [
        next((words for words, key in usable if key(a) != key(b)), "") for a, b in pairwise(ordered)
    ]
    return list(zip(ordered, [*told[:1], *told] if told else [""], strict=True))


class VersionRow(NamedTuple):
    """An entry of a family as an engine reads it; `place` and `told_by` are those of `in_order`."""

    entry_id: int
    title: str
    path: str
    place: int
    dated: str
    told_by: str
    text_hash: str


def others_than(entry_id: int, family: Sequence[VersionRow]) -> tuple[Version, ...]:
    """Give the other versions in an entry's family, newest first; none where it is of none."""
    own = next((one for one in family if one.entry_id == entry_id), None)
    if own is None:
        return ()
    found: list[Version] = []
    for one in sorted(family, key=lambda one: one.place):
        if one is not own:
            is_newer = one.place < own.place
            relation: Relation = "newer" if is_newer else "older"
            if one.text_hash == own.text_hash:
                relation = "copy"
            told_by = own.told_by if is_newer else one.told_by
            found.append(Version(one.entry_id, one.title, one.path, relation, one.dated, told_by))
    return tuple(found)
