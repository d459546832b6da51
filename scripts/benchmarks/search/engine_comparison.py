"""Indexing, size and speed of search against tantivy-py and bm25s, on the same passages.

Every engine indexes in a process of its own, with one thread, and then answers the same questions
of eight words in turn with the others, a few at a time. Of each question the best of three rounds
counts, and goals are compared with CPU time, since the machine has other things to do. --cold
starts `rag-assistant search` and a bare `python -c` that asks the same file, in turn. Sizes that
were measured before in the folder of --work give the growth. Last, documents of ten passages are
added to a database of such, changed and deleted, each in a run of its own. The memory of the
processes that search holds what they map of files. The peers may have another Python:

    python -m pip install tantivy bm25s PyStemmer numba
"""

import argparse
import compileall
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import rag_assistant
from rag_assistant.text.terms import STOP_WORDS, words_in
from scripts.benchmarks.search.engine_processes import (
    METHODS,
    PACKAGES,
    SAME_INDEX,
    Answers,
    Facts,
    Query,
    Setting,
    ask_all,
    build_all,
    changes,
    missing,
    write_corpus,
)
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.program import PROGRAM
from scripts.benchmarks.shared.synthetic_text import WORDS, Language
from scripts.benchmarks.shared.timing import in_turn, seconds_of

COLD_STARTS = 15
GOALS = {
    ("product, typing", 100_000): "< 30",
    ("product, question", 100_000): "< 100",
    ("product, typing", 1_000_000): "< 150",
    ("product, question", 1_000_000): "< 300",
}
"""Goals for the 95th percentile, in milliseconds."""

TYPING_MEDIANS = {100_000: "<= 3", 1_000_000: "<= 5"}
"""Goals for the median of a key, in milliseconds."""

AGAINST_FTS5 = {100_000: ("<= 0.22", "<= 0.20"), 1_000_000: ("<= 0.035", "")}
"""Goals for the median and the 95th percentile of a question, as shares of bare FTS5's."""

PEERS = {
    "FTS5 on its file, words by OR": "bare FTS5",
    "tantivy": "tantivy",
    "bm25s": "bm25s",
    "bm25s, numba": "bm25s with numba",
}
"""Methods that questions are compared with, and what these are called."""

FILES = "product, files of 10 passages"
"""The database of whole files, as of a folder of documents; else each passage is a record."""

MOST_MEMORY, ADDING = {1_000_000: "<= 300"}, {1_000_000: "<= 50"}
"""Goals for the megabytes of a build, and for the milliseconds of a document that is added."""

BARE = """
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
q = "SELECT title, text FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rank LIMIT 10"
print(c.execute(q, (sys.argv[2],)).fetchall())
"""


def report_of_builds(built: dict[str, Facts], passages: int) -> Report:
    """Compare the builds; "product" and "tantivy" have goals."""
    speed = {engine: facts["documents"] / facts["cpu"] for engine, facts in built.items()}
    rows = [
        [
            engine,
            f"{speed[engine]:,.0f}",
            f"{facts['documents'] / facts['wall']:,.0f}",
            f"{facts['bytes'] / 1e6:,.1f}",
            f"{facts['bytes'] / facts['text_bytes']:.2f}",
            f"{facts['memory']:,.0f}",
        ]
        for engine, facts in built.items()
    ]
    head = (
        f"indexing {passages:,} passages",
        *("per CPU second", "per second", "MB", "size / text", "most memory, MB"),
    )
    ours = built["product"]
    size = f"index size of {passages:,} passages over their text"
    files = f"{built[FILES]['bytes'] / built[FILES]['text_bytes']:.2f} of files of ten passages"
    figures = [Figure(size, ours["bytes"] / ours["text_bytes"], goal="<= 2.5", detail=files)]
    memory = f"memory while indexing {passages:,} passages"
    detail = f"{built[FILES]['memory']:.0f} MB for files of ten passages"
    most = max(ours["memory"], built[FILES]["memory"])
    figures.append(Figure(memory, most, "MB", MOST_MEMORY.get(passages, ""), detail))
    if "tantivy" in speed:
        name = f"indexing {passages:,} passages, documents per CPU second over tantivy's"
        figures.append(Figure(name, speed["product"] / speed["tantivy"], goal=">= 0.8"))
    return Report(figures, [table(head, rows)])


def report_of_questions(setting: Setting, asked: Answers) -> Report:
    """Give the percentiles of every method, and the growth since the next smaller size."""
    rows: list[list[str]] = []
    figures: list[Figure] = []
    p50: dict[str, float] = {}
    p95: dict[str, float] = {}
    for name, answers in asked.methods.items():
        walls, cpus = [wall for wall, *_ in answers], [cpu for _, cpu, _ in answers]
        quantiles = [percentile(values, q) for values in (walls, cpus) for q in (0.5, 0.95)]
        none = sum(not hits for *_, hits in answers)
        memory = asked.memory[METHODS[name][0]]
        rows.append(
            [name, *(f"{quantile:.1f}" for quantile in quantiles), str(none), f"{memory:,.0f}"]
        )
        p50[name], p95[name] = quantiles[2:]
        goal = GOALS.get((name, setting.passages), "")
        if name.startswith("product"):
            title = f"{name}: p95 of {setting.passages:,} passages"
            detail = f"CPU time, p50 {quantiles[2]:.1f}; by the clock {quantiles[1]:.1f} ms"
            figures.append(Figure(title, quantiles[3], "ms", goal, detail))
    if "product, typing" in p50:
        title = f"product, typing: median of {setting.passages:,} passages"
        goal = TYPING_MEDIANS.get(setting.passages, "")
        figures.append(Figure(title, p50["product, typing"], "ms", goal, "CPU time"))
    figures += against_peers(setting, p50)
    figures += against_fts5(setting, p50, p95)
    figures += growth(setting, p95, asked.postings)
    head = (
        f"{setting.questions} questions to {setting.passages:,} passages, ms",
        *("p50", "p95", "p50 CPU", "p95 CPU", "without hits", "most memory, MB"),
    )
    return Report(figures, [table(head, rows)])


def against_peers(setting: Setting, p50: dict[str, float]) -> list[Figure]:
    """Compare the median question with that of other engines, by processor time."""
    ours = "product, question"
    return [
        Figure(
            f"{ours}: median of {setting.passages:,} passages, times that of {peer}",
            p50[ours] / p50[name],
            detail=f"CPU time, {p50[ours]:.1f} and {p50[name]:.2f} ms",
        )
        for name, peer in PEERS.items()
        if p50.get(name)
    ]


def against_fts5(setting: Setting, p50: dict[str, float], p95: dict[str, float]) -> list[Figure]:
    """Compare a question with bare FTS5's order of the same words on the same file."""
    ours, bare = "product, question", "FTS5 on its file, words by OR"
    goals = AGAINST_FTS5.get(setting.passages, ("", ""))
    return [
        Figure(
            f"{ours}: {name} of {setting.passages:,} passages, share of bare FTS5's",
            some[ours] / some[bare],
            goal=goal,
            detail=f"CPU time, {some[ours]:.1f} and {some[bare]:.1f} ms",
        )
        for name, some, goal in zip(("p50", "p95"), (p50, p95), goals, strict=True)
        if some.get(bare)
    ]


def growth(setting: Setting, p95: dict[str, float], postings: float) -> list[Figure]:
    """Compare with the next smaller size measured in the same folder, and leave a note for larger.

    The exponent e of time ~ postings ** e: 1 is linear, 0 is no growth.
    """
    note = setting.work / f"latencies-{setting.passages}.json"
    note.write_text(json.dumps({"postings": postings, "p95": p95}), encoding="utf-8")
    sizes = sorted(int(path.stem.split("-")[1]) for path in setting.work.glob("latencies-*.json"))
    smaller = [size for size in sizes if size < setting.passages]
    if not smaller:
        return []
    path = setting.work / f"latencies-{smaller[-1]}.json"
    before = json.loads(path.read_text(encoding="utf-8"))
    times = postings / before["postings"]
    return [
        Figure(
            f"{name}: growth from {smaller[-1]:,} to {setting.passages:,} passages, exponent",
            math.log(p95[name] / before["p95"][name]) / math.log(times),
            goal="< 0.8" if name.startswith("product") else "",
            detail=f"{times:.1f} times the postings, {p95[name] / before['p95'][name]:.1f} times "
            "the CPU time (p95)",
        )
        for name in p95
        if name in before["p95"]
    ]


def report_of_changes(setting: Setting) -> Report:
    """Add documents to a database of such, change and delete them."""
    rows: list[list[str]] = []
    figures: list[Figure] = []
    for name, times in changes(setting, FILES).items():
        walls, cpus = zip(*times, strict=True)
        quantiles = [percentile(values, q) for values in (walls, cpus) for q in (0.5, 0.95)]
        rows.append([name, *(f"{quantile:.1f}" for quantile in quantiles)])
        title = f"{name} a document of ten passages among {setting.passages:,}, a run: median"
        goal = ADDING.get(setting.passages, "") if name == "adding" else ""
        detail = f"CPU time; by the clock {quantiles[0]:.1f} ms"
        figures.append(Figure(title, quantiles[2], "ms", goal, detail))
    head = (
        f"a document of ten passages among {setting.passages:,}, ms",
        *("p50", "p95", "p50 CPU", "p95 CPU"),
    )
    return Report(figures, [table(head, rows)])


def cold_starts(setting: Setting, queries: list[Query]) -> Report:
    """Start the program and a bare Python for one question each, in turn."""
    compileall.compile_dir(str(Path(rag_assistant.__file__).parent), quiet=1)
    home = setting.folder("product")
    program = Path(sys.executable).with_name("rag-assistant")
    start = [str(program)] if program.exists() else PROGRAM
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    run = partial(subprocess.run, check=True, capture_output=True, env=environment)

    def starts(number: int) -> dict[str, Callable[[], float]]:
        question, words = queries[number]
        match = " OR ".join(f'"{word}"' for word in words)
        bare = [sys.executable, "-c", BARE, str(home / "synthetic.db"), match]
        search = [*start, "--home", str(home), "search", question]
        commands = {"bare": bare, "search": search}
        return {name: partial(seconds_of, partial(run, given)) for name, given in commands.items()}

    seconds = in_turn(min(COLD_STARTS, len(queries) - 1), starts)
    bare, ours = (statistics.median(seconds[name]) * 1000 for name in ("bare", "search"))
    detail = f"medians of {len(seconds['bare'])}: {ours:.0f} ms, bare {bare:.0f} ms"
    name = f"cold rag-assistant search of {setting.passages:,} passages over a bare MATCH by OR"
    return Report([Figure(name, ours / bare, goal="<= 1.2", detail=detail)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen, and cold starts be measured too."""
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--words", type=int, default=WORDS, help="of the synthetic language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reuse", action="store_true", help="indexes that --work holds already")
    parser.add_argument("--cold", action="store_true", help="measure cold starts too")


def measured(options: argparse.Namespace) -> Report:
    """Build, ask, and start cold."""
    setting = Setting(
        options.passages,
        options.questions,
        options.work,
        options.peers_python,
        options.seed,
        options.words,
    )
    write_corpus(setting)
    language = Language(setting.seed, setting.words)
    queries: list[Query] = [
        (question, [word for word in words_in(question) if word not in STOP_WORDS])
        for question in language.questions(setting.questions, setting.passages)
    ]
    absent = missing(setting)
    report = Report(skipped=list(absent.values()))
    engines = [name for name in ("product", *PACKAGES) if name not in absent]
    own = [name for name in engines if name not in SAME_INDEX]
    built = build_all(setting, [FILES, *own], reuse=options.reuse)
    report = report.with_more(report_of_builds(built, setting.passages))
    report = report.with_more(report_of_questions(setting, ask_all(setting, engines, queries)))
    report = report.with_more(report_of_changes(setting))
    return report.with_more(cold_starts(setting, queries)) if options.cold else report
