"""The ledger of a database on a cluster: its files, the facts of the database, its figures."""

from collections.abc import Mapping
from dataclasses import astuple

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.view import View
from rag_assistant.values.ledger import (
    FileRecord,
    IndexedFile,
    IndexFigures,
    KnownFile,
    LedgerLine,
    Listed,
)


class OpenSearchLedger:
    """Reads the ledger and the facts of a database; `store.reading.Ledger`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def facts(self) -> Mapping[str, str]:
        """Give what is known of the database itself, by key."""
        return dict(self._view.state["facts"])

    def figures(self) -> IndexFigures:
        """Count what the index holds."""
        facts, view = self.facts(), self._view
        return IndexFigures(
            folder=facts.get("folder", ""),
            indexed_at=facts.get("indexed_at", ""),
            unfinished=bool(facts.get("unfinished")),
            entries=view.count(view.seen("entry")),
            passages=view.count(view.seen("passage")),
            failed=view.count(_of_status(view, "failed")),
            skipped=view.count(_of_status(view, "skipped")),
            withheld=len(view.withheld),
            partial=view.count(view.seen("file", {"term": {"partial": True}})),
        )

    def characters(self) -> int:
        """Count the characters of all entries."""
        body = {
            "query": self._view.seen("passage"),
            "size": 0,
            "aggs": {name: {"sum": {"field": name}} for name in ("start", "end")},
        }
        sums = self._view.cluster.found(self._view.index, body)["aggregations"]
        return int(sums["end"]["value"] - sums["start"]["value"])

    def files(self) -> dict[str, KnownFile]:
        """Give the whole ledger by path."""
        found = self._view.all_of(self._view.of_kind("file"), ["file_id", "body"], "file_id")
        return {known.record.path: known for known in map(_known, found)}

    def file(self, path: str) -> KnownFile | None:
        """Give the line of a path, None where there is none."""
        query = self._view.of_kind("file", {"term": {"path": path}})
        hits = self._view.hits(query, ["file_id", "body"], size=1)
        return _known(hits[0]["_source"]) if hits else None

    def lines(self, listed: Listed) -> list[LedgerLine]:
        """List the paths that are not searchable, or not all of them, by path with the reason."""
        if listed == "withheld":
            return sorted(
                (LedgerLine(*told) for told in self._view.withheld.values()),
                key=lambda line: line.path,
            )
        view = self._view
        part = view.seen("file", {"term": {"partial": True}})
        query = part if listed == "partial" else _of_status(view, listed)
        known = map(_known, view.all_of(query, ["file_id", "body"], "file_id"))
        lines = [LedgerLine(one.record.path, one.record.reason) for one in known]
        return sorted(lines, key=lambda line: line.path)

    def indexed(self) -> list[IndexedFile]:
        """List the files of which something is indexed, by path."""
        fields = ["entry_id", "path", "body.title"]
        ids: dict[str, list[int]] = {}
        titles: dict[str, str] = {}
        for one in self._view.all_of(self._view.seen("entry"), fields, "entry_id"):
            path, title = one["path"], one["body"]["title"]
            ids.setdefault(path, []).append(one["entry_id"])
            titles[path] = min(title, titles.get(path, title))
        return [IndexedFile(path, tuple(ids[path]), titles[path]) for path in sorted(ids)]


class WriterLedger(OpenSearchLedger):
    """The ledger with what was written so far; all of it is in memory, as a run reads it."""

    def __init__(self, view: View, facts: Mapping[str, str]) -> None:
        super().__init__(view)
        self.known = super().files()
        self.own_facts = dict(facts)

    def facts(self) -> Mapping[str, str]:
        """Give what is known of the database itself, by key."""
        return dict(self.own_facts)

    def files(self) -> dict[str, KnownFile]:
        """Give the whole ledger by path."""
        return dict(self.known)

    def file(self, path: str) -> KnownFile | None:
        """Give the line of a path, None where there is none."""
        return self.known.get(path)


def file_body(record: FileRecord) -> Json:
    """Give what is kept of a line."""
    return {"record": list(astuple(record))}


def _known(one: Json) -> KnownFile:
    return KnownFile(one["file_id"], FileRecord(*one["body"]["record"]))


def _of_status(view: View, status: str) -> Json:
    return view.seen("file", {"term": {"status": status}})
