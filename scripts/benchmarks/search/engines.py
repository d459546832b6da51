"""One search engine in a process of its own, driven by engine_processes.py.

    python -m scripts.benchmarks.search.engines build ENGINE PASSAGES COUNT FOLDER
    python -m scripts.benchmarks.search.engines serve ENGINE FOLDER
    python -m scripts.benchmarks.search.engines change ENGINE SEED WORDS COUNT FOLDER

`build` indexes the first COUNT lines of PASSAGES and prints what it took as one JSON object: only
the engine's own work is timed, on all its threads, not the reading of the file. `serve` answers
each line of JSON that comes in ({"profile", "queries": [[question, words]...]}) by a line of
[wall, CPU] milliseconds and hits for each query, for the profile "memory" by the most megabytes
that this process had. `change` adds documents of new words to the product's index, each in a run of
its own, changes and deletes them, and prints the [wall, CPU] milliseconds of each; they are the
passages from number COUNT on of the language of that seed and so many words. Tantivy and bm25s need
no rag_assistant.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from scripts.benchmarks.search.engine_protocol import TOP, Engine, Rows
from scripts.benchmarks.shared.synthetic_text import Language

BATCH = 2_000
"""Passages that are read at once, and then given to the engine."""


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
    """bm25s with the Snowball stemmer, in memory; it keeps no texts. Asked by numpy or by numba."""

    def __init__(self, folder: Path, backend: str = "numpy") -> None:
        self._backend = backend
        self._bm25s = import_module("bm25s")
        self._stemmer = import_module("Stemmer").Stemmer("english")
        self._folder = folder
        self._texts: list[str] = []

    def open(self) -> None:
        # Installed beside it, numba would be taken for both.
        chosen = {"backend": self._backend}
        self._index = self._bm25s.BM25.load(str(self._folder), override_params=chosen)

    def prepare(self, rows: Rows) -> Any:
        return rows

    def add(self, ready: Any) -> None:
        self._texts += [f"{title} {text}" for _, title, text in ready]

    def finish(self) -> None:
        tokens = self._bm25s.tokenize(
            self._texts, stopwords="en", stemmer=self._stemmer, show_progress=False
        )
        index = self._bm25s.BM25(backend=self._backend)
        index.index(tokens, show_progress=False)
        index.save(str(self._folder), show_progress=False)

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
        tokens = self._bm25s.tokenize(
            question, stopwords="en", stemmer=self._stemmer, show_progress=False
        )
        _, scores = self._index.retrieve(tokens, k=TOP, show_progress=False, n_threads=0)
        return int((scores > 0).sum())


def product(folder: Path, *, whole_files: bool = False) -> Engine:
    """Make ours."""
    # Imported here, as the others' are: the peers' Python has no rag_assistant, and ours no peers.
    from scripts.benchmarks.search.product_engine import Product  # noqa: PLC0415

    return Product(folder, whole_files=whole_files)


ENGINES: dict[str, Callable[[Path], Engine]] = {
    "product": product,
    "product, files of 10 passages": partial(product, whole_files=True),
    "tantivy": Tantivy,
    "bm25s": Bm25s,
    "bm25s, numba": partial(Bm25s, backend="numba"),
}


def most_memory() -> float:
    """Give the most megabytes of memory that this process had."""
    with suppress(OSError):  # that of resource counts the process before it became this program
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


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
        if asked["profile"] == "memory":
            print(most_memory(), flush=True)
            continue
        answers: list[tuple[float, float, int]] = []
        for question, words in asked["queries"]:
            cpu, wall = time.process_time(), time.perf_counter()
            hits = engine.search(asked["profile"], question, words)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            answers.append((wall * 1000, cpu * 1000, hits))
        print(json.dumps(answers), flush=True)


def main() -> None:
    """Build, serve or change."""
    action, name, *rest = sys.argv[1:]
    folder = Path(rest[-1])
    engine: Engine = ENGINES[name](folder)
    if action == "build":
        facts = build(engine, read(Path(rest[0]), int(rest[1])))
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        print(json.dumps({**facts, "bytes": size, "memory": most_memory()}))
    elif action == "change":
        from scripts.benchmarks.search.product_engine import changes_of  # noqa: PLC0415

        seed, words, first = map(int, rest[:3])
        print(json.dumps(changes_of(folder, Language(seed, words), first)))
    else:
        engine.open()
        serve(engine)


if __name__ == "__main__":
    main()
