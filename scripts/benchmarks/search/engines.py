"""One search engine in a process of its own, driven by engine_processes.py.

    python -m scripts.benchmarks.search.engines build ENGINE PASSAGES COUNT FOLDER
    python -m scripts.benchmarks.search.engines serve ENGINE FOLDER

`build` indexes the first COUNT lines of PASSAGES and prints what it took as one JSON object: only
the engine's own work is timed, on all its threads, not the reading of the file. `serve` answers
each line of JSON that comes in ({"profile", "queries": [[question, words]...]}) by a line of
[wall, CPU] milliseconds and hits for each query. Tantivy and bm25s need no rag_assistant.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Protocol

BATCH = 2_000
"""Passages that are read at once, and then given to the engine."""

RECORDS = 200
"""Records of a file; the product may commit after each file."""

TOP = 10

Rows = Sequence[tuple[int, str, str]]
"""Number, title and text of passages."""


class Engine(Protocol):
    """An index in a folder."""

    def open(self) -> None:
        """Open the index that a build made."""

    def prepare(self, rows: Rows) -> Any:
        """Put passages into the shape in which they are read, which is not timed."""

    def add(self, ready: Any) -> None:
        """Index some passages that were prepared; the first call finds an empty folder."""

    def finish(self) -> None:
        """Make what was added durable and let all merging end."""

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
        """Count the hits of a query, TOP at most; `words` is the question without stop words."""


class Product:
    """Ours. The profile "fts5" is the plain query on the same file: words by OR, FTS5's order.

    "cut" is "typing" with half of the last word; "postings" counts those of the words.
    Every passage is an entry, a record of a file of RECORDS, or `per_entry` of them are one.
    """

    def __init__(self, folder: Path, per_entry: int = 1) -> None:
        # Imported here, as below: the peers' Python has no rag_assistant, and ours no peers.
        from rag_assistant.library import database, searching, sync  # noqa: PLC0415
        from rag_assistant.store.opening import store_at  # noqa: PLC0415
        from rag_assistant.values.ledger import (  # noqa: PLC0415
            FileChange,
            FileRecord,
            ReadEntry,
        )

        self._path = folder / "synthetic.db"
        self._databases = [database.Database("synthetic", self._path)]
        self._search = searching.search_databases
        self._store, self._opened = store_at(self._path), ExitStack()
        self._entry, self._record, self._change = ReadEntry, FileRecord, FileChange
        self._commit_seconds = sync.COMMIT_SECONDS
        self._per_entry = per_entry
        self._writer: Any = None

    def open(self) -> None:
        import sqlite3  # noqa: PLC0415

        self._plain = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)

    def prepare(self, rows: Rows) -> Any:
        # What the worker processes give: files with entries that are cut into passages.
        return [self._file(rows[n : n + RECORDS]) for n in range(0, len(rows), RECORDS)]

    def add(self, ready: Any) -> None:
        if self._writer is None:
            self._writer = self._opened.enter_context(self._store.writing())
            self._committed = time.monotonic()
        for file, entries in ready:
            self._writer.write(self._change("store", file, None, entries))
            if time.monotonic() - self._committed >= self._commit_seconds:
                self._writer.commit()
                self._committed = time.monotonic()

    def _file(self, rows: Rows) -> tuple[Any, list[Any]]:
        """Make a file of records."""
        mark = "{:032x}".format
        entries = [
            self._one(rows[first : first + self._per_entry], mark(rows[first][0]))
            for first in range(0, len(rows), self._per_entry)
        ]
        path, size = f"records/{rows[0][0]}.jsonl", sum(entry.length for entry in entries)
        record = self._record(path, size, 0, 0, entries[0].text_hash, "", "indexed")
        return record, entries

    def _one(self, rows: Rows, mark: str) -> Any:
        """Make an entry of some passages; `mark` is as long as the hash of a text is."""
        ends = list(accumulate(len(text) for *_, text in rows))
        passages = [
            (end - len(text), end, None, 1, None, text, ())
            for end, (*_, text) in zip(ends, rows, strict=True)
        ]
        number, title, _ = rows[0]
        return self._entry(title, str(number), "text/plain", {}, None, ends[-1], mark, passages)

    def finish(self) -> None:
        self._writer.set_facts({"folder": "/synthetic"})
        self._writer.finish()
        self._opened.close()

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
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
            return len(self._search(self._databases, question, TOP, profile="typing").hits)
        return len(self._search(self._databases, question, TOP).hits)


class Tantivy:
    """tantivy-py with its English stemmer, one thread that indexes, the text stored."""

    def __init__(self, folder: Path) -> None:
        # By name, since they are not installed where the types are checked.
        tantivy = import_module("tantivy")
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("number", stored=True)
        for field in ("title", "text"):
            schema.add_text_field(field, stored=True, tokenizer_name="en_stem")
        self._tantivy = tantivy
        self._index = tantivy.Index(schema.build(), path=str(folder))
        self._writer: Any = None

    def open(self) -> None:
        self._index.reload()
        self._searcher = self._index.searcher()

    def prepare(self, rows: Rows) -> Any:
        return rows

    def add(self, ready: Any) -> None:
        if self._writer is None:
            self._writer = self._index.writer(heap_size=256_000_000, num_threads=1)
        for number, title, text in ready:
            document = self._tantivy.Document(number=number, title=title, text=text)
            self._writer.add_document(document)

    def finish(self) -> None:
        self._writer.commit()
        self._writer.wait_merging_threads()

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
        query = self._index.parse_query(" ".join(words), ["title", "text"], {"title": 3.0})
        return len(self._searcher.search(query, TOP).hits)


class Bm25s:
    """bm25s with numpy and the Snowball stemmer, in memory; it keeps no texts."""

    def __init__(self, folder: Path) -> None:
        self._bm25s = import_module("bm25s")
        self._stemmer = import_module("Stemmer").Stemmer("english")
        self._folder = folder
        self._texts: list[str] = []

    def open(self) -> None:
        self._index = self._bm25s.BM25.load(str(self._folder))

    def prepare(self, rows: Rows) -> Any:
        return rows

    def add(self, ready: Any) -> None:
        self._texts += [f"{title} {text}" for _, title, text in ready]

    def finish(self) -> None:
        tokens = self._bm25s.tokenize(
            self._texts, stopwords="en", stemmer=self._stemmer, show_progress=False
        )
        index = self._bm25s.BM25()
        index.index(tokens, show_progress=False)
        index.save(str(self._folder), show_progress=False)

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
        tokens = self._bm25s.tokenize(
            question, stopwords="en", stemmer=self._stemmer, show_progress=False
        )
        _, scores = self._index.retrieve(tokens, k=TOP, show_progress=False, n_threads=0)
        return int((scores > 0).sum())


ENGINES: dict[str, Callable[[Path], Engine]] = {
    "product": Product,
    "product, 8 passages an entry": partial(Product, per_entry=8),
    "tantivy": Tantivy,
    "bm25s": Bm25s,
}


def read(path: Path, count: int) -> Iterator[Rows]:
    """Read passages in batches."""
    with path.open(encoding="utf-8") as lines:
        records = (json.loads(line) for line in islice(lines, count))
        while batch := [(int(r["_id"]), r["title"], r["text"]) for r in islice(records, BATCH)]:
            yield batch


def build(engine: Engine, batches: Iterable[Rows]) -> dict[str, float]:
    """Index all passages; give their number, the bytes of their text, and the seconds."""
    cpu = wall = 0.0
    documents = text_bytes = 0
    batches = iter(batches)
    while True:
        # The engine's threads may work on while we read: the reading thread's time is left out.
        total, reading = time.process_time(), time.thread_time()
        batch = next(batches, ())
        text_bytes += sum(len(title.encode()) + len(text.encode()) for _, title, text in batch)
        documents += len(batch)
        ready = engine.prepare(batch) if batch else None
        cpu += time.process_time() - total - (time.thread_time() - reading)
        total, started = time.process_time(), time.perf_counter()
        if batch:
            engine.add(ready)
        else:
            engine.finish()
        cpu += time.process_time() - total
        wall += time.perf_counter() - started
        if not batch:
            return {"documents": documents, "text_bytes": text_bytes, "cpu": cpu, "wall": wall}


def serve(engine: Engine) -> None:
    """Answer batches of queries until the input ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        answers: list[tuple[float, float, int]] = []
        for question, words in asked["queries"]:
            cpu, wall = time.process_time(), time.perf_counter()
            hits = engine.search(asked["profile"], question, words)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            answers.append((wall * 1000, cpu * 1000, hits))
        print(json.dumps(answers), flush=True)


def main() -> None:
    """Build or serve."""
    action, name, *rest = sys.argv[1:]
    folder = Path(rest[-1])
    engine: Engine = ENGINES[name](folder)
    if action == "build":
        facts = build(engine, read(Path(rest[0]), int(rest[1])))
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        print(json.dumps({**facts, "bytes": size}))
    else:
        engine.open()
        serve(engine)


if __name__ == "__main__":
    main()
