"""Searching by meaning on a cluster beside this machine: the same hits, and what they cost.

Each vector is made once, and written into both. The cluster is one that `scripts/opensearch start`
has started; without one, or without an embedder, the part is skipped.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from rag_assistant.config import EmbedderSettings
from rag_assistant.library.database import Database
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.models.local_embedder import LocalEmbedder
from scripts.benchmarks.search.ablation import judgements, means
from scripts.benchmarks.search.cluster_measures import HERE, counted, link_to_cluster
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.places import absent, unpack
from scripts.cluster.nodes import running

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHOWN, NEAREST = 10, 100
"""Entries of a search; and passages of which recall is counted."""


class Remembering(LocalEmbedder):
    """An embedder that makes each vector once: what a search costs is measured, not its model."""

    def __init__(self, settings: EmbedderSettings, home: Path) -> None:
        super().__init__(settings, home)
        self._known: dict[str, NDArray[np.float32]] = {}
        self._passages: dict[str, NDArray[np.float32]] = {}

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Give the vectors of passages."""
        import numpy as np  # noqa: PLC0415

        missing = [text for text in texts if text not in self._passages]
        if missing:
            made = super().embed_passages(missing)
            self._passages.update(zip(missing, made, strict=True))
        return np.stack([self._passages[text] for text in texts])

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Give the vector of a question."""
        if text not in self._known:
            self._known[text] = super().embed_query(text)
        return self._known[text]


@dataclass
class ByMeaning:
    """What the questions of one database came to, by words and meaning, and the nearest alone."""

    rankings: list[list[str]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    nearest: list[dict[tuple[int, int], float]] = field(default_factory=list)
    nearest_ms: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let another collection be named, fewer questions be asked, and shards be chosen."""
    parser.add_argument("--collection", default="vaswani", help="a folder below --data")
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--cluster", default="test", help="its name, of scripts/opensearch")
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 3])


def measured(options: argparse.Namespace) -> Report:
    """Measure a collection."""
    nodes, folder = running(options.cluster), options.data / options.collection
    if not nodes:
        return Report(skipped=["no cluster runs: scripts/opensearch start --nodes 3"])
    if not options.embedder:
        return Report(skipped=["no --embedder folder was given: no vectors"])
    if not folder.is_dir():
        return absent(folder)
    settings = EmbedderSettings("local", folder=str(options.embedder))
    embedder = Remembering(settings, options.scratch)
    judged = judgements(folder)[: options.questions]
    home, corpus = options.scratch / "home", options.scratch / folder.name
    unpack(folder, corpus)
    texts = [text for text, _ in judged]
    found: dict[str, ByMeaning] = {}
    written: dict[str, float] = {}
    vectors = 0
    for shards in (0, *options.shards):
        name = f"{shards} shard{'s' * (shards > 1)}" if shards else HERE
        library = Library(home / str(shards), embedder)
        library.home.mkdir(parents=True)
        if shards:
            link_to_cluster(library, library.home, "it", nodes, shards)
        library.index(corpus, name="it")
        begun = time.perf_counter()
        vectors = embed_database(library.database("it"), embedder).vectors
        if shards:
            written[name] = vectors / (time.perf_counter() - begun)
        found[name] = _asked(library.database("it"), embedder, texts)
        library.remove("it")
    head = f"{folder.name}, {vectors} vectors, {len(judged)} questions"
    return _report(head, found, written, [grades for _, grades in judged])


def _asked(database: Database, embedder: Remembering, texts: Sequence[str]) -> ByMeaning:
    asked = ByMeaning()
    for text in texts[:5]:  # connections, scripts, and what is read once
        search_databases([database], text, SHOWN)
    for text in texts:
        vector = embedder.embed_query(text)
        with counted() as moved:
            begun = time.perf_counter()
            result = search_databases([database], text, SHOWN)
            asked.milliseconds.append(1_000 * (time.perf_counter() - begun))
        assert result.by_meaning
        asked.rankings.append([hit.key for hit in result.hits])
        asked.requests.append(moved.requests)
        asked.kilobytes.append(moved.bytes / 1_000)
        with database.reading() as reader:
            reader.ledger.facts()
            begun = time.perf_counter()
            near = reader.vectors.nearest(vector, NEAREST)
            asked.nearest_ms.append(1_000 * (time.perf_counter() - begun))
            # Passages have other ids in a copy; an entry and a place in it are the same.
            entries, starts = reader.passages.entries_of(list(near)), reader.passages.starts(near)
        asked.nearest.append({(entries[one], starts[one]): near[one] for one in near})
    return asked


def _report(
    first: str,
    found: Mapping[str, ByMeaning],
    written: Mapping[str, float],
    grades: Sequence[Mapping[str, int]],
) -> Report:
    here, rows, figures = found[HERE], list[list[str]](), list[Figure]()
    for name, one in found.items():
        gain = means(list(zip(one.rankings, grades, strict=True)))["nDCG@10"]
        shared = [
            len(ours.keys() & theirs.keys()) / len(theirs)
            for ours, theirs in zip(one.nearest, here.nearest, strict=True)
        ]
        apart = max(
            abs(ours[place] - theirs[place])
            for ours, theirs in zip(one.nearest, here.nearest, strict=True)
            for place in ours.keys() & theirs.keys()
        )
        same = fmean(a == b for a, b in zip(one.rankings, here.rankings, strict=True))
        times = [percentile(some, p) for some in (one.milliseconds, one.nearest_ms)
                 for p in (0.5, 0.95)]  # fmt: skip
        rows.append([
            name, f"{gain:.4f}", f"{same:.3f}", f"{fmean(shared):.4f}", f"{apart:.6f}",
            *(f"{one:.0f}" for one in times), f"{fmean(one.requests):.1f}",
            f"{percentile(one.kilobytes, 0.95):.0f}",
            f"{written[name]:.0f}" if name in written else "",
        ])  # fmt: skip
        if name != HERE:
            what = f"by meaning, {name}"
            figures += [
                Figure(f"{what}: recall@{NEAREST} of SQLite's", fmean(shared), goal=">= 0.99"),
                Figure(f"{what}: KB moved by a search, p95",
                       percentile(one.kilobytes, 0.95), goal="<= 200"),
            ]  # fmt: skip
    head = [
        first, "nDCG@10", "the first ten are the same", f"recall@{NEAREST} of SQLite's nearest",
        "cosines apart at most", "p50 ms", "p95 ms", "the nearest alone, p50 ms", "p95 ms",
        "requests", "KB p95", "vectors written a second",
    ]  # fmt: skip
    return Report(figures, [table(head, rows)])
