"""A database on three nodes that grows, beside the same on this machine, on synthetic passages.

Both take the passages that the parts search-10k to search-1m have; here up to --beside of them, as
those parts have the rest. At each size all questions are asked. The cluster is one that
`scripts/opensearch` has started under the name of --cluster, or else one of its own, which ends
with the part. A size that is not reached in --minutes is asked at what there is by then.
"""

import argparse
import json
import os
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from scripts.benchmarks.search.cluster_measures import (
    ASKED,
    HERE,
    Asked,
    Built,
    ask,
    both,
    link_to_cluster,
    megabytes_of,
    processors,
)
from scripts.benchmarks.search.product_engine import Product
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.synthetic_text import WORDS, Language
from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.nodes import Node, running, start, stop

FIRST_SIZE, GROWTH = 10_000, 10
SLICE = 2_000
"""Passages that are made together; to make them is not timed."""

NODES, SHARDS = 3, 3
ELSEWHERE = f"{NODES} nodes"


@contextmanager
def _nodes(name: str, heap: int) -> Iterator[list[Node]]:
    """Give the nodes that run under a name; else start some, and end them afterwards."""
    if nodes := running(name):
        yield nodes
        return
    try:
        yield start(NODES, name, heap)
    finally:
        stop(name)


@dataclass(frozen=True, slots=True)
class Step:
    """A size that a database has come to, and what that took."""

    built: Built
    asked: Asked
    passages: int
    megabytes: float
    """On disk, of one copy."""
    memory: tuple[float, float]
    """Megabytes of this process and of the nodes, after indexing."""
    load: float


class Grown:
    """A database that takes more and more passages."""

    def __init__(self, home: Path, language: Language, nodes: Sequence[Node]) -> None:
        self.passages = 0
        self._engine = Product(home)
        self._database = Database("synthetic", home / "synthetic.db")
        self._home, self._language, self._nodes = home, language, nodes

    def step(self, size: int, questions: Sequence[str], until: float) -> Step:
        """Add passages up to a size, or until a time, and ask the questions."""
        built = self._grow(size, until)
        memory = megabytes_of(os.getpid()), megabytes_of(*(node.pid for node in self._nodes))
        size_now = _on_the_cluster(self._nodes) if self._nodes else _in(self._home)
        asked = ask(self._database, questions, self._nodes)
        load = os.getloadavg()[0]
        return Step(built, asked, self.passages, size_now / 1e6, memory, load)

    def _grow(self, size: int, until: float) -> Built:
        before, here, seconds = self.passages, 0.0, 0.0
        there = processors(self._nodes)[1]
        is_done = False
        while not is_done:
            is_done = self.passages >= size or time.monotonic() > until
            numbers = range(self.passages, min(size, self.passages + SLICE))
            rows = [] if is_done else [self._language.passage(number) for number in numbers]
            ready = self._engine.prepare([(one.number, one.title, one.text) for one in rows])
            cpu, begun = time.process_time(), time.perf_counter()
            if is_done:
                self._engine.finish()
            else:
                self._engine.add(ready)
            here += time.process_time() - cpu
            seconds += time.perf_counter() - begun
            self.passages += len(rows)
        there = processors(self._nodes)[1] - there
        return Built(self.passages - before, seconds, (here, there))


def _in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _on_the_cluster(nodes: Sequence[Node]) -> int:
    """Give the bytes of one copy of what the cluster has."""
    address = f"{nodes[0].url}/_cat/indices?format=json&bytes=b&h=pri.store.size"
    with urllib.request.urlopen(address) as answer:
        return sum(int(one["pri.store.size"]) for one in json.load(answer))


def _sizes(most: int) -> list[int]:
    sizes = [FIRST_SIZE]
    while sizes[-1] * GROWTH < most:
        sizes.append(sizes[-1] * GROWTH)
    return [*(size for size in sizes if size < most), most]


def _grown(options: argparse.Namespace, nodes: Sequence[Node]) -> list[tuple[str, Step]]:
    """Let both databases grow; give what each came to at each size."""
    language = Language(1, options.words)
    elsewhere, here = options.scratch / "elsewhere", options.scratch / "here"
    for folder in (elsewhere, here):
        folder.mkdir()
    library = Library(elsewhere)
    link_to_cluster(library, elsewhere, "synthetic", nodes, SHARDS)
    steps: list[tuple[str, Step]] = []
    until = time.monotonic() + 60 * options.minutes
    try:
        there, own = Grown(elsewhere, language, nodes), Grown(here, language, ())
        for size in _sizes(options.passages):
            if time.monotonic() > until:
                break
            questions = list(language.questions(options.questions, size))
            steps.append((ELSEWHERE, there.step(size, questions, until)))
            print(f"{there.passages:,} passages: {steps[-1][1].built}", file=sys.stderr)
            if there.passages <= options.beside:
                steps.append((HERE, own.step(there.passages, questions, float("inf"))))
    finally:
        library.remove("synthetic")
    return steps


def _report(steps: Sequence[tuple[str, Step]], wanted: int) -> Report:
    indexing = [
        [
            f"{one.passages:,}", name, f"{one.built.passages / one.built.seconds:,.0f}",
            both(one.built.processors, 1_000 / one.built.passages, 2), f"{one.megabytes:,.0f}",
            both(one.memory), f"{one.load:.1f}",
        ]
        for name, one in steps
    ]  # fmt: skip
    asking = [[f"{one.passages:,}", name, *one.asked.row()] for name, one in steps]
    tables = [
        table(
            ["passages", "kept", "indexed a second", "processors' ms a passage, here + cluster",
             "MB, one copy", "MB of memory, here + cluster", "load"],
            indexing,
        ),
        table(["passages", "kept", *ASKED], asking),
    ]  # fmt: skip
    figures = [
        Figure(
            f"{one.passages:,} passages on a cluster: KB moved by a search, p95",
            percentile(one.asked.kilobytes, 0.95),
            goal="<= 200",
        )
        for name, one in steps
        if name == ELSEWHERE
    ]
    reached = max(one.passages for _, one in steps)
    is_short = reached < wanted
    skipped = [f"of {wanted:,} passages {reached:,} were indexed in the time"] if is_short else []
    return Report(figures, tables, skipped)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the size, the time and the cluster be chosen."""
    add = parser.add_argument
    add("--passages", type=int, default=1_000_000)
    add("--words", type=int, default=WORDS, help="of the synthetic language")
    add("--questions", type=int, default=60)
    add("--minutes", type=float, default=60, help="after which no passage is added to the cluster")
    add("--beside", type=int, default=100_000, help="most passages that are kept here as well")
    add("--cluster", default="growth", help="its name, of scripts/opensearch")
    add("--heap", type=int, default=768, metavar="MB", help="of each node, if none run yet")


def measured(options: argparse.Namespace) -> Report:
    """Let both grow, and ask."""
    try:
        with _nodes(options.cluster, options.heap) as nodes:
            return _report(_grown(options, nodes), options.passages)
    except CannotStartCluster as error:
        return Report(skipped=[f"no OpenSearch here: {error}"])
