"""An application of nothing but one screen, so that a screen is tested by itself."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.screen import Screen

import rag_assistant.tui
from rag_assistant.tui.egress_filter import EgressFilter

UNANSWERED = object()


class Host(App[None]):
    """Shows one screen, and keeps what it was dismissed with."""

    CSS_PATH = Path(rag_assistant.tui.__file__).parent / "app.tcss"

    def __init__(self, shown: Screen[Any]) -> None:
        super().__init__()
        self._shown = shown
        self.outcome: object = UNANSWERED

    def on_mount(self) -> None:
        self.push_screen(self._shown, self._keep)

    def _keep(self, outcome: object) -> None:
        self.outcome = outcome

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), EgressFilter()]


class Hosted:
    """The application, running."""

    def __init__(self, app: Host, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    def text(self) -> str:
        """Give what is on the screen, line by line."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

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


@asynccontextmanager
async def hosted(
    screen: Screen[Any], size: tuple[int, int] = (140, 40)
) -> AsyncGenerator[Hosted, None]:
    """Show a screen, with toasts and tooltips."""
    app = Host(screen)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await pilot.pause()
        yield Hosted(app, pilot)
