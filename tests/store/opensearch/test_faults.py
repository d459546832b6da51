"""What goes wrong between us and a cluster: one line that says what to do, and nothing is lost."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from rag_assistant.errors import IndexDamaged, IndexOutdated, LibraryError, RagError
from rag_assistant.store.opensearch import cluster as cluster_module
from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.credentials import Credentials
from rag_assistant.store.opensearch.store import OpenSearchStore
from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import FileChange
from scripts.cluster.secured import make_certificates
from tests.store.making import entry_of, file_of, write
from tests.store.opensearch.cluster import address_of, addresses, store_on_cluster
from tests.store.opensearch.gate import gate, serving

pytest.importorskip("opensearchpy", reason="the extra `opensearch` is not installed")


@contextmanager
def answering(
    *statuses: int, body: str = "{}", certificates: Path | None = None, well: Sequence[str] = ()
) -> Iterator[str]:
    """Serve on loopback what answers with these statuses, the last one from then on.

    Paths that are `well` are answered with 200.
    """
    left = list(statuses)

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            is_well = any(self.path.startswith(path) for path in well)
            status = 200 if is_well else left.pop(0) if len(left) > 1 else left[0]
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_PUT = do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with serving(Answer, certificates) as url:
        yield url


def fault_of(address: Address) -> str:
    """Give the line that a person reads who opens a database there."""
    store = OpenSearchStore(Cluster(address), "team")
    with pytest.raises(RagError) as told, store.reading():
        pass
    line = str(told.value)
    assert "\n" not in line
    assert told.value.hint
    return line


USER, KEY = Credentials("ann", "secret-word"), Credentials(api_key="secret-key")
FULL = '{"error": "blocked by: read-only / allow delete"}'


@pytest.mark.parametrize(
    ("status", "body", "known", "words"),
    [
        (401, "{}", Credentials(), "asks for a user and a password, or an API key"),
        (401, "{}", USER, "does not know this user or password"),
        (401, "{}", KEY, "does not know this API key"),
        (403, "{}", USER, "This user may not do that"),
        (403, "{}", KEY, "This key may not do that"),
        (403, FULL, USER, "a disk of it is full"),
        (429, FULL, USER, "a disk of it is full"),
        (500, '{"error": "broken"}', USER, "answered 500"),
    ],
)
def test_a_refusal_is_one_line_with_the_next_step(
    status: int, body: str, known: Credentials, words: str
) -> None:
    """A person would read a stack of the client's errors, or what nobody else may read."""
    with answering(status, body=body) as url:
        told = fault_of(Address((url,), known))
    assert words in told
    assert "secret" not in told


def test_what_cannot_be_reached_is_said() -> None:
    """A search would hang, or show an empty database."""
    assert "cannot be reached" in fault_of(Address(("http://127.0.0.1:9",)))


def test_a_certificate_is_believed_only_of_its_authority_and_for_its_host(tmp_path: Path) -> None:
    """Whoever stands between would read a team's documents, and the password."""
    make_certificates(tmp_path)
    make_certificates(tmp_path / "other", host="127.0.0.2")
    ca_file = str(tmp_path / "ca.pem")
    with answering(404, certificates=tmp_path) as url:
        assert "is not trusted" in fault_of(Address((url,)))
        assert "is not trusted" in fault_of(Address((url,), ca_file=str(tmp_path / "other/ca.pem")))
        assert "no database 'team'" in fault_of(Address((url,), ca_file=ca_file))
        assert "no database 'team'" in fault_of(Address((url,), verify=False))
        plain = url.replace("https", "http")
        assert "http or https" in fault_of(Address((plain,)))
        assert "is not there" in fault_of(Address((url,), ca_file="/no/such/file.pem"))
    with answering(404, certificates=tmp_path / "other") as url:
        told = fault_of(Address((url,), ca_file=str(tmp_path / "other/ca.pem")))
    assert "is of another host" in told
    with answering(404) as url:
        assert "no TLS" in fault_of(Address((url.replace("http", "https"),)))


@pytest.mark.parametrize("busy", [429, 503])
def test_a_busy_node_is_asked_again(busy: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of hours would end because the cluster was busy for a moment."""
    monkeypatch.setattr(cluster_module, "FIRST_WAIT", 0.001)
    with answering(busy, busy, 200, body='{"found": false}') as url:
        cluster = Cluster(Address((url,)))
        with pytest.raises(IndexDamaged, match="no database 'team'"):
            OpenSearchStore(cluster, "team").check()
        assert len(cluster.waits) == 2
    with answering(busy) as url:
        assert "too busy" in fault_of(Address((url,)))
    with answering(busy, body='{"status": "red"}', well=["/_cluster/health"]) as url:
        assert "it is red" in fault_of(Address((url,)))


def test_what_a_request_takes_for_an_answer_holds_after_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is only absent, asked of a busy node, would end a run as a fault of the store."""
    monkeypatch.setattr(cluster_module, "FIRST_WAIT", 0.001)
    with answering(503, 404, body='{"found": false}') as url:
        assert Cluster(Address((url,))).asked("GET", "/team/_doc/1", ignore=404)["found"] is False


def test_that_a_busy_store_was_waited_for_is_said(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person would look for what made a run slow in their own machine."""
    monkeypatch.setattr(cluster_module, "FIRST_WAIT", 0.001)
    with gate(["busy", "busy"], "/_bulk") as url:
        store = store_on_cluster(place, url)
        with store.writing() as writer:
            writer.write(FileChange("store", file_of("a.md"), None, [entry_of("The crane.")]))
            notes = writer.finish()
    assert notes == [f"{url} was busy: it was waited for 2 times, 0 s in all"]


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        (
            {"number": "1.3.20", "distribution": "opensearch"},
            "OpenSearch 1.3.20, which is too old",
        ),
        (
            {"number": "2.6.0", "distribution": "opensearch"},
            "OpenSearch 2.6.0, which is too old",
        ),
        ({"number": "8.17.0"}, "runs no OpenSearch, but 8.17.0 of another engine"),
    ],
)
def test_an_engine_that_is_too_old_is_not_written_to(engine: dict[str, str], words: str) -> None:
    """It would misunderstand a mapping, and searches find less than there is."""
    with answering(200, body=json.dumps({"version": engine})) as url:
        store = OpenSearchStore(Cluster(Address((url,))), "team")
        with pytest.raises(LibraryError, match=words), store.writing():
            pass


def test_an_index_that_cannot_be_made_is_said() -> None:
    """A run would end with an index that is not there, or write into one that is made up."""
    body = json.dumps({"error": {"type": "illegal_argument_exception", "reason": "no such codec"}})
    with answering(400, body=body) as url, pytest.raises(LibraryError, match="no such codec"):
        Cluster(Address((url,))).make("team-1", {})


def test_a_node_that_hangs_is_passed_over(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One slow machine of three would stop every search; and one alone, without a word."""
    write(store_on_cluster(place), {"a.md": [entry_of("The crane.")]})
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 0.3)
    with gate(["hang"] * 9) as url:
        slow = store_on_cluster(place, url)
        with pytest.raises(LibraryError, match="gives no answer in time"), slow.reading():
            pass
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 5)
    with gate(["hang"] * 9) as url:
        both = store_on_cluster(place, url, *addresses())
        for _ in range(2):
            with both.reading() as reader:
                assert [one.path for one in reader.entries.names()] == ["a.md"]


@pytest.mark.parametrize("what", ["cut", "lost"])
@pytest.mark.parametrize("path", ["/_bulk", "/_doc/", "/_update_by_query"])
def test_a_connection_that_is_cut_costs_nothing(place: Path, what: str, path: str) -> None:
    """What was half sent, or done without an answer, would be there twice, or not at all."""
    write(store_on_cluster(place), {"a.md": [entry_of("The crane.")]})
    with gate([what] * 2, path, "PUT", "POST") as url:
        store = store_on_cluster(place, url)
        write(store, {f"{n}.md": [entry_of(f"The winch {n}. " * 9, cut=20)] for n in "abc"})
    with store_on_cluster(place).reading() as reader:
        texts = [reader.passages.text(one.id) for one in reader.entries.all()]
        assert texts == [f"The winch {n}. " * 9 for n in "abc"]
    assert store_on_cluster(place).check() == []


def test_a_cut_that_lasts_is_said_and_the_next_run_goes_on(place: Path) -> None:
    """A run would seem to have written what it has not."""
    with gate(["cut"] * 99, "/_bulk") as url:
        store = store_on_cluster(place, url)
        with pytest.raises(LibraryError, match="cannot be reached"):
            write(store, {"a.md": [entry_of("The crane.")]})
    write(store_on_cluster(place), {"a.md": [entry_of("The winch.")]})
    assert store_on_cluster(place).check() == []


def test_a_full_disk_is_said_and_nothing_is_lost(store: Store) -> None:
    """A run would wait for what cannot come, and its reader see half of it."""
    write(store, {"a.md": [entry_of("The crane.")]})
    cluster, index = store._cluster, store._view().index  # type: ignore[attr-defined]
    block = "index.blocks.read_only_allow_delete"
    cluster.asked("PUT", f"/{index}/_settings", {block: True})
    with pytest.raises(LibraryError, match="a disk of it is full"):
        write(store, {"a.md": [entry_of("The winch.")]})
    with store.reading() as reader:
        (entry,) = reader.entries.all()
        assert reader.passages.text(entry.id) == "The crane."
    cluster.asked("PUT", f"/{index}/_settings", {block: None})
    write(store, {"a.md": [entry_of("The winch.")]})
    assert store.check() == []


def test_copies_that_are_on_no_node_are_told(place: Path) -> None:
    """A team would learn that there is but one copy when its machine is dead."""
    prefix = f"y{place.parent.name.lower()}"
    store = OpenSearchStore(Cluster(replace(address_of(prefix), replicas=len(addresses()))), "n")
    write(store, {"a.md": [entry_of("The crane.")]})
    (problem,) = store.check()
    assert "copies of it are on no node" in problem


def test_a_database_of_another_version_says_so(store: Store) -> None:
    """Fields that mean something else would be searched."""
    write(store, {"a.md": [entry_of("The crane.")]})
    store._states.change("notes", lambda state: state.update(version=99))  # type: ignore[attr-defined]
    with pytest.raises(IndexOutdated, match="another version"), store.reading():
        pass
