"""Measure the ranking on judged collections, as a user would: `rag-assistant index` and `eval`.

    .venv/bin/python scripts/quality.py ../shared/data/scifact ../shared/data/vaswani
    .venv/bin/python scripts/quality.py --model /tmp/minilm

A folder holds corpus.jsonl(.gz), queries.jsonl and qrels/*.tsv. With --model, the folder of a local
model (see export_minilm.py), the passages get vectors and the same questions are asked again.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from ablation import FOLDERS, unpack
from figures import Figure, Report, show

GOALS = {
    ("scifact", "nDCG@10"): ">= 0.710",
    ("scifact", "R@100"): ">= 0.935",
    ("vaswani", "nDCG@10"): ">= 0.450",
}
GOALS_WITH_MODEL = {("scifact", "nDCG@10"): ">= 0.747", ("vaswani", "nDCG@10"): ">= 0.498"}
"""Goals for the product without a model, and with MiniLM-L6."""

SHOWN = ("nDCG@10", "R@10", "R@100", "MRR@10")
CONFIG = 'embedder = "local"\n[embedders.local]\nkind = "local"\nfolder = {folder}\n'


def program(home: Path, *arguments: str) -> str:
    """Run rag-assistant and give what it prints."""
    command = [sys.executable, "-m", "rag_assistant", "--home", str(home), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def measured(folder: Path, home: Path, *, by_model: bool) -> list[Figure]:
    """Evaluate a collection that is indexed."""
    database = folder.name
    found = json.loads(program(home, "eval", str(folder), "-d", database, "--json"))
    goals = GOALS_WITH_MODEL if by_model else GOALS
    kind = "words and vectors" if by_model else "words alone"
    return [
        Figure(
            f"{database}, {kind}: {name}",
            round(found["metrics"][name], 4),
            goal=goals.get((database, name), ""),
            detail=f"{found['questions']} questions",
        )
        for name in SHOWN
        if name in found["metrics"]
    ]


def report_of(folder: Path, model: Path | None) -> Report:
    """Index a collection and evaluate it, without vectors and with them."""
    if not (folder / "queries.jsonl").exists():
        return Report(skipped=[f"there is no collection in {folder}"])
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        corpus = unpack(folder, Path(scratch) / folder.name)
        program(home, "index", str(corpus), "--name", folder.name)
        figures = measured(folder.absolute(), home, by_model=False)
        if model:
            config = CONFIG.format(folder=json.dumps(str(model.absolute())))
            (home / "config.toml").write_text(config, encoding="utf-8")
            program(home, "embed", folder.name)
            figures += measured(folder.absolute(), home, by_model=True)
    return Report(figures)


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
