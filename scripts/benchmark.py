"""Measure indexing, re-indexing and cold starts against bare SQLite and a bare interpreter.

Every figure is a ratio or a comparison within one run, because machines differ and are noisy:

    .venv/bin/python scripts/benchmark.py
"""

import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.terms import TOKENIZER

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [ROOT / "corpora" / name for name in ("handbook", "manual", "council")]
ROUNDS = 7
Rows = list[tuple[str, str | None, str]]


def timed(work: Callable[[], object]) -> float:
    """Give the seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def spread(seconds: list[float]) -> str:
    """Write the median with the least and the most, in milliseconds."""
    low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
    return f"{middle * 1000:7.1f} ms ({low * 1000:.1f} to {high * 1000:.1f})"


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


def compare_indexing(scratch: Path, what: str, folders: list[Path], rounds: int) -> Library:
    """Index folders anew and insert their passages bare, a database for each, in turn."""
    library = Library(scratch / f"{what}-0")
    tables = [passages_of(library, library.index(folder).database) for folder in folders]
    ours: list[float] = []
    bare: list[float] = []
    for number in range(1, rounds + 1):
        fresh = Library(scratch / f"{what}-{number}")
        ours.append(timed(lambda fresh=fresh: [fresh.index(folder) for folder in folders]))
        started = time.perf_counter()
        for table, rows in enumerate(tables):
            insert_bare(scratch / f"{what}-{number}-{table}.db", rows)
        bare.append(time.perf_counter() - started)
    rows = [row for table in tables for row in table]
    print(f"{what}: {len(rows)} passages, {sum(len(row[2]) for row in rows) / 1e6:.2f} MB of text")
    print(f"  index          {spread(ours)}")
    print(f"  bare inserts   {spread(bare)}")
    ratios = [b / o for o, b in zip(ours, bare, strict=True)]
    print(f"  speed, of bare {statistics.median(ratios):.2f} (goal: at least 0.50)")
    return library


def measure_rerun(scratch: Path, count: int) -> None:
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
    library = compare_indexing(scratch, f"{count} small files", [folder], 2)
    again = [timed(lambda: library.index(folder)) for _ in range(ROUNDS)]
    print(f"  unchanged run  {spread(again)} (goal: under 2000 ms)")


def measure_cold(scratch: Path, library: Library) -> None:
    """Start the program anew for each search and question."""
    home = ["--home", str(library.home)]
    python = sys.executable
    commands = {
        "bare": [python, "-c", "import sqlite3"],
        "search": [python, "-m", "rag_assistant", *home, "search", "dinner allowance abroad"],
        "ask": [python, "-m", "rag_assistant", *home, "ask", "How much may dinner cost abroad?"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(ROUNDS + 1):
        for name, command in commands.items():
            seconds = timed(
                lambda c=command: subprocess.run(c, cwd=ROOT, check=True, capture_output=True)
            )
            if number:  # the first round warms the disk's cache
                times[name].append(seconds)
    bare = statistics.median(times["bare"])
    print("cold starts")
    print(f"  python -c 'import sqlite3'  {spread(times['bare'])}")
    print(f"  search  {spread(times['search'])} (goal: under {(3 * bare + 0.15) * 1000:.0f} ms)")
    print(f"  ask     {spread(times['ask'])} (goal: under 1000 ms)")


def main() -> None:
    """Measure everything, with a warm-up first."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        library = compare_indexing(scratch, "corpora", FOLDERS, ROUNDS)
        measure_cold(scratch, library)
        measure_rerun(scratch, 10_000)


if __name__ == "__main__":
    main()
