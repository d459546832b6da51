"""Indexing, indexing again and cold starts against bare SQLite and a bare interpreter.

Every figure is a ratio or a comparison within one run, because machines differ and are noisy.
"""

import argparse
import random
import sqlite3
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.text.terms import TOKENIZER
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.places import CORPORA, DEMO, ROOT
from scripts.benchmarks.shared.program import PROGRAM
from scripts.benchmarks.shared.synthetic_text import random_words
from scripts.benchmarks.shared.timing import in_turn, seconds_of, spread

FOLDERS = [CORPORA / name for name in DEMO]
ROUNDS, SMALL_FILES = 7, 10_000
Rows = list[tuple[str, str | None, str]]


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


def insert_all(place: Path, tables: list[Rows]) -> None:
    """Insert the passages of some folders, a database for each."""
    for number, rows in enumerate(tables):
        insert_bare(place.with_name(f"{place.name}-{number}.db"), rows)


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
        ours.append(seconds_of(partial(index_all, fresh, folders)))
        bare.append(seconds_of(partial(insert_all, scratch / f"{what}-{number}", tables)))
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
    words = random_words(chance, 20_000)
    for number in range(count):
        title, body = (" ".join(chance.choices(words, k=k)) for k in (4, 120))
        text = f"# {title}\n\n{body}.\n"
        (folder / f"note-{number:05}.md").write_text(text, encoding="utf-8")
    time.sleep(0.1)  # files written this moment are read twice, to be on the safe side
    library, report = compare_indexing(scratch, f"{count:,} small files", [folder], 2)
    again = [seconds_of(lambda: library.index(folder)) for _ in range(ROUNDS)]
    name = f"indexing {count:,} small files again, unchanged"
    unchanged = Figure(name, statistics.median(again) * 1000, "ms", "< 2000", spread(again))
    return report.with_more(Report([unchanged]))


def measure_cold(scratch: Path, library: Library, rounds: int) -> Report:
    """Start the program anew for each search and question."""
    home = ["--home", str(library.home)]
    commands = {
        "bare": [sys.executable, "-c", "import sqlite3"],
        "search": [*PROGRAM, *home, "search", "dinner allowance abroad"],
        "ask": [*PROGRAM, *home, "ask", "How much may dinner cost abroad?"],
    }
    run = partial(subprocess.run, cwd=ROOT, check=True, capture_output=True)
    starts = {
        name: partial(seconds_of, partial(run, command)) for name, command in commands.items()
    }
    times = in_turn(rounds, lambda _: starts)
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


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--small-files", type=int, default=SMALL_FILES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)


def measured(options: argparse.Namespace) -> Report:
    """Measure everything, with a warm-up first."""
    scratch, rounds = options.scratch, options.rounds
    library, report = compare_indexing(scratch, "corpora", FOLDERS, rounds)
    report = report.with_more(measure_cold(scratch, library, rounds))
    return report.with_more(measure_rerun(scratch, options.small_files))
