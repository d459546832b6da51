"""One screen of the interface by itself, driven in tests."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

import rag_assistant.tui
from rag_assistant.tui.drawing.breakpoints import WIDTHS
from rag_assistant.tui.terminal.egress_filter import EgressFilter
from tests.tui.driven import Driven


class Host(App[None]):
    """Opens screens as the application does, without its own screen."""

    CSS_PATH = Path(rag_assistant.tui.__file__).parent / "app.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), EgressFilter()]


class Hosted(Driven):
    """A screen that is shown; `given` is what it was dismissed with."""

    def __init__(self, app: Host, pilot: Pilot[None]) -> None:
        super().__init__(app, pilot)
        self.given: list[Any] = []

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Put text where the cursor is, in place of what stands there."""
        assert isinstance(self.app.focused, Input)
        self.app.focused.value = text
        await self.pilot.pause()

    async def sees(self, words: str) -> None:
        """Wait until some words are on the screen."""
        await self.until(lambda: words in self.text(), words)


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
