"""Where things are: the checkout, the demo folders with their questions, the test collections.

Which questions served for tuning is said here alone: of the demo sets the odd lines, of COVID-QA
the first 700. Figures are of the others.
"""

import argparse
import gzip
import json
import shutil
from pathlib import Path
from typing import Any

from scripts.benchmarks.shared.figures import Report

ROOT = Path(__file__).resolve().parents[3]
CORPORA = ROOT / "corpora"
DEMO = ("handbook", "manual", "council")
DATA = ROOT.parent / "shared" / "data"
"""The folder of the test collections, unless --data names another."""

JUDGED = ("vaswani", "scifact")
"""Collections with judgements of documents, in the layout of BEIR."""

FOR_CHOOSING = 700
"""So many questions of COVID-QA are for choosing, the rest is for reporting."""


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines, compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def demo_lines(name: str) -> list[dict[str, Any]]:
    """Read the questions of a demo folder."""
    return read_lines(CORPORA / f"{name}.questions.jsonl")


def unpack(folder: Path, target: Path) -> Path:
    """Lay the corpus of a collection alone into a folder, so that only it is indexed."""
    target.mkdir()
    packed, plain = folder / "corpus.jsonl.gz", target / "corpus.jsonl"
    if packed.exists():
        with gzip.open(packed) as source, plain.open("wb") as out:
            shutil.copyfileobj(source, out)
    else:
        shutil.copy(folder / "corpus.jsonl", plain)
    return target


def absent(folder: Path) -> Report:
    """Say that a collection is not there."""
    return Report(skipped=[f"there is no collection in {folder}"])


def add_collections(parser: argparse.ArgumentParser) -> None:
    """Let the judged collections be named."""
    parser.add_argument("--collections", nargs="*", default=JUDGED, help="folders below --data")
