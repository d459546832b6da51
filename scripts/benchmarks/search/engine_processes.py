"""The engines of engine_comparison.py as processes: built in turn, then asked in turn.

Every engine has a process of its own, so that its memory is free again when it ends, and its own
Python, so that the peers need not be installed where rag_assistant is.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmarks.shared.places import ROOT
from scripts.benchmarks.shared.synthetic_text import WORDS, Language

ENGINES = "scripts.benchmarks.search.engines"
ROUNDS, BATCH = 3, 10
"""Times that every question is asked, and questions asked of one engine before the next one."""

BUILDS, MOST_BUILT_OFTEN = 3, 100_000
"""Times that an index is built, up to so many passages; the one with the least CPU time counts."""

METHODS = {
    "product, typing": ("product", "typing"),
    "product, typing within the last word": ("product", "cut"),
    "product, question": ("product", "question"),
    "FTS5 on its file, words by OR": ("product", "fts5"),
    "tantivy": ("tantivy", ""),
    "bm25s": ("bm25s", ""),
    "bm25s, numba": ("bm25s, numba", ""),
}
PACKAGES = {
    "tantivy": "import tantivy",
    "bm25s": "import bm25s, Stemmer",
    "bm25s, numba": "import bm25s, Stemmer, numba",
}
SAME_INDEX = {"bm25s, numba": "bm25s"}
"""Engines that read what another has built."""
BM25S_BYTES = 4_500
"""Memory that bm25s takes for a passage while it indexes."""

Facts = dict[str, float]
"""What a build took: documents, text_bytes, bytes, memory in MB, and the seconds cpu and wall."""

Query = tuple[str, list[str]]
"""A question, and its words without stop words."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One run: how many passages and questions, where files go, and whose Python the peers have.

    `words` are those of the synthetic language. A work folder belongs to one seed.
    """

    passages: int
    questions: int
    work: Path
    peers_python: str
    seed: int
    words: int = WORDS

    def corpus(self) -> Path:
        """Give the file of the passages."""
        return self.work / f"passages-{self.passages}.jsonl"

    def folder(self, engine: str) -> Path:
        """Give the folder of an engine's index."""
        name = SAME_INDEX.get(engine, engine)
        return self.work / f"{name.replace(', ', '-').replace(' ', '-')}-{self.passages}"

    def command(self, action: str, engine: str, *arguments: str) -> list[str]:
        """Give the command that runs an engine."""
        python = self.peers_python if engine in PACKAGES else sys.executable
        return [python, "-m", ENGINES, action, engine, *arguments, str(self.folder(engine))]


@dataclass(frozen=True, slots=True)
class Answers:
    """The mean postings of the questions' words, and [wall ms, CPU ms, hits] by method.

    `memory` are the most megabytes that each engine's process had.
    """

    postings: float
    methods: Mapping[str, Sequence[list[float]]]
    memory: Mapping[str, float]


def write_corpus(setting: Setting) -> None:
    """Write the passages, once for all runs in this folder."""
    if setting.corpus().exists():
        return
    part = setting.corpus().with_suffix(".part")
    with part.open("w", encoding="utf-8") as out:
        for passage in Language(setting.seed, setting.words).passages(setting.passages):
            out.write(passage.line())
    part.replace(setting.corpus())


def missing(setting: Setting) -> dict[str, str]:
    """Give the peers that cannot take part, with the reason."""
    reasons: dict[str, str] = {}
    for engine, statement in PACKAGES.items():
        command = [setting.peers_python, "-c", statement]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            reasons[engine] = f"{engine} is not installed for {setting.peers_python}"
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        free = 1024 * int(next(s for s in lines if s.startswith("MemAvailable")).split()[1])
    except OSError:
        pass  # not Linux: what is not used at all must do
    if "bm25s" not in reasons and free < setting.passages * BM25S_BYTES:
        reasons["bm25s"] = (
            f"bm25s needs {setting.passages * BM25S_BYTES / 1e9:.1f} GB of memory for "
            f"{setting.passages:,} passages, and {free / 1e9:.1f} are free"
        )
    for engine, built in SAME_INDEX.items():
        if built in reasons:
            reasons[engine] = reasons[built]
    return reasons


def build(setting: Setting, engine: str) -> Facts:
    """Build an index anew; give what it took, and leave that beside it."""
    folder = setting.folder(engine)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    arguments = str(setting.corpus()), str(setting.passages)
    command = setting.command("build", engine, *arguments)
    done = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    facts: Facts = json.loads(done.stdout)
    _note(setting, engine).write_text(done.stdout, encoding="utf-8")
    print(f"built {engine}: {done.stdout.strip()}", file=sys.stderr)
    return facts


def changes(setting: Setting, engine: str) -> dict[str, list[list[float]]]:
    """Add documents to an index, change and delete them; give [wall, CPU] milliseconds of each."""
    numbers = setting.seed, setting.words, setting.passages
    command = setting.command("change", engine, *map(str, numbers))
    done = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    print(f"changed {engine}: {done.stdout.strip()}", file=sys.stderr)
    found: dict[str, list[list[float]]] = json.loads(done.stdout)
    return found


def _note(setting: Setting, engine: str) -> Path:
    return setting.folder(engine).with_suffix(".json")


def known_build(setting: Setting, engine: str) -> Facts | None:
    """Give what an earlier build in this folder took, if its index is still there."""
    note = _note(setting, engine)
    if not (note.exists() and setting.folder(engine).exists()):
        return None
    facts: Facts = json.loads(note.read_text(encoding="utf-8"))
    return facts


def build_all(setting: Setting, engines: Sequence[str], *, reuse: bool) -> dict[str, Facts]:
    """Build every index, in turn, some times over; give what the best build took.

    With `reuse` an index that an earlier run left is taken as it is.
    """
    best: dict[str, Facts] = {}
    known = {engine: known_build(setting, engine) if reuse else None for engine in engines}
    for _ in range(BUILDS if setting.passages <= MOST_BUILT_OFTEN else 1):
        for engine in engines:
            facts = known[engine] or build(setting, engine)
            before = best.get(engine, facts)
            # What FTS5 leaves behind depends on when it merges: the size is that of the largest.
            most = {name: max(facts[name], before[name]) for name in ("bytes", "memory")}
            least = {name: min(facts[name], before[name]) for name in ("wall", "cpu")}
            best[engine] = {**facts, **least, **most}
    return best


def product_index(setting: Setting) -> Path:
    """Give the database of the passages, indexed unless an earlier run left it."""
    if not known_build(setting, "product"):
        write_corpus(setting)
        build(setting, "product")
    return setting.folder("product") / "synthetic.db"


class Servers:
    """A process for each engine, which answers batches of queries until this is closed."""

    def __init__(self, setting: Setting, engines: Sequence[str]) -> None:
        self._processes = {
            engine: subprocess.Popen(
                setting.command("serve", engine),
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for engine in engines
        }

    def ask(self, engine: str, profile: str, queries: Sequence[Query]) -> list[list[float]]:
        """Give [wall, CPU] milliseconds and the number of hits for each query."""
        answers: list[list[float]] = json.loads(self._line(engine, profile, queries))
        return answers

    def memory(self, engine: str) -> float:
        """Give the most megabytes that an engine's process had."""
        return float(self._line(engine, "memory", ()))

    def _line(self, engine: str, profile: str, queries: Sequence[Query]) -> str:
        process = self._processes[engine]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"profile": profile, "queries": queries}) + "\n")
        process.stdin.flush()
        return process.stdout.readline()

    def close(self) -> None:
        """End the processes."""
        for process in self._processes.values():
            process.communicate()


def least(answers: Sequence[list[float]]) -> list[float]:
    """Give the least wall and CPU time of the same query, and its hits."""
    walls, cpus, hits = zip(*answers, strict=True)
    return [min(walls), min(cpus), hits[0]]


def ask_all(setting: Setting, engines: Sequence[str], queries: list[Query]) -> Answers:
    """Ask every engine every question ROUNDS times, in turn; give the best answers by method."""
    servers = Servers(setting, engines)
    methods = {name: way for name, way in METHODS.items() if way[0] in engines}
    best: dict[str, list[list[float]]] = {name: [] for name in methods}
    try:
        for way in methods.values():
            servers.ask(*way, queries[:BATCH])  # warms up
        for first in range(0, len(queries), BATCH):
            batch = queries[first : first + BATCH]
            rounds = [
                {name: servers.ask(*way, batch) for name, way in methods.items()}
                for _ in range(ROUNDS)
            ]
            for name in methods:
                best[name] += map(least, zip(*(answers[name] for answers in rounds), strict=True))
        # Before the postings are counted: FTS5 reads all of a frequent word for that.
        memory = {engine: servers.memory(engine) for engine in engines}
        postings = servers.ask("product", "postings", queries)
    finally:
        servers.close()
    for name, answers in best.items():
        medians = [statistics.median(times) for times in list(zip(*answers, strict=True))[:2]]
        print(f"asked {name}: {medians[0]:.2f} ms, CPU {medians[1]:.2f}", file=sys.stderr)
    return Answers(statistics.mean(answer[2] for answer in postings), best, memory)
