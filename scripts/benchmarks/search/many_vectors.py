"""The nearest of very many vectors: by comparing all, and by their signs first.

A million passages take a day to embed: the vectors are those of some Vaswani documents, and beside
them mixtures of two of these with a little noise. Its questions ask. The times are of the search in
memory, the processor's, of a median question.
"""

import argparse
import time
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from rag_assistant.config import EmbedderSettings
from rag_assistant.models.local_embedder import LocalEmbedder
from rag_assistant.store.sqlite.nearest import VectorMatrix
from rag_assistant.store.sqlite.vector_signs import signs_of
from rag_assistant.values.embeddings import VectorKind
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import absent, read_lines

WANTED = 200
"""Vectors that a search asks for; recall is of the first half of them."""

AT_ONCE = 20_000
MIXED = (0.15, 0.5)
"""Share of the second vector in a mixture, at random between these."""

NOISE = 0.012
GOAL_AT = 1_000_000
"""How many vectors the goal is for."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer be embedded, and other numbers be made of them."""
    parser.add_argument("--embedded", type=int, default=6_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 200_000, GOAL_AT])


def measured(options: argparse.Namespace) -> Report:
    """Make a row for each number of vectors."""
    if not options.embedder:
        return Report(skipped=["no --embedder folder was given: no vectors"])
    folder: Path = options.data / "vaswani"
    if not folder.is_dir():
        return absent(folder)
    embedder = LocalEmbedder(
        EmbedderSettings("local", folder=str(options.embedder)), options.scratch
    )
    documents = read_lines(folder / "corpus.jsonl.gz")[: options.embedded]
    real = embedder.embed_passages([one["text"] for one in documents])
    questions = [embedder.embed_query(one["text"]) for one in read_lines(folder / "queries.jsonl")]
    rows, scales = _mixtures(real, max(options.sizes))
    lines: list[list[str]] = []
    figures: list[Figure] = []
    for size in options.sizes:
        recall, exact_ms, signs_ms = _compared(rows[:size], scales[:size], questions)
        lines.append([f"{size:,}", f"{exact_ms:.1f}", f"{signs_ms:.1f}", f"{recall:.3f}"])
        if size == GOAL_AT:
            name = f"of {size:,} vectors, by their signs"
            figures += [
                Figure(f"{name}: recall@100", recall, goal=">= 0.97"),
                Figure(f"{name}: a question", signs_ms, "ms", goal="<= 15"),
            ]
    head = ("vectors", "all compared, ms", "by their signs, ms", "recall@100 of that")
    return Report(figures, [table(head, lines)])


def _mixtures(real: NDArray[np.float32], most: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Give signed bytes and scales of vectors in any order: the real ones and mixtures of two."""
    random = np.random.default_rng(1)
    rows = np.empty((most, real.shape[1]), np.int8)
    scales = np.empty(most, np.float32)
    order = random.permutation(most)
    for start in range(0, most, AT_ONCE):
        places = order[start : start + AT_ONCE]
        first, second = random.integers(0, len(real), (2, len(places)))
        share = random.uniform(*MIXED, (len(places), 1)).astype(np.float32)
        noise = random.normal(0, NOISE, (len(places), real.shape[1])).astype(np.float32)
        mixed = (1 - share) * real[first] + share * real[second] + noise
        own = real[start : start + len(places)]
        mixed[: len(own)] = own
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        step = abs(mixed).max(axis=1) / 127
        rows[places], scales[places] = (mixed / step[:, None]).round(), step
    return rows, scales


def _compared(
    rows: NDArray[np.int8], scales: NDArray[np.float32], questions: list[NDArray[np.float32]]
) -> tuple[float, float, float]:
    """Give the recall of the signs, and the milliseconds of a question with all and with them."""
    kind, ids = VectorKind("m", rows.shape[1]), np.arange(len(rows))
    exact = VectorMatrix(kind, "", ids, rows, scales, signs_of(rows[:0]))
    quick = VectorMatrix(kind, "", ids, rows, scales, signs_of(rows))
    found = 0.0
    exact_ms: list[float] = []
    signs_ms: list[float] = []
    for question in questions:
        all_compared, ms = _timed(exact, question)
        exact_ms.append(ms)
        by_signs, ms = _timed(quick, question)
        signs_ms.append(ms)
        half = min(WANTED, len(rows)) // 2
        found += len(set(all_compared[:half]) & set(by_signs[:half])) / half
    return found / len(questions), median(exact_ms), median(signs_ms)


def _timed(vectors: VectorMatrix, question: NDArray[np.float32]) -> tuple[list[int], float]:
    started = time.process_time()
    found = list(vectors.nearest(question, WANTED))
    return found, (time.process_time() - started) * 1000
