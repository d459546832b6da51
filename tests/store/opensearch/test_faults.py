"""What goes wrong between us and a cluster: one line that says what to do, and nothing is lost."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rag_assistant.errors import IndexDamaged, IndexOutdated, LibraryError
from rag_assistant.store.opensearch import cluster as cluster_module
from rag_assistant.store.opensearch.cluster import Address, Cluster
from rag_assistant.store.opensearch.store import OpenSearchStore
from rag_assistant.store.writing import Store
from tests.store.making import entry_of, write

pytest.importorskip("opensearchpy", reason="the extra `opensearch` is not installed")


@contextmanager
def answering(*statuses: int, body: str = "{}") -> Iterator[str]:
    """Serve on loopback what answers with these statuses, the last one from then on."""
    left = list(statuses)

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(left.pop(0) if len(left) > 1 else left[0])
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_PUT = do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def fault_at(url: str) -> str:
    """Give the line that a person reads who opens a database there."""
    store = OpenSearchStore(Cluster(Address((url,))), "team")
    with pytest.raises(LibraryError) as told, store.reading():
        pass
    return str(told.value)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, "{}", "does not know this user or password"),
        (403, "{}", "This user may not do that"),
        (403, '{"error": "blocked by: read-only / allow delete"}', "a disk of it is full"),
        (500, '{"error": "broken"}', "answered 500"),
    ],
)
def test_a_refusal_is_one_line_with_the_next_step(status: int, body: str, words: str) -> None:
    """A person would read a stack of the client's errors."""
    with answering(status, body=body) as url:
        told = fault_at(url)
    assert words in told
    assert "\n" not in told


def test_what_cannot_be_reached_is_said() -> None:
    """A search would hang, or show an empty database."""
    assert "cannot be reached" in fault_at("http://127.0.0.1:9")


@pytest.mark.parametrize("busy", [429, 503])
def test_a_busy_node_is_asked_again(busy: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of hours would end because the cluster was busy for a moment."""
    monkeypatch.setattr(cluster_module, "FIRST_WAIT", 0.01)
    with answering(busy, busy, 200, body='{"found": false}') as url:
        store = OpenSearchStore(Cluster(Address((url,))), "team")
        with pytest.raises(IndexDamaged, match="no database 'team'"), store.reading():
            pass
    with answering(busy) as url:
        assert "too busy" in fault_at(url)


def test_a_database_of_another_version_says_so(store: Store) -> None:
    """Fields that mean something else would be searched."""
    write(store, {"a.md": [entry_of("The crane.")]})
    store._states.change("notes", lambda state: state.update(version=99))  # type: ignore[attr-defined]
    with pytest.raises(IndexOutdated, match="another version"), store.reading():
        pass
