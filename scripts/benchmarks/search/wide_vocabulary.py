"""A database with very many distinct words, as of logs and data: indexed, then asked what it lacks.

Each word stands in one passage. The search runs in a process of its own, so that its memory can be
told; what it must not do is read the vocabulary.
"""

import argparse
import random
import resource
import shutil
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rag_assistant.library.database import Database
from rag_assistant.library.searching import search_databases
from rag_assistant.search.ranking import Profile
from scripts.benchmarks.search.adversarial_queries import misspell, unknown_words
from scripts.benchmarks.search.engine_protocol import Rows
from scripts.benchmarks.search.engines import BATCH, build
from scripts.benchmarks.search.product_engine import Product
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.program import apart

WORDS_A_PASSAGE, MOST_OF_EACH, TOP = 100, 200, 10
"""Words of a passage, queries of each kind at most, and hits asked for."""

_SYLLABLES = [first + second for first in "bcdfghjklmnprstvwxyz" for second in "aeiou"]
_SPACE, _SCATTER = len(_SYLLABLES) ** 4, 38_196_601
"""How many words there can be, and a prime that scatters them, so that passages are no lists."""

Times = dict[str, list[float]]


def word_of(number: int) -> str:
    """Give the word of a number below `_SPACE`; all are distinct, and Porter leaves them alone."""
    number = number * _SCATTER % _SPACE
    letters = ""
    for _ in range(4):
        number, index = divmod(number, len(_SYLLABLES))
        letters += _SYLLABLES[index]
    return letters + "k"


def distinct_words(count: int) -> Iterator[Rows]:
    """Give passages of words of which none comes twice."""
    rows: list[tuple[int, str, str]] = []
    for first in range(0, count, WORDS_A_PASSAGE):
        last = min(first + WORDS_A_PASSAGE, count)
        text = " ".join(map(word_of, range(first, last)))
        rows.append((first // WORDS_A_PASSAGE, "List", f"{text.capitalize()}."))
        if len(rows) == BATCH:
            yield rows
            rows = []
    if rows:
        yield rows


def queries_of(count: int, each: int, seed: int) -> Iterator[tuple[str, str, Profile]]:
    """Make queries of words that are held, misspelt, unknown, or only begun."""
    chance = random.Random(seed)
    for _ in range(each):
        word = word_of(chance.randrange(count))
        yield "known word", word, "question"
        yield "one letter wrong", misspell(chance, word, 1), "question"
        yield "two letters wrong", misspell(chance, word, 2), "question"
        yield "unknown words", unknown_words(chance, ()), "question"
        yield "begun words", f"{word[:2]}* {word[:4]}", "question"
        yield "typed letter by letter", word[: chance.randint(1, 8)], "typing"


def search_times(path: Path, count: int, each: int, seed: int) -> tuple[Times, float]:
    """Give milliseconds by the kind of query, and the most memory that this process had, in MB."""
    database = Database("wide", path)
    times: defaultdict[str, list[float]] = defaultdict(list)
    for kind, text, profile in queries_of(count, each, seed):
        started = time.perf_counter()
        search_databases([database], text, TOP, profile=profile)
        times[kind].append((time.perf_counter() - started) * 1000)
    return dict(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def wide_vocabulary(work: Path, count: int, seed: int) -> Report:
    """Index `count` distinct words anew, and search."""
    each = min(MOST_OF_EACH, max(5, count // 500))
    folder = work / f"vocabulary-{count}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    facts = build(Product(folder), distinct_words(count))
    path = folder / "synthetic.db"
    times, memory = apart(search_times, path, count, each, seed)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', passages_fts, row)")
        terms = connection.execute("SELECT count(*) FROM temp.v").fetchone()[0]
    size = path.stat().st_size / facts["text_bytes"]
    shutil.rmtree(folder)
    rows = [
        [kind, str(len(found)), *(f"{percentile(found, q):.1f}" for q in (0.5, 0.95, 1.0))]
        for kind, found in times.items()
    ]
    head = (f"queries to {terms:,} distinct terms, ms", "number", "p50", "p95", "most")
    slowest = max(max(found) for found in times.values())
    what = f"vocabulary of {count:,} words"
    figures = [
        Figure(f"{what}: slowest search", slowest, "ms", "< 1000"),
        Figure(f"{what}: indexing", facts["wall"], "s", detail=f"{facts['cpu']:.0f} s of CPU time"),
        Figure(f"{what}: index size over text", size),
        Figure(f"{what}: most memory of the searching process", memory, "MB", "< 500"),
    ]
    return Report(figures, [table(head, rows)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the size be chosen."""
    parser.add_argument("--vocabulary", type=int, default=10_000_000, help="words")
    parser.add_argument("--seed", type=int, default=1)


def measured(options: argparse.Namespace) -> Report:
    """Index and ask."""
    return wide_vocabulary(options.work, options.vocabulary, options.seed)
