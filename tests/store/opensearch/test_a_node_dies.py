"""A machine of the cluster dies while it is searched and written: nothing is lost."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.store import OpenSearchStore
from rag_assistant.values.ledger import FileChange
from rag_assistant.values.search_plan import Phrase, Plan
from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.keeper import name_for
from scripts.cluster.nodes import Node, start, stop
from tests.examples import examples
from tests.store.making import entry_of, file_of, write
from tests.store.opensearch.cluster import addresses, run_process

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]


@pytest.fixture
def nodes() -> Iterator[list[Node]]:
    """Three nodes, one of which the test may kill."""
    addresses()  # skips, where there can be none
    name = f"{name_for(run_process())}-dies"
    try:
        yield start(3, name, is_bound=True)
    except CannotStartCluster as error:
        pytest.skip(f"no OpenSearch here: {error}")
    finally:
        stop(name)


def test_one_node_of_three_dies(nodes: list[Node], tmp_path: Path) -> None:
    """With one copy of each shard, a machine's death would lose entries, or end every search."""
    address = Address(tuple(node.url for node in nodes), prefix="dies", shards=3, replicas=1)
    store = OpenSearchStore(Cluster(address), "notes")
    write(store, {f"{n}.md": [entry_of(f"The crane {n}.")] for n in range(60)})
    cluster = Cluster(address)
    cluster.asked("GET", "/_cluster/health", wait_for_status="green", timeout=60)
    # Copies are made anew at once, and not in a minute.
    at_once = {"index.unassigned.node_left.delayed_timeout": "0"}
    cluster.asked("PUT", "/dies-*/_settings", at_once)
    plan, searches, failed = Plan((Phrase(("crane",)),)), examples(1_000), 0
    for number in range(searches):
        if number == searches // 3:
            os.kill(nodes[-1].pid, signal.SIGKILL)
        for attempt in range(2):
            try:
                with store.reading() as reader:
                    found = reader.candidates.best(plan, 100, passages=100)
                    assert len(found) == 60
                break
            except LibraryError:
                failed += 1
                assert attempt == 0, "a search that is asked again finds all"
    assert failed <= 1
    for _ in range(2):  # a run that meets the death is run again
        with suppress(LibraryError), store.writing() as writer:
            for n in range(60, 90):
                known = writer.ledger.file(f"{n}.md")
                entries = [entry_of(f"The winch {n}.")]
                writer.write(FileChange("store", file_of(f"{n}.md"), known, entries))
            writer.finish()
            break
    with store.reading() as reader:
        assert len(reader.entries.names()) == 90
    cluster.asked("GET", "/_cluster/health", wait_for_status="green", timeout=60)  # it has healed
    assert store.check() == []
