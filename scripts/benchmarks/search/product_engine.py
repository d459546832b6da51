"""Our search as one of the engines that engines.py drives."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from rag_assistant.library.database import Database
from rag_assistant.library.searching import search_databases
from rag_assistant.library.sync import COMMIT_SECONDS
from rag_assistant.store.opening import store_at
from rag_assistant.store.writing import StoreWriter
from rag_assistant.values.ledger import FileChange, FileRecord, PassageRow, ReadEntry
from scripts.benchmarks.search.engine_protocol import TOP, Rows
from scripts.benchmarks.shared.synthetic_text import Language

RECORDS = 200
"""Records of a file; the product may commit after each file."""

CHANGED, PASSAGES = 20, 10
"""Documents that are added, changed and deleted, and the passages of each."""

ReadFile = tuple[FileRecord, list[ReadEntry]]


class Product:
    """Ours. The profile "fts5" is the plain query on the same file: words by OR, FTS5's order.

    "cut" is "typing" with half of the last word; "postings" counts those of the words.
    Every passage is an entry, a record of a file of RECORDS, or PASSAGES of them are a file.
    """

    def __init__(self, folder: Path, *, whole_files: bool = False) -> None:
        self._path = folder / "synthetic.db"
        self._databases = [Database("synthetic", self._path)]
        self._store, self._opened = store_at(self._path), ExitStack()
        self._whole_files = whole_files
        self._writer: StoreWriter | None = None

    def open(self) -> None:
        """Open the index that a build made."""
        self._plain = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)

    def prepare(self, rows: Rows) -> list[ReadFile]:
        """Make what the worker processes give: files with entries that are cut into passages."""
        if self._whole_files:
            return [self._document(rows[n : n + PASSAGES]) for n in range(0, len(rows), PASSAGES)]
        return [self._file(rows[n : n + RECORDS]) for n in range(0, len(rows), RECORDS)]

    def add(self, ready: Sequence[ReadFile]) -> None:
        """Write files; the first call finds an empty folder."""
        if self._writer is None:
            self._writer = self._opened.enter_context(self._store.writing())
            self._committed = time.monotonic()
        for file, entries in ready:
            self._writer.write(FileChange("store", file, None, entries))
            pause = max(COMMIT_SECONDS, self._writer.commit_pause)
            if time.monotonic() - self._committed >= pause:
                self._writer.commit()
                self._committed = time.monotonic()

    def _file(self, rows: Rows) -> ReadFile:
        """Make a file of records."""
        entries = [self._one([row], str(row[0])) for row in rows]
        return self._line(f"records/{rows[0][0]}.jsonl", entries), entries

    def _document(self, rows: Rows) -> ReadFile:
        """Make a file that is one entry, in a folder with others."""
        number, title, _ = rows[0]
        entries = [self._one(rows, "")]
        return self._line(f"notes/{number // 1_000}/{number}/{title}.txt", entries), entries

    def _line(self, path: str, entries: Sequence[ReadEntry]) -> FileRecord:
        size = sum(entry.length for entry in entries)
        return FileRecord(path, size, 0, 0, entries[0].text_hash, "", "indexed")

    def _one(self, rows: Rows, key: str) -> ReadEntry:
        """Make an entry of some passages; its mark is as long as the hash of a text is."""
        ends = list(accumulate(len(text) for *_, text in rows))
        passages: list[PassageRow] = [
            (end - len(text), end, None, 1, None, text, ())
            for end, (*_, text) in zip(ends, rows, strict=True)
        ]
        number, title, text = rows[0]
        mark = f"{number:024x}{len(text):08x}"
        return ReadEntry(title, key, "text/plain", {}, None, ends[-1], mark, passages)

    def changes(self, documents: Sequence[Rows]) -> dict[str, list[tuple[float, float]]]:
        """Add documents, change the first passage of each, and delete them, each in a run.

        Gives the [wall, CPU] milliseconds of each run: opening, writing, what ends a run, closing.
        """
        times: dict[str, list[tuple[float, float]]] = {}
        for rows in documents:
            number, title, text = rows[0]
            added = self._document(rows)
            changed = self._document([(number, title, f"{text} Changed since."), *rows[1:]])
            (file, entries), (again, changed_entries) = added, changed
            runs = {
                "adding": FileChange("store", file, None, entries),
                "changing": FileChange("store", again, None, changed_entries),
                "deleting": FileChange("delete", file),
            }
            for name, change in runs.items():
                cpu, wall = time.process_time(), time.perf_counter()
                with self._store.writing() as writer:
                    writer.write(replace(change, known=writer.ledger.file(file.path)))
                    writer.finish()
                took = time.perf_counter() - wall, time.process_time() - cpu
                times.setdefault(name, []).append((took[0] * 1000, took[1] * 1000))
        return times

    def finish(self) -> None:
        """Make what was added durable, with what ends a run."""
        assert self._writer is not None
        self._writer.set_facts({"folder": "/synthetic"})
        self._writer.finish()
        self._opened.close()
        self._writer = None

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
        """Count the hits of a query, TOP at most; `words` is the question without stop words."""
        if profile == "fts5":
            match = " OR ".join(f'"{word}"' for word in words)
            query = (
                "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rank LIMIT ?"
            )
            return len(self._plain.execute(query, (match, TOP)).fetchall())
        if profile == "postings":
            query = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
            counts = (self._plain.execute(query, (f'"{word}"',)).fetchone() for word in words)
            return sum(count for (count,) in counts)
        if profile == "cut":
            last = question.rsplit(maxsplit=1)[-1]
            question = question[: len(question) - len(last) // 2]
        if profile in ("typing", "cut"):
            return len(search_databases(self._databases, question, TOP, profile="typing").hits)
        return len(search_databases(self._databases, question, TOP).hits)


def changes_of(
    folder: Path, language: Language, first: int
) -> dict[str, list[tuple[float, float]]]:
    """Add documents of passages from number `first` to an index, change and delete them."""
    numbers = range(first, first + CHANGED * PASSAGES)
    rows = [(one.number, one.title, one.text) for one in map(language.passage, numbers)]
    documents = [rows[n : n + PASSAGES] for n in range(0, len(rows), PASSAGES)]
    return Product(folder).changes(documents)
