"""The cluster of a test run, shared by the run's workers.

It ends with the run; `scripts/cluster/keeper.py` sees to that. A run that has such tests lets it
start beside its first ones.
"""

import os
import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

import pytest

from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.store import OpenSearchStore
from rag_assistant.store.writing import Store
from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.keeper import begin, cluster_for

NODES = 1


def run_process() -> int:
    """Give the process of the whole run: the parent of a worker of pytest-xdist."""
    return os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the cluster start where tests of this run need it; a plugin of conftest.py."""
    is_run = "PYTEST_XDIST_WORKER" in os.environ or not session.config.getoption("numprocesses")
    are_wanted = any(re.search("opensearch|elsewhere", item.nodeid) for item in session.items)
    if are_wanted and is_run and not session.config.getoption("collectonly"):
        with suppress(OSError, CannotStartCluster):
            begin(run_process(), NODES)


@cache
def _asked() -> tuple[tuple[str, ...], str]:
    """Give where the nodes are, or else why there are none; nobody asks twice."""
    try:
        return tuple(cluster_for(run_process(), NODES)), ""
    except CannotStartCluster as error:
        return (), str(error)


def addresses() -> tuple[str, ...]:
    """Give where the nodes are. Skips the test, in one line, where there can be none."""
    pytest.importorskip("opensearchpy", reason="the extra `opensearch` is not installed")
    urls, reason = _asked()
    if not urls:
        pytest.skip(f"no OpenSearch here: {reason}")
    return urls


def address_of(prefix: str) -> Address:
    """Give the address of a store whose indexes no other test sees."""
    return Address(addresses(), prefix=prefix, replicas=0)


def store_on_cluster(path: Path, *urls: str) -> Store:
    """Give a database of its own for a path, by other addresses of the cluster if need be."""
    prefix = f"t{blake2b(str(path).encode(), digest_size=6).hexdigest()}"
    address = address_of(prefix)
    return OpenSearchStore(Cluster(replace(address, urls=urls or address.urls)), path.stem)
