"""A database on a cluster beside the same on this machine: ranking, time, bytes.

The cluster is that of `scripts/opensearch start`; without one the part is skipped.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from rag_assistant.library.elsewhere import link_of
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from scripts.benchmarks.search.ablation import judgements, means
from scripts.benchmarks.shared.figures import Figure, Report, joined, percentile, table
from scripts.benchmarks.shared.places import absent, add_collections, unpack
from scripts.cluster.nodes import running

SHOWN = 10
HERE = "SQLite here"


@dataclass
class Asked:
    """What the questions of one database came to."""

    rankings: list[list[str]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)
    seconds: float = 0.0
    passages: int = 0


@dataclass
class Moved:
    """Requests to the cluster, and the bytes of their bodies and answers as JSON."""

    requests: int = 0
    bytes: int = 0


@contextmanager
def counted() -> Iterator[Moved]:
    """Count what moves between this process and the cluster."""
    from opensearchpy import Transport  # noqa: PLC0415

    transport: Any = Transport
    moved, real = Moved(), transport.perform_request

    def counting(self: Any, method: str, url: str, **given: Any) -> Any:
        answer = real(self, method, url, **given)
        moved.requests += 1
        moved.bytes += len(json.dumps(given.get("body") or "")) + len(json.dumps(answer))
        return answer

    transport.perform_request = counting
    try:
        yield moved
    finally:
        transport.perform_request = real


def report_of(folder: Path, scratch: Path, shards: Sequence[int], most: int) -> Report:
    """Ask the questions of a collection of a database here and of databases on the cluster."""
    if not (folder / "queries.jsonl").exists():
        return absent(folder)
    judged = judgements(folder)[:most]
    corpus = scratch / folder.name
    unpack(folder, corpus)
    found: dict[str, Asked] = {}
    for count in (0, *shards):
        name = f"{count} shards" if count else HERE
        found[name] = _asked(corpus, scratch / f"{folder.name}-{count}", count, judged)
    return _report(folder.name, found, judged)


def _asked(
    corpus: Path, home: Path, shards: int, judged: Sequence[tuple[str, Mapping[str, int]]]
) -> Asked:
    library, asked = Library(home), Asked()
    home.mkdir()
    nodes = running()
    if shards:
        urls = json.dumps([node.url for node in nodes])
        replicas = int(len(nodes) > 1)
        (home / "config.toml").write_text(
            f'[stores.cluster]\nurls = {urls}\nprefix = "b{time.time_ns()}"\nshards = {shards}\n'
            f"replicas = {replicas}\n",
            "utf-8",
        )
        library.keep_elsewhere("it", link_of(home, "cluster", "it", is_owner=True))
    begun = time.perf_counter()
    library.index(corpus, name="it")
    asked.seconds = time.perf_counter() - begun
    database = library.database("it")
    asked.passages = database.figures().passages
    for text, _ in judged:
        with counted() as moved:
            begun = time.perf_counter()
            hits = search_databases([database], text, SHOWN).hits
            asked.milliseconds.append(1_000 * (time.perf_counter() - begun))
        asked.rankings.append([hit.key for hit in hits])
        asked.requests.append(moved.requests)
        asked.kilobytes.append(moved.bytes / 1_000)
    library.remove("it")
    return asked


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
        times = [percentile(one.milliseconds, share) for share in (0.5, 0.95)]
        speed = one.passages / one.seconds
        rows.append([
            name, f"{gains[name]:.4f}", f"{speed:.0f}", *(f"{one:.0f}" for one in times),
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
        "passages a second", "p50 ms", "p95 ms", "requests", "KB p95",
    ]  # fmt: skip
    return Report(figures, [table(head, rows)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let collections be named, fewer questions be asked, and shards be chosen."""
    add_collections(parser)
    parser.add_argument("--questions", type=int, default=1_000, help="of each, at most")
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 3, 6])


def measured(options: argparse.Namespace) -> Report:
    """Measure every collection."""
    if not running():
        return Report([], skipped=["no cluster runs: scripts/opensearch start --nodes 3"])
    return joined(
        report_of(options.data / name, options.scratch, options.shards, options.questions)
        for name in options.collections
    )
