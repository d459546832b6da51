"""The ranking on judged collections, as a person would measure it: `rag-assistant eval FOLDER`.

A collection holds corpus.jsonl(.gz), queries.jsonl and qrels/*.tsv. With --embedder, the folder of
a local model (see scripts/export_minilm.py), the passages get vectors and the same questions are
asked again.
"""

import argparse
import shutil
from pathlib import Path

from scripts.benchmarks.shared.figures import Figure, Report, joined
from scripts.benchmarks.shared.places import absent, add_collections, unpack
from scripts.benchmarks.shared.program import evaluated, interval_of, program, use_embedder

GOALS = {
    ("scifact", "nDCG@10"): ">= 0.710",
    ("scifact", "R@100"): ">= 0.935",
    ("vaswani", "nDCG@10"): ">= 0.450",
}
GOALS_WITH_MODEL = {("scifact", "nDCG@10"): ">= 0.747", ("vaswani", "nDCG@10"): ">= 0.498"}
"""Goals for the product without a model, and with MiniLM-L6."""

SHOWN = ("nDCG@10", "R@10", "R@100", "MRR@10", "MAP", "found@10")


def laid_out(folder: Path, target: Path) -> Path:
    """Copy a collection with its corpus unpacked, so that it can be indexed."""
    unpack(folder, target)
    shutil.copy(folder / "queries.jsonl", target)
    shutil.copytree(folder / "qrels", target / "qrels")
    return target


def figures_of(collection: Path, home: Path, *, by_model: bool) -> Report:
    """Evaluate a collection; it is indexed where it is not yet."""
    name = collection.name
    found = evaluated(home, collection, "--mode", "search")
    goals = GOALS_WITH_MODEL if by_model else GOALS
    kind = "words and vectors" if by_model else "words alone"
    figures = [
        Figure(
            f"{name}, {kind}: {metric}",
            found["metrics"][metric],
            goal=goals.get((name, metric), ""),
            detail=f"{found['ranked']} questions, {interval_of(found, metric)}",
        )
        for metric in SHOWN
        if found["metrics"].get(metric) is not None
    ]
    missing = [metric for metric in SHOWN if found["metrics"].get(metric) is None]
    told = [f"{name}: {', '.join(missing)} not measured: {found['notes']}"] if missing else []
    return Report(figures, skipped=told)


def report_of(folder: Path, scratch: Path, embedder: Path | None) -> Report:
    """Evaluate a collection, without vectors and with them."""
    if not (folder / "queries.jsonl").exists():
        return absent(folder)
    home = scratch / f"{folder.name}-home"
    collection = laid_out(folder, scratch / folder.name)
    report = figures_of(collection, home, by_model=False)
    if embedder:
        use_embedder(home, embedder)
        program(home, "embed", folder.name)
        report = report.with_more(figures_of(collection, home, by_model=True))
    return report


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the collections be named."""
    add_collections(parser)


def measured(options: argparse.Namespace) -> Report:
    """Measure every collection."""
    reports = (
        report_of(options.data / name, options.scratch, options.embedder)
        for name in options.collections
    )
    hint = [] if options.embedder else ["no --embedder folder was given: no figures with vectors"]
    return joined([Report(skipped=hint), *reports])
