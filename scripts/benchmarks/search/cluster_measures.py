"""What questions to a database cost: time, processors here and on a cluster, bytes."""

import os
import resource
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_assistant.library.database import Database
from rag_assistant.library.searching import search_databases
from scripts.cluster.nodes import Node

READERS = 16
"""Searches at once."""

SHOWN = 10
HERE = "SQLite here"


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
