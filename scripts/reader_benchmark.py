"""How fast sources open and scroll, in a document of 500 pages, against a bare page of Textual:

    .venv/bin/python scripts/reader_benchmark.py            # --rounds N, --json

Everything is measured from the key to the refreshed screen, by turns in one run; the ratios compare
with a text of one screen-filling widget, of as many lines as the reader holds, at the same size.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen

import rag_assistant.tui
from rag_assistant.documents import Location
from rag_assistant.evidence import Citation, EvidenceItem
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.breakpoints import WIDTHS
from rag_assistant.tui.drawing.safe_widgets import Line, plain
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.sources.evidence_panel import EvidencePanel
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.tui.sources.passage_view import PassageView
from rag_assistant.tui.sources.source_text import SourceText

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
            yield Line(plain(words))

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
        await asyncio.sleep(0)
    drawn = asyncio.Event()
    app.screen.call_after_refresh(drawn.set)
    await drawn.wait()


async def timed(act: Callable[[], Awaitable[None]]) -> float:
    """Give the milliseconds that something took."""
    started = time.perf_counter()
    await act()
    return (time.perf_counter() - started) * 1000


async def pages(pilot: Pilot[None], text: Any, rounds: int) -> list[float]:
    """Go page after page down a text."""

    async def page() -> None:
        before = text.scroll_y
        pilot.app.simulate_key("pagedown")
        await painted(pilot.app, lambda: bool(text.scroll_y != before))

    taken = []
    for _ in range(rounds):
        await pilot.pause(0.03)  # as fast as a held key repeats
        taken.append(await timed(page))
    return taken


async def opening(pilot: Pilot[None], make: Callable[[], Screen[None]], rounds: int) -> list[float]:
    """Open a screen again and again, until its text is there."""

    async def open_it() -> None:
        screen = make()
        await pilot.app.push_screen(screen)
        await painted(pilot.app, lambda: all(text.virtual_size.height for text in _texts(screen)))

    taken = []
    for _ in range(rounds):
        taken.append(await timed(open_it))
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

            taken.append(await timed(open_passage))
    return found


def at(values: list[float], share: float) -> float:
    """Give the value that a share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report(found: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Give the lines of the table for one size."""
    against = {
        "reader opened": "bare page opened",
        "passage on screen": "bare page opened",
        "reader page down": "bare page down",
    }
    lines = []
    for what, values in found.items():
        base = found.get(against.get(what, what), values)
        lines.append(
            {
                "what": what,
                "p50_ms": round(at(values, 0.5), 1),
                "p95_ms": round(at(values, 0.95), 1),
                "max_ms": round(max(values), 1),
                "ratio_p50": round(at(values, 0.5) / at(base, 0.5), 2),
                "ratio_p95": round(at(values, 0.95) / at(base, 0.95), 2),
            }
        )
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "book"
        make_book(folder)
        library = Library(Path(home) / "home")
        library.index(folder)
        tables = {
            size: report(asyncio.run(measure(library, size, wanted.rounds))) for size in SIZES
        }
    if wanted.json:
        print(json.dumps([{"size": size, "figures": lines} for size, lines in tables.items()]))
        return
    for size, lines in tables.items():
        print(f"\n{size[0]}×{size[1]:<18}  p50 ms  p95 ms  max ms  ratio p50  ratio p95")
        for line in lines:
            figures = [f"{line[key]:8}" for key in ("p50_ms", "p95_ms", "max_ms")]
            ratios = [f"{line[key]:11}" for key in ("ratio_p50", "ratio_p95")]
            print(f"{line['what']:<20}  {''.join(figures)}{''.join(ratios)}")


if __name__ == "__main__":
    main()
