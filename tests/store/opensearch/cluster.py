"""The cluster of a test run: started when a test first asks for it, ended with the run.

    RAG_ASSISTANT_CLUSTER=1 ./scripts/test tests/store tests/library/test_elsewhere.py

Without that variable, or a cluster that `scripts/opensearch start` has started, these tests are
skipped: each process of the suite of all tests would start a server of its own beside the others.
"""

import atexit
import os
from functools import cache
from hashlib import blake2b
from pathlib import Path

import pytest

from rag_assistant.store.opensearch.cluster import Address, Cluster
from rag_assistant.store.opensearch.store import OpenSearchStore
from rag_assistant.store.writing import Store
from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.nodes import running, start, stop


@cache
def addresses() -> tuple[str, ...]:
    """Give where the nodes are: of the cluster that runs, or of one of this run's own.

    Skips the test, in one line, where there can be none.
    """
    if nodes := running():
        return tuple(node.url for node in nodes)
    if not os.environ.get("RAG_ASSISTANT_CLUSTER"):
        pytest.skip(
            "a cluster is started with RAG_ASSISTANT_CLUSTER=1, or scripts/opensearch start"
        )
    pytest.importorskip("opensearchpy", reason="the extra `opensearch` is not installed")
    own = f"tests-{os.getpid()}"
    try:
        nodes = start(1, own)
    except CannotStartCluster as error:
        pytest.skip(f"no OpenSearch here: {error}")
    atexit.register(stop, own)
    return tuple(node.url for node in nodes)


def address_of(prefix: str) -> Address:
    """Give the address of a store whose indexes no other test sees."""
    return Address(addresses(), prefix=prefix, replicas=0)


def store_on_cluster(path: Path) -> Store:
    """Give a database of its own for a path."""
    prefix = f"t{blake2b(str(path).encode(), digest_size=6).hexdigest()}"
    return OpenSearchStore(Cluster(address_of(prefix)), path.stem)
