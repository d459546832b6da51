"""The processes of a cluster: started on loopback, waited for, looked up again, ended.

What runs stands in a file beside the data, so that another command can end it. A number of a
process that is by now another program's is told by its command line, and left alone.
"""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.cluster.artefacts import CannotStartCluster, java_and_maven, server_home

if TYPE_CHECKING:
    from scripts.cluster.secured import Security

HEAP_MB = 256
"""Of each node. Three of them, with what Java needs besides, take some 2 GB."""

PATIENCE = 120
"""Seconds that a cluster may take to come up on a machine that has other work."""

UNPRIVILEGED = "nobody"

_END_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""

_SETTINGS = """cluster.name: {name}
node.name: {node}
path.data: {folder}/data
path.logs: {folder}/logs
network.host: 127.0.0.1
http.port: {http}
transport.port: {transport}
discovery.seed_hosts: [{seeds}]
cluster.initial_cluster_manager_nodes: [{nodes}]
action.auto_create_index: false
cluster.routing.allocation.disk.threshold_enabled: false
"""
_LOGGING = """status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""
_JAVA = (
    "-XX:+UseSerialGC", "-Xss1m", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8",
    "-Djna.nosys=true", "-Dio.netty.noUnsafe=true", "-Dio.netty.noKeySetOptimization=true",
    "-Dio.netty.recycler.maxCapacityPerThread=0", "-Dio.netty.allocator.numDirectArenas=0",
    "-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true",
    "-Dlog4j2.formatMsgNoLookups=true", "-Djava.security.manager=allow",
    "-XX:MaxDirectMemorySize=128m", "-Djava.locale.providers=SPI,COMPAT",
)  # fmt: skip


_BRIEF = ("-XX:TieredStopAtLevel=1",)
"""Of nodes that live for a test: they start in half the processor time, and are slower later."""

_started: dict[int, "subprocess.Popen[bytes]"] = {}
"""Those of this process, which it has to wait for when they have ended."""


@dataclass(frozen=True)
class Node:
    """A process of the cluster, and where it answers."""

    name: str
    pid: int
    url: str
    folder: str

    def is_running(self) -> bool:
        """Whether the process is there, and is this node."""
        try:
            line = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return False
        return self.folder.encode() in line


def root_folder() -> Path:
    """Give where the server and the data of clusters stand: this person's, and temporary."""
    owner = os.getuid() if hasattr(os, "getuid") else "me"
    return Path(tempfile.gettempdir()) / f"rag-assistant-opensearch-{owner}"


def known(name: str = "test") -> list[Node]:
    """Give the nodes of a cluster, running or not."""
    try:
        return [Node(**one) for one in json.loads(_state(name).read_text("utf-8"))]
    except (OSError, ValueError):
        return []


def running(name: str = "test") -> list[Node]:
    """Give the nodes of a cluster that run."""
    return [node for node in known(name) if node.is_running()]


def start(
    count: int,
    name: str = "test",
    heap_mb: int = HEAP_MB,
    *,
    is_bound: bool = False,
    security: "Security | None" = None,
) -> list[Node]:
    """Start so many nodes and wait for them to be one cluster; give those of one that runs.

    Nodes that are bound are killed when the thread ends that started them. Raises
    CannotStartCluster with one line of what is missing, or of what the server said.
    """
    if nodes := running(name):
        return nodes
    java, _ = java_and_maven()
    home = security.home if security else server_home(root_folder())
    scheme = security.scheme if security else "http"
    folder = root_folder() / name
    shutil.rmtree(folder, ignore_errors=True)
    ports = _free_ports(2 * count)
    names = [f"{name}-{number}" for number in range(1, count + 1)]
    nodes = []
    for number, node in enumerate(names):
        own = folder / node
        settings = _SETTINGS.format(
            name=name, node=node, folder=own, http=ports[number], transport=ports[count + number],
            seeds=", ".join(f'"127.0.0.1:{port}"' for port in ports[count:]),
            nodes=", ".join(names),
        )  # fmt: skip
        _write_down(own, settings, security)
        options = (*_JAVA, *_BRIEF) if is_bound else _JAVA
        pid = _launch(_command(java, options, home, own, heap_mb), own, is_bound=is_bound)
        nodes.append(Node(node, pid, f"{scheme}://127.0.0.1:{ports[number]}", str(own)))
    _state(name).write_text(json.dumps([asdict(node) for node in nodes]), "utf-8")
    try:
        _wait_for(nodes, security)
    except CannotStartCluster:
        stop(name)
        raise
    return nodes


def stop(name: str = "test") -> int:
    """End the nodes of a cluster and delete its data; give how many were running."""
    nodes = running(name)
    for node in nodes:
        with suppress(ProcessLookupError):
            os.kill(node.pid, signal.SIGTERM)
    until = time.monotonic() + 20
    while any(node.is_running() for node in nodes) and time.monotonic() < until:
        time.sleep(0.1)
    for node in nodes:
        if node.is_running():
            with suppress(ProcessLookupError):
                os.kill(node.pid, signal.SIGKILL)
    for pid in [node.pid for node in known(name) if node.pid in _started]:
        _started.pop(pid).wait()
    shutil.rmtree(root_folder() / name, ignore_errors=True)
    return len(nodes)


def end_all() -> None:
    """Kill the nodes that this process has started."""
    while _started:
        _, process = _started.popitem()
        process.kill()
        process.wait()


def _state(name: str) -> Path:
    return root_folder() / name / "nodes.json"


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _write_down(folder: Path, settings: str, security: "Security | None") -> None:
    """Make the folder of a node, with its settings; the server refuses to run as root."""
    config = folder / "config"
    for needed in (config, folder / "tmp", folder / "logs"):
        needed.mkdir(parents=True)
    if security:
        settings += security.configure(config)
    (config / "opensearch.yml").write_text(settings, "utf-8")
    (config / "log4j2.properties").write_text(_LOGGING, "utf-8")
    if _is_root():
        for owned in (folder, *folder.rglob("*")):
            shutil.chown(owned, UNPRIVILEGED)


def _command(
    java: str, options: Sequence[str], home: Path, folder: Path, heap_mb: int
) -> Sequence[str]:
    return [
        java, f"-Xms{heap_mb}m", f"-Xmx{heap_mb}m", *options, f"-Djava.io.tmpdir={folder / 'tmp'}",
        f"-Dopensearch.path.home={home}", f"-Dopensearch.path.conf={folder / 'config'}",
        "-Dopensearch.distribution.type=tar", "-Dopensearch.bundled_jdk=false",
        "-cp", f"{home / 'lib'}/*", "org.opensearch.bootstrap.OpenSearch",
    ]  # fmt: skip


def _launch(command: Sequence[str], folder: Path, *, is_bound: bool) -> int:
    as_root, system = _is_root(), ctypes.CDLL(None) if is_bound else None

    def bind() -> None:
        assert system is not None
        system.prctl(_END_WITH_PARENT, signal.SIGKILL)

    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            user=UNPRIVILEGED if as_root else None, extra_groups=() if as_root else None,
            preexec_fn=bind if is_bound else None,  # noqa: PLW1509 - it takes no lock
        )  # fmt: skip
    _started[process.pid] = process
    return process.pid


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _wait_for(nodes: Sequence[Node], security: "Security | None") -> None:
    until = time.monotonic() + PATIENCE
    address = f"{nodes[0].url}/_cluster/health?wait_for_nodes={len(nodes)}&timeout=1s"
    while time.monotonic() < until:
        for node in nodes:
            if not node.is_running():
                lines = (Path(node.folder) / "output").read_text("utf-8", "replace").splitlines()
                told = "; ".join(line for line in lines if "xception" in line) or "it said nothing"
                raise CannotStartCluster(f"The node {node.name} ended: {told[:600]}")
        how, context = security.request(address) if security else (address, None)
        with suppress(OSError), urllib.request.urlopen(how, timeout=5, context=context) as answer:
            if not json.load(answer)["timed_out"]:
                return
        time.sleep(0.3)
    raise CannotStartCluster(f"The cluster was not up after {PATIENCE} s.")
