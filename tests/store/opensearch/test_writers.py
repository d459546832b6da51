"""Several writers, dead ones and slow ones: a reader sees whole files, and nobody's are lost."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from rag_assistant.errors import IndexOutdated, LibraryError
from rag_assistant.store.opensearch import state
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.state import States
from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import FileChange
from tests.examples import examples
from tests.store.making import entry_of, file_of, write
from tests.store.opensearch.cluster import address_of, store_on_cluster

_CHILD = """
import sys
from rag_assistant.values.ledger import FileChange
from tests.store.making import entry_of, file_of
from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.store import OpenSearchStore

turn, name, prefix, *urls = sys.argv[1:]
store = OpenSearchStore(Cluster(Address(tuple(urls), prefix=prefix, replicas=0)), name)
with store.writing() as writer:
    print("begun", flush=True)
    for number in range(8):
        text = f"turn{turn} of file{number}. " * 30
        known = writer.ledger.file(f"{number}.md")
        file = file_of(f"{number}.md", int(turn))
        writer.write(FileChange("store", file, known, [entry_of(text, cut=60)]))
        if number % 2:
            writer.commit()
    writer.finish()
"""


def states_of(store: Store) -> States:
    """Give the states that a store's own is among."""
    return store._states  # type: ignore[attr-defined,no-any-return]


def test_two_runs_cannot_write_one_database(store: Store) -> None:
    """Two indexers would undo one another's files, or give one id twice."""
    write(store, {"a.md": [entry_of("The crane.")]})
    refused = pytest.raises(LibraryError, match="is being written by process")
    with store.writing(), refused, store.writing():
        pass
    with store.writing() as writer:
        writer.finish()


def test_a_writer_that_slept_through_its_lease_changes_nothing(
    place: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run on a laptop that was asleep would take back what another one has written since."""
    write(store, {"a.md": [entry_of("The crane.")]})
    with store.writing() as slow:
        slow.write(FileChange("store", file_of("a.md", 2), slow.ledger.file("a.md"), []))
        with monkeypatch.context() as later:
            now = time.time
            later.setattr(time, "time", lambda: now() + state.LEASE_SECONDS + 1)
            with store_on_cluster(place).writing() as other:
                new = [entry_of("The winch.")]
                other.write(FileChange("store", file_of("a.md", 3), other.ledger.file("a.md"), new))
                other.finish()
        with pytest.raises(LibraryError, match="silent for too long"):
            slow.commit()
    with store.reading() as reader:
        (entry,) = reader.entries.all()
        assert reader.passages.text(entry.id) == "The winch."
    assert store.check() == []


def test_what_a_dead_run_left_is_never_seen(place: Path, store: Store) -> None:
    """Parts of a file that was being written would be found, and counted."""
    write(store, {"a.md": [entry_of("The crane.")]})
    with suppress(RuntimeError), store.writing() as writer:
        writer.write(FileChange("store", file_of("b.md"), None, [entry_of("x " * 99, cut=2)]))
        writer._writing.outbox.flush()  # type: ignore[attr-defined]  # it is on the cluster now
        raise RuntimeError
    write(store, {"c.md": [entry_of("The winch.")]})
    with store.reading() as reader:
        assert {one.path for one in reader.entries.names()} == {"a.md", "c.md"}
        assert reader.vocabulary.frequencies({"x": "x"}) == {}
        assert reader.records.totals().passages == 2
    assert store.check() == []


def test_words_that_were_rolled_back_are_written_when_they_come_again(store: Store) -> None:
    """A word of a file that was taken back would never be completed, nor be a better spelling."""
    with store.writing() as writer:
        for last in (False, True):
            entries = [entry_of("The crane.")]
            writer.write(FileChange("store", file_of("a.md"), None, entries))
            if not last:
                writer.roll_back()
        writer.finish()
    with store.reading() as reader:
        assert reader.vocabulary.listed("cran", 5) == ["crane"]


@pytest.mark.soak
@pytest.mark.timeout(1_500)
def test_a_killed_run_leaves_whole_files_and_the_next_goes_on(place: Path, store: Store) -> None:
    """A machine that dies while it indexes would leave half of a file, or lock the database."""
    write(store, {f"{number}.md": [entry_of("turn0 " * 9)] for number in range(8)})
    states = states_of(store)
    at = states._cluster.address
    rounds, drawn = examples(100), random.Random(7)
    seen_turns: set[str] = set()
    for turn in range(1, rounds + 1):
        command = [sys.executable, "-c", _CHILD, str(turn), place.stem, at.prefix, *at.urls]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "begun\n"
            time.sleep(drawn.uniform(0, 1.2))
            os.kill(child.pid, signal.SIGKILL)
        with store.reading() as reader:
            for entry in reader.entries.all():
                words = set(reader.passages.text(entry.id).split())
                turns = {word for word in words if word.startswith("turn")}
                assert len(turns) == 1, entry.path
                seen_turns |= turns
            assert len(reader.entries.names()) == 8
        assert store.check() == []
        # The lease of the dead ends by itself after a minute; here it is taken away.
        states.change(place.stem, lambda now: now.update(lease=None))
    with store.writing() as writer:
        writer.finish()
    assert store.check() == []
    assert seen_turns


def test_no_id_is_given_twice_by_writers_of_two_databases(tmp_path: Path) -> None:
    """Writers on other folders would wait for one another, or mix up their counters."""
    one, other = (store_on_cluster(tmp_path / f"{name}.db") for name in ("one", "other"))
    with one.writing() as first, other.writing() as second:
        for writer in (first, second):
            writer.write(FileChange("store", file_of("a.md"), None, [entry_of("The crane.")]))
        first.finish()
        second.finish()
    for store in (one, other):
        with store.reading() as reader:
            assert [entry.id for entry in reader.entries.all()] == [1]


def test_shards_change_no_score(tmp_path: Path) -> None:
    """An answer would depend on how an administrator cut an index."""
    from dataclasses import replace

    from rag_assistant.store.opensearch.store import OpenSearchStore
    from rag_assistant.values.search_plan import Phrase, Plan

    plan = Plan((Phrase(("crane",)), Phrase(("winch",))), weights={"crane": 1.5, "winch": 2.25})
    found = []
    for shards in (1, 3, 6):
        address = replace(address_of(f"shards{shards}x{os.getpid()}"), shards=shards)
        store = OpenSearchStore(Cluster(address), "s")
        files = {f"{n}.md": [entry_of(f"crane {n} " + "winch" * (n % 2))] for n in range(12)}
        write(store, files)
        with store.reading() as reader:
            counts = reader.vocabulary.frequencies({"crane": "crane", "winch": "winch"})
            found.append((counts, reader.candidates.best(plan, 10)))
        store.remove()
    assert found[0] == found[1] == found[2]


def test_an_index_of_an_older_version_is_made_anew_under_the_same_ids(store: Store) -> None:
    """A new version of the program would break all that was cited."""
    texts = {"a.md": [entry_of("The crane.")], "b.md": [entry_of("The winch.")]}
    write(store, {**texts, "c.md": [entry_of("The hoist.")]})
    with store.reading() as reader:
        before = {one.path: one.id for one in reader.entries.names()}
    states_of(store).change("notes", lambda state: state.update(version=state["version"] - 1))
    with pytest.raises(IndexOutdated), store.reading() as reader:
        reader.entries.all()
    write(store, texts)
    with store.reading() as reader:
        after = {one.path: one.id for one in reader.entries.names()}
    assert after == {path: before[path] for path in ("a.md", "b.md")}
    write(store, {"c.md": [entry_of("The hoist.")], "d.md": [entry_of("The derrick.")]})
    with store.reading() as reader:
        assert {one.path: one.id for one in reader.entries.names()}["c.md"] == before["c.md"]
