"""A database on a cluster beside the same on this machine: ranking, time, processors, bytes.

The cluster is one that `scripts/opensearch start` has started; without one the part is skipped.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.library.library import Library
from scripts.benchmarks.search.ablation import judgements, means
from scripts.benchmarks.search.cluster_measures import (
    ASKED,
    HERE,
    Asked,
    Built,
    ask,
    both,
    link_to_cluster,
    processors,
    taken_since,
)
from scripts.benchmarks.shared.figures import Figure, Report, joined, percentile, table
from scripts.benchmarks.shared.places import absent, add_collections, unpack
from scripts.cluster.nodes import Node, running


@dataclass(frozen=True, slots=True)
class Kept:
    """A collection in one database: what it took to index, and what its questions came to."""

    built: Built
    asked: Asked


def report_of(
    folder: Path, scratch: Path, shards: Sequence[int], most: int, nodes: Sequence[Node]
) -> Report:
    """Ask the questions of a collection of a database here and of databases on the cluster."""
    if not (folder / "queries.jsonl").exists():
        return absent(folder)
    judged = judgements(folder)[:most]
    corpus = scratch / folder.name
    unpack(folder, corpus)
    found: dict[str, Kept] = {}
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
) -> Kept:
    library = Library(home)
    home.mkdir()
    if shards:
        link_to_cluster(library, home, "it", nodes, shards)
    begun, before = time.perf_counter(), processors(nodes)
    library.index(corpus, name="it")
    seconds, by = time.perf_counter() - begun, taken_since(before, nodes)
    database = library.database("it")
    built = Built(database.figures().passages, seconds, by)
    asked = ask(database, [text for text, _ in judged], nodes)
    library.remove("it")
    return Kept(built, asked)


def _report(
    collection: str,
    found: Mapping[str, Kept],
    judged: Sequence[tuple[str, Mapping[str, int]]],
) -> Report:
    grades = [grades for _, grades in judged]
    gains = {
        name: means(list(zip(one.asked.rankings, grades, strict=True)))["nDCG@10"]
        for name, one in found.items()
    }
    rows: list[list[str]] = []
    figures: list[Figure] = []
    for name, one in found.items():
        built = one.built
        rows.append([
            name, f"{gains[name]:.4f}", f"{built.passages / built.seconds:.0f}",
            both(built.processors, digits=1), *one.asked.row(),
        ])  # fmt: skip
        if name == HERE:
            continue
        what = f"{collection}, {name}"
        apart = abs(gains[name] - gains[HERE])
        figures += [
            Figure(f"{what}: nDCG@10, apart from SQLite's", round(apart, 4), goal="<= 0.003"),
            Figure(
                f"{what}: KB moved by a search, p95",
                percentile(one.asked.kilobytes, 0.95),
                goal="<= 200",
            ),
        ]
    first = next(iter(found.values()))
    head = [
        f"{collection}, {first.built.passages} passages, {len(judged)} questions", "nDCG@10",
        "passages a second", "processors' s to index, here + cluster", *ASKED,
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
