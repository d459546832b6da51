"""Copies of an index: what is published is on all of them, whichever a search is made on."""

from collections.abc import Iterator

import pytest

from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.store import OpenSearchStore
from rag_assistant.values.ledger import FileChange
from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.keeper import name_for
from scripts.cluster.nodes import Node, start, stop
from tests.examples import examples
from tests.store.making import entry_of, file_of
from tests.store.opensearch.cluster import addresses, run_process

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]


@pytest.fixture
def nodes() -> Iterator[list[Node]]:
    """Three nodes, each of which has a copy."""
    addresses()  # skips, where there can be none
    name = f"{name_for(run_process())}-copies"
    try:
        yield start(3, name, is_bound=True)
    except CannotStartCluster as error:
        pytest.skip(f"no OpenSearch here: {error}")
    finally:
        stop(name)


def test_a_generation_is_whole_on_every_copy(nodes: list[Node]) -> None:
    """Copies come after: a search would find a part of a file, or miss what a run has ended."""
    address = Address(tuple(node.url for node in nodes), prefix="copies", replicas=2)
    cluster = Cluster(address)
    store = OpenSearchStore(cluster, "notes")
    with store.writing() as writer:
        cluster.asked("GET", "/_cluster/health", wait_for_status="green", timeout=60)
        for turn in range(1, examples(32) + 1):
            text = " ".join(f"crane{turn} winch{n}" for n in range(turn * 97, turn * 97 + 1_000))
            known = writer.ledger.file("a.md")
            file = file_of("a.md", turn)
            writer.write(FileChange("store", file, known, [entry_of(text, cut=30)]))
            writer.commit()
            view = store._view()
            promised, body = view.state["totals"][0], {"query": view.of_kind("passage")}
            for node in cluster.asked("GET", "/_nodes")["nodes"]:
                only = f"_only_nodes:{node}"
                path = f"/{view.index}/_count"
                counted = cluster.asked("POST", path, body, preference=only)["count"]
                assert counted == promised == -(-len(text) // 30)
        writer.finish()
    assert store.check() == []
