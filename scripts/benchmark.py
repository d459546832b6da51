"""Measure indexing, re-indexing and cold starts against bare SQLite and a bare interpreter.

Every figure is a ratio or a comparison within one run, because machines differ and are noisy:

    .venv/bin/python scripts/benchmark.py
"""

import argparse
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from figures import Figure, Report, show
from first_paint import measure_first_paint

from rag_assistant.library.library import Library
from rag_assistant.terms import TOKENIZER

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [ROOT / "corpora" / name for name in ("handbook", "manual", "council")]
ROUNDS, SMALL_FILES = 7, 10_000
Rows = list[tuple[str, str | None, str]]


def timed(work: Callable[[], object]) -> float:
    """Give the seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def spread(seconds: list[float]) -> str:
    """Write the median with the least and the most, in milliseconds."""
    low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
    return f"{middle * 1000:.1f} ms ({low * 1000:.1f} to {high * 1000:.1f})"


def passages_of(library: Library, name: str) -> Rows:
    """Read back the passages of a database."""
    connection = sqlite3.connect(library.database(name).path)
    rows: Rows = connection.execute("SELECT title, heading, text FROM passages").fetchall()
    connection.close()
    return rows


def insert_bare(path: Path, rows: Rows) -> None:
    """Insert passages into the same FTS5 table, and do nothing else."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    columns = f"title, heading, text, tokenize='{TOKENIZER}'"
    connection.execute(f"CREATE VIRTUAL TABLE passages_fts USING fts5({columns})")
    connection.executemany("INSERT INTO passages_fts VALUES (?, ?, ?)", rows)
    connection.commit()
    connection.close()


def index_all(library: Library, folders: list[Path]) -> None:
    """Index some folders."""
    for folder in folders:
        library.index(folder)


def compare_indexing(
    scratch: Path, what: str, folders: list[Path], rounds: int
) -> tuple[Library, Report]:
    """Index folders anew and insert their passages bare, a database for each, in turn."""
    library = Library(scratch / f"{what}-0")
    tables = [passages_of(library, library.index(folder).database) for folder in folders]
    ours: list[float] = []
    bare: list[float] = []
    for number in range(1, rounds + 1):
        fresh = Library(scratch / f"{what}-{number}")
        ours.append(timed(partial(index_all, fresh, folders)))
        started = time.perf_counter()
        for table, rows in enumerate(tables):
            insert_bare(scratch / f"{what}-{number}-{table}.db", rows)
        bare.append(time.perf_counter() - started)
    rows = [row for table in tables for row in table]
    size = f"{len(rows)} passages, {sum(len(row[2]) for row in rows) / 1e6:.2f} MB of text"
    detail = f"{size}; {spread(ours)}, bare {spread(bare)}"
    ratio = statistics.median(b / o for o, b in zip(ours, bare, strict=True))
    name = f"indexing {what}: speed, of bare inserts into FTS5"
    return library, Report([Figure(name, ratio, goal=">= 0.5", detail=detail)])


def measure_rerun(scratch: Path, count: int) -> Report:
    """Index many small files, then index them again unchanged."""
    folder = scratch / "small"
    folder.mkdir()
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=n % 7 + 3)) for n in range(20_000)]
    for number in range(count):
        title, body = (" ".join(chance.choices(words, k=k)) for k in (4, 120))
        text = f"# {title}\n\n{body}.\n"
        (folder / f"note-{number:05}.md").write_text(text, encoding="utf-8")
    time.sleep(0.1)  # files written this moment are read twice, to be on the safe side
    library, report = compare_indexing(scratch, f"{count:,} small files", [folder], 2)
    again = [timed(lambda: library.index(folder)) for _ in range(ROUNDS)]
    name = f"indexing {count:,} small files again, unchanged"
    unchanged = Figure(name, statistics.median(again) * 1000, "ms", "< 2000", spread(again))
    return report.with_more(Report([unchanged]))


def measure_cold(scratch: Path, library: Library, rounds: int) -> Report:
    """Start the program anew for each search and question."""
    home = ["--home", str(library.home)]
    python = sys.executable
    commands = {
        "bare": [python, "-c", "import sqlite3"],
        "search": [python, "-m", "rag_assistant", *home, "search", "dinner allowance abroad"],
        "ask": [python, "-m", "rag_assistant", *home, "ask", "How much may dinner cost abroad?"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            seconds = timed(
                partial(subprocess.run, command, cwd=ROOT, check=True, capture_output=True)
            )
            if number:  # the first round warms the disk's cache
                times[name].append(seconds)
    middle = {name: statistics.median(found) * 1000 for name, found in times.items()}
    limits = {"search": f"< {3 * middle['bare'] + 150:.0f}", "ask": "< 1000"}
    bare = f"python -c 'import sqlite3': {middle['bare']:.0f} ms"
    return Report(
        [
            Figure(
                f"cold start: {name}", middle[name], "ms", goal, f"{spread(times[name])}; {bare}"
            )
            for name, goal in limits.items()
        ]
    )


def main() -> None:
    """Measure everything, with a warm-up first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small-files", type=int, default=SMALL_FILES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        library, report = compare_indexing(scratch, "corpora", FOLDERS, options.rounds)
        report = report.with_more(measure_cold(scratch, library, options.rounds))
        paint = measure_first_paint(scratch, FOLDERS[0], library.home, options.rounds)
        report = report.with_more(paint)
        report = report.with_more(measure_rerun(scratch, options.small_files))
    show(report, options.json)


if __name__ == "__main__":
    main()
