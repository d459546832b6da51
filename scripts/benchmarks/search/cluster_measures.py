"""What questions to a database cost: time, processors here and on a cluster, bytes."""

import json
import os
import resource
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from rag_assistant.library.database import Database
from rag_assistant.library.elsewhere import link_of
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from scripts.benchmarks.shared.figures import percentile
from scripts.cluster.nodes import Node

READERS = 16
"""Searches at once."""

SHOWN = 10
HERE = "SQLite here"

ASKED = (
    "p50 ms", "p95 ms", "typing p50", "p95", "processors' ms a question, here + cluster",
    f"questions a second of {READERS} readers", "requests", "KB p95",
)  # fmt: skip
"""Columns of what questions came to."""


@dataclass(frozen=True, slots=True)
class Built:
    """What indexing took: `processors` are their seconds here and on the cluster."""

    passages: int
    seconds: float
    processors: tuple[float, float]


@dataclass
class Asked:
    """What the questions of one database came to."""

    rankings: list[list[str]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    typed: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)
    processors: tuple[float, float] = (0.0, 0.0)
    """Seconds of them that the questions took here and on the cluster."""
    a_second: float = 0.0
    """Questions of `READERS` readers that were answered in a second."""

    def row(self) -> list[str]:
        """Write it in the columns of `ASKED`."""
        asked = (self.milliseconds, self.typed)
        times = [f"{percentile(some, p):,.0f}" for some in asked for p in (0.5, 0.95)]
        return [
            *times, both(self.processors, 1_000 / len(self.milliseconds)), f"{self.a_second:.1f}",
            f"{fmean(self.requests):.1f}", f"{percentile(self.kilobytes, 0.95):.0f}",
        ]  # fmt: skip


def both(pair: tuple[float, float], scale: float = 1.0, digits: int = 0) -> str:
    """Write what something is here, and what it is on the cluster."""
    here, there = (f"{scale * one:,.{digits}f}" for one in pair)
    return f"{here} + {there}"


@dataclass
class Moved:
    """Requests to the cluster, and the bytes of their bodies and answers as they were sent."""

    requests: int = 0
    bytes: int = 0


@contextmanager
def counted() -> Iterator[Moved]:
    """Count what moves between this process and the cluster; heads of requests are left out."""
    import urllib3  # noqa: PLC0415

    pool: Any = urllib3.HTTPConnectionPool
    moved, real = Moved(), pool.urlopen

    def counting(
        self: Any, method: str, url: str, body: Any = None, *more: Any, **given: Any
    ) -> Any:
        answer = real(self, method, url, body, *more, **given)
        moved.requests += 1
        moved.bytes += len(body or b"") + answer.tell()
        return answer

    pool.urlopen = counting
    try:
        yield moved
    finally:
        pool.urlopen = real


def processors(nodes: Sequence[Node]) -> tuple[float, float]:
    """Give the seconds of processors that this process, with its workers, and nodes have taken."""
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = 0
    for node in nodes:
        fields = Path(f"/proc/{node.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        taken += int(fields[11]) + int(fields[12])
    here = time.process_time() + workers.ru_utime + workers.ru_stime
    return here, taken / os.sysconf("SC_CLK_TCK")


def taken_since(before: tuple[float, float], nodes: Sequence[Node]) -> tuple[float, float]:
    """Give what was taken of them since."""
    now = processors(nodes)
    return now[0] - before[0], now[1] - before[1]


def megabytes_of(*processes: int) -> float:
    """Give the memory that processes have now."""
    lines = [Path(f"/proc/{one}/status").read_text("utf-8").splitlines() for one in processes]
    sizes = [line.split()[1] for some in lines for line in some if line.startswith("VmRSS")]
    return sum(map(int, sizes)) / 1024


def link_to_cluster(
    library: Library, home: Path, name: str, nodes: Sequence[Node], shards: int
) -> None:
    """Let a database of a library be kept on the cluster, with a copy where there are nodes."""
    urls = json.dumps([node.url for node in nodes])
    (home / "config.toml").write_text(
        f'[stores.cluster]\nurls = {urls}\nprefix = "b{time.time_ns()}"\nshards = {shards}\n'
        f"replicas = {int(len(nodes) > 1)}\n",
        "utf-8",
    )
    library.keep_elsewhere(name, link_of(home, "cluster", name, is_owner=True))


def ask(database: Database, questions: Sequence[str], nodes: Sequence[Node]) -> Asked:
    """Ask all questions one by one, then while they are typed, then by many readers."""
    asked = Asked()
    search_databases([database], questions[0], SHOWN)  # connections, and what is read once
    before = processors(nodes)
    for text in questions:
        with counted() as moved:
            begun = time.perf_counter()
            hits = search_databases([database], text, SHOWN).hits
            asked.milliseconds.append(1_000 * (time.perf_counter() - begun))
        asked.rankings.append([hit.key for hit in hits])
        asked.requests.append(moved.requests)
        asked.kilobytes.append(moved.bytes / 1_000)
    asked.processors = taken_since(before, nodes)
    for text in questions:
        begun = time.perf_counter()
        search_databases([database], text[: 2 * len(text) // 3], SHOWN, profile="typing")
        asked.typed.append(1_000 * (time.perf_counter() - begun))
    begun = time.perf_counter()
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(lambda text: search_databases([database], text, SHOWN), questions))
    asked.a_second = len(questions) / (time.perf_counter() - begun)
    return asked
