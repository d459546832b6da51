"""Measure the ranking on judged collections, as a person would: `rag-assistant eval FOLDER`.

    .venv/bin/python scripts/quality.py ../shared/data/scifact ../shared/data/vaswani
    .venv/bin/python scripts/quality.py --model /tmp/minilm

A folder holds corpus.jsonl(.gz), queries.jsonl and qrels/*.tsv. With --model, the folder of a local
model (see export_minilm.py), the passages get vectors and the same questions are asked again.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from ablation import FOLDERS, unpack
from figures import Figure, Report, show
from program import evaluated, interval_of, program

GOALS = {
    ("scifact", "nDCG@10"): ">= 0.710",
    ("scifact", "R@100"): ">= 0.935",
    ("vaswani", "nDCG@10"): ">= 0.450",
}
GOALS_WITH_MODEL = {("scifact", "nDCG@10"): ">= 0.747", ("vaswani", "nDCG@10"): ">= 0.498"}
"""Goals for the product without a model, and with MiniLM-L6."""

SHOWN = ("nDCG@10", "R@10", "R@100", "MRR@10", "MAP", "found@10")
CONFIG = 'embedder = "local"\n[embedders.local]\nkind = "local"\nfolder = {folder}\n'


def laid_out(folder: Path, target: Path) -> Path:
    """Copy a collection with its corpus unpacked, so that it can be indexed."""
    unpack(folder, target)
    shutil.copy(folder / "queries.jsonl", target)
    shutil.copytree(folder / "qrels", target / "qrels")
    return target


def measured(collection: Path, home: Path, *, by_model: bool) -> Report:
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


def report_of(folder: Path, model: Path | None) -> Report:
    """Evaluate a collection, without vectors and with them."""
    if not (folder / "queries.jsonl").exists():
        return Report(skipped=[f"there is no collection in {folder}"])
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        collection = laid_out(folder, Path(scratch) / folder.name)
        report = measured(collection, home, by_model=False)
        if model:
            config = CONFIG.format(folder=json.dumps(str(model.absolute())))
            (home / "config.toml").write_text(config, encoding="utf-8")
            program(home, "embed", folder.name)
            report = report.with_more(measured(collection, home, by_model=True))
    return report


def main() -> None:
    """Measure every collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[Path(name) for name in FOLDERS])
    parser.add_argument("--model", type=Path, help="a folder with an ONNX model of MiniLM-L6")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = Report()
    if not options.model:
        report = Report(skipped=["no --model folder was given: no figures with vectors"])
    for folder in options.folders:
        report = report.with_more(report_of(folder, options.model))
    show(report, options.json)


if __name__ == "__main__":
    main()
