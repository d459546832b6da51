"""A database on a cluster beside the same on this machine: ranking, time, processors, bytes.

The cluster is one that `scripts/opensearch start` has started; without one the part is skipped.
"""

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from rag_assistant.library.elsewhere import link_of
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.store.links import Link
from scripts.benchmarks.search.ablation import judgements, means
from scripts.benchmarks.shared.figures import Figure, Report, joined, percentile, table
from scripts.benchmarks.shared.places import absent, add_collections, unpack
from scripts.cluster.nodes import Node, running

READERS = 16
"""Searches at once."""

SHOWN = 10
HERE = "SQLite here"


@dataclass
class Asked:
    """What the questions of one database came to."""

    rankings: list[list[str]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    typed: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)
    seconds: float = 0.0
    passages: int = 0
    indexed_by: tuple[float, float] = (0.0, 0.0)
    """Seconds of processors that indexing took here and on the cluster."""
    asked_by: tuple[float, float] = (0.0, 0.0)
    """And that the questions took."""
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


def _processors(nodes: Sequence[Node]) -> tuple[float, float]:
    """Give the seconds of processors that this process, with its workers, and nodes have taken."""
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = 0
    for node in nodes:
        fields = Path(f"/proc/{node.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        taken += int(fields[11]) + int(fields[12])
    here = time.process_time() + workers.ru_utime + workers.ru_stime
    return here, taken / os.sysconf("SC_CLK_TCK")


def _taken(since: tuple[float, float], nodes: Sequence[Node]) -> tuple[float, float]:
    now = _processors(nodes)
    return now[0] - since[0], now[1] - since[1]


def report_of(
    folder: Path, scratch: Path, shards: Sequence[int], most: int, nodes: Sequence[Node]
) -> Report:
    """Ask the questions of a collection of a database here and of databases on the cluster."""
    if not (folder / "queries.jsonl").exists():
        return absent(folder)
    judged = judgements(folder)[:most]
    corpus = scratch / folder.name
    unpack(folder, corpus)
    found: dict[str, Asked] = {}
    for count in (0, *shards):
        name = f"{count} shards" if count else HERE
        found[name] = _asked(corpus, scratch / f"{folder.name}-{count}", count, judged, nodes)
    return _report(folder.name, found, judged)


def _asked(
    corpus: Path,
    home: Path,
    shards: int,
    judged: Sequence[tuple[str, Mapping[str, int]]],
    nodes: Sequence[Node],
) -> Asked:
    library, asked = Library(home), Asked()
    home.mkdir()
    if shards:
        library.keep_elsewhere("it", on_cluster(home, shards, nodes))
    begun, taken = time.perf_counter(), _processors(nodes)
    library.index(corpus, name="it")
    asked.seconds = time.perf_counter() - begun
    asked.indexed_by = _taken(taken, nodes)
    database = library.database("it")
    asked.passages = database.figures().passages
    search_databases([database], judged[0][0], SHOWN)  # connections, and what is read once
    taken = _processors(nodes)
    for text, _ in judged:
        with counted() as moved:
            begun = time.perf_counter()
            hits = search_databases([database], text, SHOWN).hits
            asked.milliseconds.append(1_000 * (time.perf_counter() - begun))
        asked.rankings.append([hit.key for hit in hits])
        asked.requests.append(moved.requests)
        asked.kilobytes.append(moved.bytes / 1_000)
    asked.asked_by = _taken(taken, nodes)
    for text, _ in judged:
        begun = time.perf_counter()
        search_databases([database], text[: 2 * len(text) // 3], SHOWN, profile="typing")
        asked.typed.append(1_000 * (time.perf_counter() - begun))
    asked.a_second = _by_many(lambda text: search_databases([database], text, SHOWN), judged)
    library.remove("it")
    return asked


def on_cluster(home: Path, shards: int, nodes: Sequence[Node]) -> Link:
    """Give a database on the cluster, of a name that no other one has, to the libraries of a home.

    With one replica where there are several nodes.
    """
    urls = json.dumps([node.url for node in nodes])
    (home / "config.toml").write_text(
        f'[stores.cluster]\nurls = {urls}\nprefix = "b{time.time_ns()}"\nshards = {shards}\n'
        f"replicas = {int(len(nodes) > 1)}\n",
        "utf-8",
    )
    return link_of(home, "cluster", "it", is_owner=True)


def _by_many(
    ask: Callable[[str], object], judged: Sequence[tuple[str, Mapping[str, int]]]
) -> float:
    """Let `READERS` ask all questions together; give how many were answered in a second."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(ask, [text for text, _ in judged]))
    return len(judged) / (time.perf_counter() - begun)


def _report(
    collection: str,
    found: Mapping[str, Asked],
    judged: Sequence[tuple[str, Mapping[str, int]]],
) -> Report:
    grades = [grades for _, grades in judged]
    gains = {
        name: means(list(zip(one.rankings, grades, strict=True)))["nDCG@10"]
        for name, one in found.items()
    }
    rows: list[list[str]] = []
    figures: list[Figure] = []
    for name, one in found.items():
        times = [percentile(some, p) for some in (one.milliseconds, one.typed) for p in (0.5, 0.95)]
        here, there = (1_000 * part / len(judged) for part in one.asked_by)
        rows.append([
            name, f"{gains[name]:.4f}", f"{one.passages / one.seconds:.0f}",
            f"{one.indexed_by[0]:.1f} + {one.indexed_by[1]:.1f}", *(f"{one:.0f}" for one in times),
            f"{here:.0f} + {there:.0f}", f"{one.a_second:.1f}",
            f"{fmean(one.requests):.1f}", f"{percentile(one.kilobytes, 0.95):.0f}",
        ])  # fmt: skip
        if name == HERE:
            continue
        what = f"{collection}, {name}"
        apart = abs(gains[name] - gains[HERE])
        figures += [
            Figure(f"{what}: nDCG@10, apart from SQLite's", round(apart, 4), goal="<= 0.003"),
            Figure(
                f"{what}: KB moved by a search, p95",
                percentile(one.kilobytes, 0.95),
                goal="<= 200",
            ),
        ]
    first = next(iter(found.values()))
    head = [
        f"{collection}, {first.passages} passages, {len(judged)} questions", "nDCG@10",
        "passages a second", "processors' s to index, here + cluster", "p50 ms", "p95 ms",
        "typing p50", "p95", "processors' ms a question, here + cluster",
        f"questions a second of {READERS} readers", "requests", "KB p95",
    ]  # fmt: skip
    return Report(figures, [table(head, rows)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let collections be named, fewer questions be asked, and shards be chosen."""
    add_collections(parser)
    parser.add_argument("--questions", type=int, default=1_000, help="of each, at most")
    parser.add_argument("--cluster", default="test", help="its name, of scripts/opensearch")
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 3, 6])


def measured(options: argparse.Namespace) -> Report:
    """Measure every collection."""
    nodes = running(options.cluster)
    if not nodes:
        return Report([], skipped=["no cluster runs: scripts/opensearch start --nodes 3"])
    return joined(
        report_of(options.data / name, options.scratch, options.shards, options.questions, nodes)
        for name in options.collections
    )
