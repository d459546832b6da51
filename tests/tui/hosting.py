"""One screen of the interface by itself, driven in tests."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import WorkerCancelled

import rag_assistant.tui
from rag_assistant.tui.drawing.breakpoints import WIDTHS
from rag_assistant.tui.terminal.egress_filter import EgressFilter


class Host(App[None]):
    """Opens screens as the application does, without its own screen."""

    CSS_PATH = Path(rag_assistant.tui.__file__).parent / "app.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), EgressFilter()]


class Hosted:
    """A screen that is shown; `given` is what it was dismissed with."""

    def __init__(self, app: Host, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.given: list[Any] = []

    def text(self) -> str:
        """Give what is on the screen, line by line."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def words(self, selector: str) -> str:
        """Give what one part shows, with its line breaks levelled to single spaces."""
        region = self.app.screen.query_one(selector).region
        strips = self.app.screen._compositor.render_strips()[region.y : region.bottom]
        lines = [strip.crop(region.x, region.right).text for strip in strips]
        return " ".join("\n".join(lines).split())

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Put text where the cursor is, in place of what stands there."""
        assert isinstance(self.app.focused, Input)
        self.app.focused.value = text
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something holds; fail by its name after ten seconds."""
        for _ in range(1000):
            if condition():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never came: {what}\n{self.text()}")

    async def sees(self, words: str) -> None:
        """Wait until some words are on the screen."""
        await self.until(lambda: words in self.text(), words)

    async def settle(self) -> None:
        """Wait for what runs beside the interface."""
        while any(not worker.is_finished for worker in self.app.workers):
            with suppress(WorkerCancelled):  # one that gave way to a newer
                await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.pilot.pause()


@asynccontextmanager
async def hosted(
    screen: Screen[Any], size: tuple[int, int] = (140, 40)
) -> AsyncGenerator[Hosted, None]:
    """Show a screen, with toasts and tooltips, whose text may do harm as well."""
    app = Host()
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        shown = Hosted(app, pilot)
        await app.push_screen(screen, shown.given.append)
        await shown.settle()
        yield shown
