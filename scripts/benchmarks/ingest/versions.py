"""What finding versions costs an indexing run: a folder with and without it, in turn.

A tenth of the files have a draft beside them. Without means that no sketch is made and nothing is
compared; the tables are there either way.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.synthetic_text import random_words
from scripts.benchmarks.shared.timing import processor_seconds_of


def write_folder(folder: Path, count: int, drafts: float) -> None:
    """Write small files of different words, a share of them with a draft of nearly the same."""
    chance = random.Random(1)
    words = random_words(chance, 20_000)
    for number in range(count):
        place = folder / f"{number // 1_000:03}"
        place.mkdir(parents=True, exist_ok=True)
        sentences = [" ".join(chance.choices(words, k=12)) for _ in range(10)]
        text = f"# {' '.join(chance.choices(words, k=4))}\n\n{'. '.join(sentences)}.\n"
        (place / f"note-{number:06}.md").write_text(text, encoding="utf-8")
        if number == 0 or chance.random() < drafts:
            draft = text + "This is not yet agreed by anybody.\n"
            (place / f"note-{number:06}-draft.md").write_text(draft, encoding="utf-8")


@contextmanager
def without_versions() -> Iterator[None]:
    """Let nothing be compared."""
    with (
        patch(
            "rag_assistant.store.sqlite.sketches.sketch_row",
            lambda entry_id, *_: (entry_id, "", b""),
        ),
        patch("rag_assistant.store.sqlite.families.group_versions", lambda _: []),
    ):
        yield


def report_of(scratch: Path, count: int, drafts: float, rounds: int) -> Report:
    """Index in both ways, and again with one file changed."""
    folder = scratch / "notes"
    write_folder(folder, count, drafts)
    time.sleep(0.1)  # files written this moment are read twice, to be on the safe side
    bare: list[float] = []
    ours: list[float] = []
    again: list[float] = []
    for number in range(rounds):
        with without_versions():
            without = Library(scratch / f"bare-{number}")
            bare.append(processor_seconds_of(partial(without.index, folder)))
        library = Library(scratch / f"home-{number}")
        ours.append(processor_seconds_of(partial(library.index, folder)))
        changed = next(folder.rglob("*-draft.md"))
        changed.write_text(f"{changed.read_text(encoding='utf-8')}Changed.\n", encoding="utf-8")
        again.append(processor_seconds_of(partial(library.index, folder)))
    spent = " and ".join(", ".join(f"{one:.2f}" for one in some) for some in (bare, ours))
    detail = f"{count:,} files, {drafts:.0%} with a draft; the least of {spent} s"
    what = "indexing without versions: processor time, of indexing with them"
    one = f"indexing {count:,} files again, one of them changed: processor time"
    return Report(
        [
            Figure(what, min(bare) / min(ours), detail=detail, goal=">= 0.85"),
            Figure(one, statistics.median(again) * 1000, "ms", detail="versions and all"),
        ]
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--drafts", type=float, default=0.1, help="share of files with a draft")
    parser.add_argument("--rounds", type=int, default=3)


def measured(options: argparse.Namespace) -> Report:
    """Measure once for each round."""
    return report_of(options.scratch, options.files, options.drafts, options.rounds)
