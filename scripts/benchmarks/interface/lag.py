"""Whether the interface ever makes a person wait: the lag of its event loop, and of a key.

A database of synthetic passages is searched while a folder of files is indexed and a long answer
streams. A ticker that wakes every 5 ms tells how late the loop is; a key is timed from its press to
the box that shows it. The same is measured of the interface at rest.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.indexing.progress import IndexTarget
from rag_assistant.tui.indexing.workers import running, start_indexing
from rag_assistant.tui.main.main_screen import MainScreen
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.values.messages import Reply, ReplyDelta, Request
from scripts.benchmarks.shared.figures import Figure, Report, percentile
from scripts.benchmarks.shared.synthetic_text import Language

TICK_SECONDS = 0.005
TOKEN_SECONDS = 0.02
"""Between two words of the answer: fifty a second, a fast local model."""

KEY_SECONDS = 0.1
FILE_PASSAGES = 10_000
"""Passages of one file; an indexer takes none of more than 20 million characters."""

WORDS = "The mean net price rose in the second half of the year, **as planned**, by a little. "


class Talkative:
    """A model that goes on until it is stopped."""

    name = "talkative"

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Say one word after the other."""
        while True:
            for word in WORDS.split(" "):
                await asyncio.sleep(TOKEN_SECONDS)
                yield ReplyDelta(f"{word} ")
            yield ReplyDelta("\n\n")

    async def aclose(self) -> None:
        """Hold nothing."""


class TalkativeModels(ModelPool):
    """Models that all go on."""

    def model(self, name: str) -> Model:
        """Give it."""
        return Talkative()


def make_database(home: Path, passages: int) -> Library:
    """Index synthetic passages, unless they are there."""
    library = Library(home)
    if "synthetic" not in library.names():
        folder = home / "texts" / "synthetic"
        folder.mkdir(parents=True, exist_ok=True)
        lines = (f"{passage.line()}\n" for passage in Language().passages(passages))
        parts = iter(lambda: list(islice(lines, FILE_PASSAGES)), [])
        for number, part in enumerate(parts):
            (folder / f"records-{number:03}.jsonl").write_text("".join(part), encoding="utf-8")
        report = library.index(folder)
        assert not report.failed, report.failed
    return library


def make_files(folder: Path, count: int) -> Path:
    """Write small files."""
    folder.mkdir(parents=True)
    for number in range(count):
        text = f"# Minute {number}\n\n" + f"The meeting number {number} decided nothing. " * 40
        (folder / f"minute-{number:05}.md").write_text(text, encoding="utf-8")
    return folder


async def tick(late: list[float], worked: list[float]) -> None:
    """Note how late the loop wakes a ticker, and how much of it the loop itself was at work.

    The rest is waited for: a processor, or Python's lock, which other threads hold.
    """
    while True:
        begun, busy = time.perf_counter(), time.thread_time()
        await asyncio.sleep(TICK_SECONDS)
        late.append(time.perf_counter() - begun - TICK_SECONDS)
        worked.append(time.thread_time() - busy)


async def press(app: AssistantApp, shown: list[float]) -> None:
    """Press keys, and note how long each takes to be drawn."""
    box = app.screen_stack[0].query_one(QuestionBox)
    while True:
        await asyncio.sleep(KEY_SECONDS)
        before, drawn = box.text, asyncio.Event()
        begun = time.perf_counter()
        app.simulate_key("x")
        while box.text == before:
            await asyncio.sleep(0.001)
        box.call_after_refresh(drawn.set)
        await drawn.wait()
        shown.append(time.perf_counter() - begun)
        if len(box.text) > 60:
            box.clear()


async def find(library: Library, questions: Sequence[str], took: list[float]) -> None:
    """Search as Find does, and note how long it takes."""
    databases = library.databases(["synthetic"])
    while True:
        for question in questions:
            await asyncio.sleep(KEY_SECONDS)
            begun = time.perf_counter()
            await asyncio.to_thread(search_databases, databases, question, 20)
            took.append(time.perf_counter() - begun)


async def measure(
    library: Library, folder: Path | None, questions: Sequence[str], seconds: float
) -> dict[str, list[float]]:
    """Open the interface, let it work where there is a folder, and measure."""
    late: list[float] = []
    worked: list[float] = []
    shown: list[float] = []
    took: list[float] = []
    assistant = Assistant(library, Config(), {})
    assistant.models = TalkativeModels(assistant.config, {}, assistant.gate)
    app = AssistantApp(assistant)
    async with app.run_test(size=(140, 40)) as pilot:
        main = app.screen_stack[0]
        assert isinstance(main, MainScreen)
        await app.workers.wait_for_complete()
        await pilot.pause(0.5)
        probes = [asyncio.create_task(tick(late, worked)), asyncio.create_task(press(app, shown))]
        begun = time.monotonic()
        if folder:
            main.panel.ask("What rose?")
            start_indexing(app, library, IndexTarget(folder))
            probes.append(asyncio.create_task(find(library, questions, took)))
            while running(app, IndexTarget(folder)) and time.monotonic() - begun < 300:
                await asyncio.sleep(0.05)
        await asyncio.sleep(max(0.0, seconds - (time.monotonic() - begun)))
        assert folder is None or main.query_one(Exchange).state.text, "the answer streams"
        for probe in probes:
            probe.cancel()
            with suppress(asyncio.CancelledError):
                await probe
        await pilot.press("escape")
    return {"loop": late, "own": worked, "key": shown, "find": took}


def figures(name: str, values: list[float], goal: str = "") -> list[Figure]:
    """Give p50, p99 and the longest in milliseconds."""
    shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return [
        Figure(
            f"{name}, {share}",
            percentile(values, at) * 1000,
            "ms",
            goal if share == "p99" else "",
            f"{len(values)} values" if share == "p50" else "",
        )
        for share, at in shares.items()
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--seconds", type=float, default=10.0)


def measured(options: argparse.Namespace) -> Report:
    """Measure at rest and at work."""
    library = make_database(options.work / f"lag-{options.passages}", options.passages)
    if "minutes" in library.names():
        library.remove("minutes")
    folder = make_files(options.scratch / "minutes", options.files)
    questions = list(Language().questions(200, options.passages))
    rest = asyncio.run(measure(library, None, questions, options.seconds))
    busy = asyncio.run(measure(library, folder, questions, options.seconds))
    found = figures("event loop late, at rest", rest["loop"])
    found += figures("key shown, at rest", rest["key"])
    found += figures("event loop late, at work", busy["loop"], "<= 50")
    found += figures("of it the loop's own work, at work", busy["own"])
    found += figures("key shown, at work", busy["key"], "<= 100")
    found += figures(f"search of {options.passages:,} passages, at work", busy["find"])
    return Report(found)
