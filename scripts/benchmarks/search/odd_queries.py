"""A database asked what nobody would ask, in both profiles.

No query may raise anything or take more than its goal of processor time. What takes longer is asked
twice more: the machine may have been busy. A query that hangs for a minute ends the run with a
traceback.
"""

import argparse
import faulthandler
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rag_assistant.library.database import Database
from rag_assistant.library.searching import search_databases
from rag_assistant.search.ranking import Profile
from scripts.benchmarks.search.adversarial_queries import adversarial_queries
from scripts.benchmarks.search.engine_processes import Setting, product_index
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.program import FRESH
from scripts.benchmarks.shared.synthetic_text import WORDS, Language

PROFILES: tuple[Profile, ...] = ("typing", "question")
TOP, CHUNK, LIMIT_MS, HANG_SECONDS = 10, 200, 300.0, 60


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one query: milliseconds of processor time, and the exception, if any."""

    kind: str
    profile: str
    text: str
    milliseconds: float
    error: str


def timed(database: Database, text: str, profile: Profile) -> tuple[float, str]:
    """Search; give milliseconds and what was raised."""
    error = ""
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
    started = time.process_time()
    try:
        search_databases([database], text, TOP, profile=profile)
    except Exception as raised:  # noqa: BLE001 - whatever it is, it must not be
        error = repr(raised)
    milliseconds = (time.process_time() - started) * 1000
    faulthandler.cancel_dump_traceback_later()
    return milliseconds, error


def ask(path: Path, queries: Sequence[tuple[str, str]]) -> list[Asked]:
    """Ask queries in both profiles; the best of three where one took too long."""
    database = Database("synthetic", path)
    found: list[Asked] = []
    for kind, text in queries:
        for profile in PROFILES:
            milliseconds, error = timed(database, text, profile)
            for _ in range(2 if milliseconds > LIMIT_MS else 0):
                milliseconds = min(milliseconds, timed(database, text, profile)[0])
            found.append(Asked(kind, profile, text, milliseconds, error))
    return found


def ask_in_processes(
    path: Path, queries: Iterator[tuple[str, str]], processes: int, tell: Callable[[int], None]
) -> Iterator[Asked]:
    """Ask all queries, some at a time in each process."""
    with ProcessPoolExecutor(processes, mp_context=FRESH) as pool:
        done = 0
        while waiting := [
            pool.submit(ask, path, chunk)
            for _ in range(processes)
            if (chunk := list(islice(queries, CHUNK)))
        ]:
            for future in waiting:
                yield from future.result()
                done += CHUNK
            tell(done)


def fuzz(setting: Setting, count: int, processes: int) -> Report:
    """Ask `count` adversarial queries."""
    path = product_index(setting)
    language = Language(setting.seed, setting.words)
    words = language.frequent_words(2_000)
    queries = adversarial_queries(count, setting.seed, words)

    def tell(done: int) -> None:
        print(f"{min(done, count):,} of {count:,} queries", end="\r", file=sys.stderr)

    asked: list[Asked] = []
    wrong: list[str] = []
    try:
        for one in ask_in_processes(path, queries, processes, tell):
            asked.append(one)
            if one.error or one.milliseconds > LIMIT_MS:
                fault = one.error or f"{one.milliseconds:.0f} ms"
                wrong.append(f"{one.profile}, {one.kind}: {fault}: {one.text[:200]!r}")
                print(wrong[-1], file=sys.stderr)
    except BrokenProcessPool:
        wrong.append(f"a query took longer than {HANG_SECONDS} s, or ended the process; see above")
    return report_of(asked, wrong, setting.passages)


def report_of(asked: Sequence[Asked], wrong: Sequence[str], passages: int) -> Report:
    """Make a row for each kind, with the times of both profiles."""
    times: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for one in asked:
        times[one.kind, one.profile].append(one.milliseconds)
    rows = []
    for kind in sorted({one.kind for one in asked}):
        cells = [
            f"{percentile(times[kind, profile], share):.0f}"
            for profile in PROFILES
            for share in (0.5, 0.99, 1.0)
        ]
        rows.append([kind, f"{len(times[kind, PROFILES[0]]):,}", *cells])
    heads = [f"{profile} {what}" for profile in PROFILES for what in ("p50", "p99", "most")]
    errors = sum(bool(one.error) for one in asked)
    slowest = max((one.milliseconds for one in asked), default=0.0)
    count = len(asked) // len(PROFILES)
    what = f"{count:,} adversarial queries to {passages:,} passages, both profiles"
    figures = [
        Figure(f"{what}: exceptions and hangs", errors + (not asked), goal="<= 0"),
        Figure(f"{what}: slowest, processor time", slowest, "ms", f"<= {LIMIT_MS:.0f}"),
    ]
    tables = [table(("queries, ms", "number", *heads), rows)]
    return Report(figures, [*tables, *(f"Wrong: {line}" for line in wrong[:20])])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--queries", type=int, default=20_000)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=WORDS, help="of the synthetic language")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)


def measured(options: argparse.Namespace) -> Report:
    """Ask."""
    setting = Setting(options.passages, 0, options.work, "", options.seed, options.words)
    return fuzz(setting, options.queries, options.processes)
