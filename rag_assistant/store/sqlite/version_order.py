"""Which version is newer: by the dates, numbers and stages in their names, then by their dates.

What counts first: the date in the name (where all have one), the version number, the stage (draft,
final), the document's own date (where all have one), the number of a copy, when the file changed.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from rag_assistant.text.version_names import NamedVersion, document_date, named_version, own_date


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
    def of(cls, entry_id: int, path: str, metadata: str, mtime_ns: int) -> "Dated":
        """Make one of a row of the index."""
        facts = json.loads(metadata)
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
