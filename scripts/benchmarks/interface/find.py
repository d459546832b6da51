"""The find screen and the choice of what is asked, at 10,000 documents of a passage each.

Each question is typed, three letters at a time. What counts is the time of the processor from a key
to its rows on the screen, in all threads, since the machine has other things to do; to its first
rows, before the text beside them is read, it is that of the clock. Of each key the best of three
rounds.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.tui.find.box import FindBox
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.question.scope_names import read_names
from rag_assistant.tui.scope.rows import TickList, tree_items
from rag_assistant.tui.scope.screen import ScopeScreen
from rag_assistant.tui.scope.tree import read_tree
from rag_assistant.values.scope import Scope, Wanted
from scripts.benchmarks.shared.figures import Figure, Report, percentile
from scripts.benchmarks.shared.synthetic_text import Language
from scripts.benchmarks.shared.timing import timed

QUESTIONS, ROUNDS = 3, 3
GOAL = "<= 100"
"""Milliseconds in which rows are there, and in which a key shows."""


def make_documents(folder: Path, count: int) -> list[str]:
    """Write documents into a hundred folders and one; give questions to them."""
    language = Language(words=60_100, topics=200)
    for passage in language.passages(count):
        # Half of them in one folder: the longest list that the tree may have to show.
        place = folder / ("all" if passage.number % 2 else f"{passage.number % 100:02}")
        place.mkdir(parents=True, exist_ok=True)
        text = f"# {passage.title}\n\n{passage.text}\n"
        (place / f"{passage.number:05}.md").write_text(text, encoding="utf-8")
    return list(language.questions(QUESTIONS, count))


def best_of(work: Callable[[], object]) -> float:
    """Give the milliseconds of the best of three."""
    return min(timed(work)[1].cpu for _ in range(ROUNDS)) * 1000


@dataclass(frozen=True, slots=True)
class AfterKey:
    """Milliseconds from a key to its `first` rows by the clock, and of the processor to `all`."""

    first: float
    all: float


async def rows_after_keys(
    library: Library, wanted: tuple[Wanted, ...], questions: list[str]
) -> list[AfterKey]:
    """Type questions; give what each key took, the best of its rounds."""
    screen = FindScreen(Assistant(library, Config(), {}), wanted)
    app: App[None] = App()
    async with app.run_test(size=(140, 40)) as pilot:
        await app.push_screen(screen)
        best: dict[str, AfterKey] = {}
        for _ in range(ROUNDS):
            for question in questions:
                for end in range(3, len(question) + 1, 3):
                    took = await _after_key(pilot, screen, question[:end])
                    known = best.get(question[:end], took)
                    best[question[:end]] = AfterKey(
                        min(took.first, known.first), min(took.all, known.all)
                    )
    return list(best.values())


async def _after_key(pilot: Pilot[None], screen: FindScreen, query: str) -> AfterKey:
    box = screen.query_one(FindBox)
    drawn = asyncio.Event()
    started, clock = time.process_time(), time.perf_counter()
    box.value = query
    while not (screen.results.found and screen.results.found.wanted.query == query):
        await asyncio.sleep(0.001)
    screen.results.call_after_refresh(drawn.set)
    await drawn.wait()
    first = time.perf_counter() - clock
    await pilot.pause()
    return AfterKey(first * 1000, (time.process_time() - started) * 1000)


async def tree_keys(library: Library) -> dict[str, float]:
    """Give the milliseconds that keys of the tree hold everything else up."""
    screen = ScopeScreen(library, ("documents",))
    app: App[None] = App()
    took: dict[str, float] = {}
    async with app.run_test(size=(140, 40)) as pilot:
        await app.push_screen(screen)
        await app.workers.wait_for_complete()
        await pilot.pause()
        (root,) = screen._tree.roots()
        longest = screen._tree.children(root)[-1]
        screen.query_one(TickList).go_to(longest.key)

        async def key(what: str, act: Callable[[], Any]) -> None:
            started = time.process_time()
            act()
            await pilot.pause()
            took[what] = (time.process_time() - started) * 1000

        await key(
            "open the longest folder",
            lambda: screen.post_message(TickList.Opened(longest.key, True)),
        )
        await key("tick it", screen.action_tick)
        await key("filter by three letters", screen._list)
    return took


def measure(folder: Path, home: Path, documents: int) -> Report:
    """Index, and measure."""
    questions = make_documents(folder, documents)
    library = Library(home)
    library.index(folder)
    half = (Scope("documents", ("all/",)),)
    figures: list[Figure] = []
    for name, wanted in (("all documents", ()), ("a scope of half of them", half)):
        took = asyncio.run(rows_after_keys(library, wanted, questions))
        worked, first = [one.all for one in took], [one.first for one in took]
        median, most = statistics.median(worked), max(worked)
        detail = f"median {median:.1f}, most {most:.1f}, {len(took)} keys"
        figures += [
            Figure(f"key to rows in {name}, p95", percentile(worked, 0.95), "ms", GOAL, detail),
            Figure(
                f"key to first rows in {name}, median",
                statistics.median(first),
                "ms",
                "<= 30",
                f"by the clock; p95 {percentile(first, 0.95):.1f}, most {max(first):.1f}",
            ),
        ]
    tree = read_tree(library, half)
    (root,) = tree.roots()
    everything = {root.key, *(child.key for child in tree.children(root))}
    names = read_names(library, ("documents",), ("documents",))
    for what, work in (
        ("reading the tree (in a thread)", lambda: read_tree(library, half)),
        ("listing it with every folder open", lambda: tree_items(tree, everything)),
        ("what is chosen, in few words", tree.wanted),
        ("a filter of three letters", lambda: tree.fitting("012")),
        ("what @ offers for three letters", lambda: names.offered("012")),
    ):
        figures.append(Figure(what, best_of(work), "ms", GOAL))
    for what, spent in asyncio.run(tree_keys(library)).items():
        figures.append(Figure(f"tree: {what}", spent, "ms", GOAL))
    return Report(figures)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the size be chosen."""
    parser.add_argument("--documents", type=int, default=10_000)


def measured(options: argparse.Namespace) -> Report:
    """Measure."""
    scratch = options.scratch
    return measure(scratch / "documents", scratch / "home", options.documents)
