"""The cluster of a test run: one for all that ask, and nothing of it is left after the run."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.keeper import cluster_for, name_for
from scripts.cluster.nodes import root_folder
from tests.store.opensearch.cluster import addresses

_RUN = """
import os, sys
from scripts.cluster.keeper import cluster_for
print(*cluster_for(os.getpid(), 1), flush=True)
sys.stdin.read()
"""


@contextmanager
def run_with_a_cluster() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A process that has a cluster, and the name of that."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", _RUN], stdin=pipe, stdout=pipe, text=True) as run:
        assert run.stdout is not None
        name = name_for(run.pid)
        try:
            assert run.stdout.readline().startswith("http://127.0.0.1:")
            yield run, name
        finally:
            run.kill()


def nodes_of(name: str) -> list[psutil.Process]:
    """Give the processes of a cluster's nodes."""
    nodes = json.loads((root_folder() / name / "nodes.json").read_text("utf-8"))
    return [psutil.Process(node["pid"]) for node in nodes]


def is_true_soon(condition: Callable[[], bool]) -> bool:
    """Say whether a condition comes to hold within half a minute."""
    until = time.monotonic() + 30
    while not condition() and time.monotonic() < until:
        time.sleep(0.1)
    return condition()


@pytest.mark.soak
def test_nothing_is_left_of_a_run_that_was_killed() -> None:
    """Servers of runs that were cut off would fill the memory of a contributor's machine."""
    addresses()  # skips, where there can be none
    with run_with_a_cluster() as (run, name):
        nodes = nodes_of(name)
        assert all(node.is_running() for node in nodes)
        run.kill()
        run.wait()
        assert is_true_soon(lambda: not any(node.is_running() for node in nodes))
        assert is_true_soon(lambda: not list(root_folder().glob(f"{name}*")))


@pytest.mark.soak
def test_nodes_end_with_a_keeper_that_was_killed() -> None:
    """A machine short of memory ends what it likes, and the servers would stay for ever."""
    addresses()
    with run_with_a_cluster() as (_, name):
        nodes = nodes_of(name)
        (keeper,) = {node.parent() for node in nodes}
        assert keeper is not None
        os.kill(keeper.pid, signal.SIGKILL)
        assert is_true_soon(lambda: not any(node.is_running() for node in nodes))


def test_where_there_is_no_java_all_are_told_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each test would try anew, and a run without a server take hours to skip them."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("the cluster of a test run needs Linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as run:
        with pytest.raises(CannotStartCluster, match="needs Java"):
            cluster_for(run.pid, 1)
        monkeypatch.setattr(subprocess, "run", None)  # nothing is started again
        with pytest.raises(CannotStartCluster, match="needs Java"):
            cluster_for(run.pid, 1)
        name = name_for(run.pid)
    assert is_true_soon(lambda: not list(root_folder().glob(f"{name}*")))
