"""How fast sources open and scroll, in a document of 500 pages, against a bare page of Textual.

Everything is measured from the key to the refreshed screen, by turns in one run; the ratios compare
with a text of one screen-filling widget, of as many lines as the reader holds, at the same size.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen

import rag_assistant.tui
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.breakpoints import WIDTHS
from rag_assistant.tui.drawing.safe_widgets import ContentLine, plain
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.tui.sources.source_text import SourceText
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Citation, EvidenceItem
from scripts.benchmarks.shared.figures import Figure, Report, percentile
from scripts.benchmarks.shared.timing import milliseconds_of

PAGES = 500
SIZES = ((140, 40), (80, 24))
HELD = 250
"""Lines of the bare page: about what the reader holds when it opens."""


class Host(App[None]):
    """Shows one screen with the styles of the interface."""

    CSS_PATH = Path(rag_assistant.tui.__file__).parent / "app.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS


class BareText(VerticalScroll):
    """A text in the simplest way there is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("pagedown", "page", "A page down")]

    def action_page(self) -> None:
        """Go a page on, or to the top again."""
        if self.scroll_y >= self.max_scroll_y:
            self.scroll_home(animate=False)
        else:
            self.scroll_page_down(animate=False)


class BarePage(Screen[None]):
    """A screen of such a text."""

    def compose(self) -> ComposeResult:
        """Make the text."""
        words = "\n".join(f"Line {line} says what lines say in books." for line in range(HELD))
        with BareText():
            yield ContentLine(plain(words))

    def on_mount(self) -> None:
        """Take the keys."""
        self.query_one(BareText).focus()


class PanelPage(Screen[None]):
    """A screen of the sources alone."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library

    def compose(self) -> ComposeResult:
        """Make the panel."""
        yield EvidencePanel(self._library)  # without the id by which a narrow screen hides it

    async def open(self, citation: Citation) -> None:
        """Open a citation as the main screen does."""
        panel = self.query_one(EvidencePanel)
        panel.passage = await asyncio.to_thread(read_passage, self._library, citation)


def make_book(folder: Path) -> None:
    """Write a document of 500 pages."""
    lines: list[str] = []
    for page in range(PAGES):
        if page % 10 == 0:
            lines += [f"# Chapter {page // 10}", ""]
        lines += [f"Page {page} line {line} says what lines say in books." for line in range(50)]
        lines += [f"The marker of page {page} is here.", ""]
    folder.mkdir()
    (folder / "book.md").write_text("\n".join(lines), encoding="utf-8")


@asynccontextmanager
async def running(size: tuple[int, int]) -> AsyncGenerator[Pilot[None], None]:
    """Run the host."""
    async with Host().run_test(size=size, notifications=True, tooltips=True) as pilot:
        await pilot.pause()
        yield pilot


async def painted(app: App[Any], is_there: Callable[[], bool]) -> None:
    """Wait until something holds, and the screen was refreshed after it."""
    while not is_there():
        # Not 0: a loop that spins takes Python's lock from the thread that reads, row by row.
        await asyncio.sleep(0.001)
    drawn = asyncio.Event()
    app.screen.call_after_refresh(drawn.set)
    await drawn.wait()


async def pages(pilot: Pilot[None], text: Any, rounds: int) -> list[float]:
    """Go page after page down a text."""

    async def page() -> None:
        before = text.scroll_y
        pilot.app.simulate_key("pagedown")
        await painted(pilot.app, lambda: bool(text.scroll_y != before))

    taken = []
    for _ in range(rounds):
        await pilot.pause(0.03)  # as fast as a held key repeats
        taken.append(await milliseconds_of(page, time.perf_counter))
    return taken


async def opening(pilot: Pilot[None], make: Callable[[], Screen[None]], rounds: int) -> list[float]:
    """Open a screen again and again, until its text is there."""

    async def open_it() -> None:
        screen = make()
        await pilot.app.push_screen(screen)
        await painted(pilot.app, lambda: all(text.virtual_size.height for text in _texts(screen)))

    taken = []
    for _ in range(rounds):
        taken.append(await milliseconds_of(open_it, time.perf_counter))
        await pilot.pause()
        await pilot.app.pop_screen()
    return taken


def _texts(screen: Screen[None]) -> list[Any]:
    return [*screen.query(SourceText), *screen.query(BareText)]


async def measure(library: Library, size: tuple[int, int], rounds: int) -> dict[str, list[float]]:
    """Measure everything at one size."""
    database = library.database("book")
    (entry,) = database.entries()
    text = database.text(entry.id)
    found: dict[str, list[float]] = {}

    def citation(page: int) -> Citation:
        words = f"The marker of page {page} is here."
        at = text.index(words)
        place = Location(at, at + len(words))
        item = EvidenceItem("book", entry.id, entry.title, entry.path, words, place, True)
        return Citation(1, item)

    def reader(page: int = 100) -> ReaderScreen:
        place = citation(page).item.location
        return ReaderScreen(database, entry.id, place.start, place.end)

    async with running(size) as pilot:
        found["bare page opened"] = await opening(pilot, BarePage, rounds)
        found["reader opened"] = await opening(pilot, reader, rounds)
        await pilot.app.push_screen(BarePage())
        await pilot.pause()
        bare = pilot.app.screen.query_one(BareText)
        found["bare page down"] = await pages(pilot, bare, rounds)
        await pilot.app.push_screen(reader())
        await pilot.pause(0.2)
        shown = pilot.app.screen.query_one(SourceText)
        found["reader page down"] = await pages(pilot, shown, rounds)
        panel = PanelPage(library)
        await pilot.app.push_screen(panel)
        await pilot.pause(0.2)
        view = panel.query_one(PassageView)
        taken = found["passage on screen"] = []
        for number in range(rounds):
            cited = citation(7 * number % PAGES)

            async def open_passage(cited: Citation = cited) -> None:
                await panel.open(cited)
                await painted(pilot.app, lambda: view.sees(cited.item.location.start))

            taken.append(await milliseconds_of(open_passage, time.perf_counter))
    return found


AGAINST = {
    "reader opened": "bare page opened",
    "passage on screen": "bare page opened",
    "reader page down": "bare page down",
}
GOALS = {"passage on screen": "<= 150", "reader page down": "<= 50"}


def figures(found: dict[str, list[float]], size: tuple[int, int]) -> list[Figure]:
    """Give the median, and the time that one in twenty exceeds, with the ratio to the bare page."""
    given = []
    for what, values in found.items():
        name = f"{what} at {size[0]}×{size[1]}"
        for share, part in ((0.5, "p50"), (0.95, "p95")):
            value = percentile(values, share)
            detail = f"most {max(values):.1f}" if part == "p95" else ""
            if what in AGAINST:
                base = percentile(found[AGAINST[what]], share)
                detail = f"{value / base:.2f} of the {AGAINST[what]}"
            goal = GOALS.get(what, "") if part == "p95" else ""
            given.append(Figure(f"{name}, {part}", value, "ms", goal, detail))
    return given


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let it be shorter."""
    parser.add_argument("--rounds", type=int, default=40)


def measured(options: argparse.Namespace) -> Report:
    """Measure at both sizes."""
    folder = options.scratch / "book"
    make_book(folder)
    library = Library(options.scratch / "home")
    library.index(folder)
    return Report(
        [
            figure
            for size in SIZES
            for figure in figures(asyncio.run(measure(library, size, options.rounds)), size)
        ]
    )
