"""Versions: which entries are of one document, read from a cluster.

Each entry of a family has a document of the kind `version`, which ends with the entry's name or
text. Where the state says that there is none, nothing is asked.
"""

from collections.abc import Collection

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.view import View, is_any
from rag_assistant.store.version_order import VersionRow, others_than
from rag_assistant.values.documents import Version

_ROW = ["entry_id", "path", "place", "body"]


class OpenSearchVersions:
    """Reads families of versions; `store.reading.Versions`."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._families: dict[int, int | None] = {}
        self._newest: dict[int, int] = {}

    def others(self, entry_id: int) -> tuple[Version, ...]:
        """Give the other versions of an entry's document, newest first; none for most entries."""
        self._look_up([entry_id])
        family = self._families.get(entry_id)
        if family is None:
            return ()
        query = self._view.seen("version", {"term": {"family": family}})
        found = self._view.all_of(query, _ROW, "entry_id")
        return others_than(entry_id, [_row(one) for one in found])

    def newest(self, entry_ids: Collection[int]) -> dict[int, int]:
        """Give, for those entries that are of a family, the id of its newest version."""
        self._look_up(entry_ids)
        families = {one: self._families.get(one) for one in entry_ids}
        missing = {one for one in families.values() if one is not None} - self._newest.keys()
        if missing:
            hits = self._view.hits(
                self._view.seen("version", is_any("family", sorted(missing))),
                ["entry_id", "family"],
                size=len(missing),
                sort=[{"place": "asc"}, {"entry_id": "asc"}],
                collapse={"field": "family"},
            )
            self._newest |= {one["_source"]["family"]: one["_source"]["entry_id"] for one in hits}
        return {one: self._newest[family] for one, family in families.items() if family is not None}

    def _look_up(self, entry_ids: Collection[int]) -> None:
        """Learn which of some entries are of a family, and of which the newest one is known."""
        asked = [one for one in entry_ids if one not in self._families]
        if not asked or not self._view.state["versions"]:
            return
        self._families |= dict.fromkeys(asked)
        for one in self._view.by_ids("version", "entry_id", asked, ["family", "place"]):
            self._families[one["entry_id"]] = one["family"]
            if one["place"] == 0:
                self._newest[one["family"]] = one["entry_id"]


def _row(one: Json) -> VersionRow:
    body = one["body"]
    return VersionRow(
        one["entry_id"], body["title"], one["path"], one["place"], body["dated"], body["told_by"],
        body["text_hash"],
    )  # fmt: skip
