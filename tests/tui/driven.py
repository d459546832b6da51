"""What drives the interface in tests: what is on the screen, and waiting for it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerCancelled


class Driven:
    """An application that runs without a terminal."""

    def __init__(self, app: App[None], pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    def text(self) -> str:
        """Give what is on the screen, line by line."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def words(self, selector: str) -> str:
        """Give what one part shows, with its line breaks levelled to single spaces."""
        region = self.app.screen.query_one(selector).region
        strips = self.app.screen._compositor.render_strips()[region.y : region.bottom]
        lines = [strip.crop(region.x, region.right).text for strip in strips]
        return " ".join("\n".join(lines).split())

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something holds; fail by its name after ten seconds."""
        for _ in range(1000):
            if condition():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never came: {what}\n{self.text()}")

    async def settle(self) -> None:
        """Wait for what runs beside the interface, and for it to be drawn."""
        while any(not worker.is_finished for worker in self.app.workers):
            with suppress(WorkerCancelled):  # one that gave way to a newer
                await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.pilot.pause()
