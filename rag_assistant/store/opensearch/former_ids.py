"""Ids of entries that were deleted: an entry that comes back gets its own again, no other one."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.view import View
from rag_assistant.values.ledger import FileRecord, ReadEntry

REMEMBERED_DAYS = 90
"""How long an id is remembered after its entry was deleted."""


class FormerIds:
    """Which ids a commit may give out again, of those that readers of `view` see as deleted."""

    def __init__(self, view: View, alive: Mapping[int, bool]) -> None:
        self._view = view
        self._alive = alive
        """What the commit itself has written and deleted; it is changed by others."""
        self._found: list[Json] | None = None
        self._known: dict[int, bool] = {}

    def remember(self, gone: Json, file_id: int) -> Json:
        """Remember the id of an entry that is deleted; give the document to write for it."""
        former = {
            "kind": "former", "entry_id": gone["entry_id"], "file_id": file_id,
            "path": gone["path"], "key": gone["key"], "hash": gone["hash"],
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        self._all().append(former)
        return former

    def of(self, file: FileRecord, entry: ReadEntry) -> int | None:
        """Give the id that was an entry's before it was deleted; None where none was."""
        found = [
            one for one in self._all()
            if one["key"] == entry.key
            and (one["path"] == file.path or (file.hash and one["hash"] == file.hash))
        ]  # fmt: skip
        found.sort(key=lambda one: (one["path"] == file.path, one["date"], one["entry_id"]))
        return found[-1]["entry_id"] if found else None

    def forget(self, entry_id: int) -> bool:
        """Forget an id that is given out again; say whether it was remembered."""
        kept = [one for one in self._all() if one["entry_id"] != entry_id]
        was_there = len(kept) < len(self._all())
        self._found = kept
        return was_there

    def is_free(self, entry_id: int, never_given: int) -> bool:
        """Say whether no entry has an id; those from `never_given` on were not given out yet."""
        if entry_id in self._alive:
            return not self._alive[entry_id]
        if entry_id >= never_given:
            return True
        if entry_id not in self._known:
            query = self._view.of_kind("entry", {"term": {"entry_id": entry_id}})
            self._known[entry_id] = self._view.finds_any(query)
        return not self._known[entry_id]

    def _all(self) -> list[Json]:
        if self._found is None:
            oldest = (datetime.now(UTC) - timedelta(days=REMEMBERED_DAYS)).isoformat()
            query = self._view.of_kind("former", {"range": {"date": {"gte": oldest}}})
            fields = ["entry_id", "path", "key", "hash", "date"]
            self._found = list(self._view.all_of(query, fields, "entry_id"))
        return self._found
