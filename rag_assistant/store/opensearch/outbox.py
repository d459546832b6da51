"""What a run writes on its way to the cluster: put into words at once, sent in portions.

One portion is under way while the next is made: making documents and indexing them take about as
long, on two machines. They arrive in the order in which they were put.
"""

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from rag_assistant.store.links import Sending
from rag_assistant.store.opensearch.cluster import BulkLine, Cluster, Json

PORTION = 3_000_000
"""Bytes that are kept back to be written together."""

_JSON = json.JSONEncoder(separators=(",", ":")).encode


class Outbox:
    """Sends documents to an index; `sending` is told of each portion before it leaves."""

    def __init__(self, cluster: Cluster, index: str, sending: Sending | None) -> None:
        self._cluster, self._index, self._sending = cluster, index, sending
        self._waiting: list[tuple[str, int | None, BulkLine]] = []
        self._size = 0
        self._sender = ThreadPoolExecutor(1)
        self._under_way: Future[None] | None = None
        self.is_written = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was put into it since it was made."""
        return not (self._waiting or self.is_written)

    def put(self, name: str, document: Json, routing: int) -> None:
        """Write a document, over the one of its name; it may not be changed any more."""
        self._add(name, document.get("entry_id"), _head("index", name, routing), document)

    def put_new(self, name: str, document: Json) -> None:
        """Write a document if there is none of its name."""
        self._add(name, None, _head("create", name), document)

    def take_back(self, names: Sequence[tuple[str, int]]) -> None:
        """Let documents not be written, or be deleted, by their names and routings."""
        gone = {name for name, _ in names}
        self._waiting = [one for one in self._waiting if one[0] not in gone]
        if self.is_written:
            for name, routing in names:
                self._add(name, None, _head("delete", name, routing), None)

    def _add(self, name: str, entry: int | None, head: str, document: Json | None) -> None:
        line = BulkLine(head, "" if document is None else _JSON(document))
        self._waiting.append((name, entry, line))
        self._size += len(line.head) + len(line.document)
        if self._size > PORTION:
            self._send()

    def _send(self) -> None:
        self.settle()
        lines = [line for _, _, line in self._waiting]
        if self._sending:
            entries = {entry for _, entry, _ in self._waiting if entry is not None}
            self._sending(sum(len(line.document) for line in lines), sorted(entries))
        self._under_way = self._sender.submit(self._cluster.write, self._index, lines)
        self.is_written = True
        self._waiting, self._size = [], 0

    def settle(self) -> None:
        """Wait for what is under way. Raises LibraryError where it was not written."""
        if self._under_way:
            under_way, self._under_way = self._under_way, None
            under_way.result()

    def flush(self) -> None:
        """Send all that waits, and wait until it is written. Raises LibraryError."""
        if self._waiting:
            self._send()
        self.settle()

    def close(self) -> None:
        """Send nothing more; what is under way arrives, or does not."""
        self._sender.shutdown(wait=True)


def _head(action: str, name: str, routing: int | None = None) -> str:
    """Write the line before a document; with its own words it takes as long as that itself."""
    where = "" if routing is None else f',"routing":"{routing}"'
    return f'{{"{action}":{{"_id":{_JSON(name)}{where}}}}}'
