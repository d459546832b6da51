"""Driving the interface in tests: what is on the screen, and waiting for it."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.main.main_screen import MainScreen
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.sources.evidence_panel import EvidencePanel
from rag_assistant.tui.sources.passage_view import PassageView

WIDE = (140, 40)
NARROW = (80, 24)


class Opened:
    """The interface, opened."""

    def __init__(self, app: AssistantApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def main(self) -> MainScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def box(self) -> QuestionBox:
        return self.main.query_one(QuestionBox)

    @property
    def exchanges(self) -> list[Exchange]:
        return list(self.main.query(Exchange))

    @property
    def panel(self) -> EvidencePanel:
        return self.main.query_one(EvidencePanel)

    @property
    def passage(self) -> PassageView:
        return self.main.query_one(PassageView)

    def text(self) -> str:
        """Give what is on the screen, line by line."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def words(self, selector: str = "#conversation") -> str:
        """Give what one part shows, with its line breaks levelled to single spaces."""
        region = self.app.screen.query_one(selector).region
        strips = self.app.screen._compositor.render_strips()[region.y : region.bottom]
        lines = [strip.crop(region.x, region.right).text for strip in strips]
        return " ".join("\n".join(lines).split())

    def phase(self, number: int) -> Phase:
        """Give how far a question has come."""
        return self.exchanges[number].state.phase

    def sees(self, selector: str) -> bool:
        """Tell whether a part is on the screen."""
        return self.main.query_one(selector).display

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something holds; fail by its name after ten seconds."""
        for _ in range(1000):
            if condition():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never came: {what}\n{self.text()}")

    async def type_and_send(self, question: str) -> None:
        """Type a question and press Enter."""
        self.box.focus()
        self.box.insert(question)
        await self.pilot.press("enter")
        await self.pilot.pause()

    async def ask(self, question: str) -> Exchange:
        """Ask a question and wait for its end."""
        known = len(self.exchanges)
        await self.type_and_send(question)
        await self.until(lambda: len(self.exchanges) > known, "the question")
        exchange = self.exchanges[-1]
        await self.until(lambda: exchange.state.over, "the end of the answer")
        await self.settle()
        return exchange

    async def settle(self) -> None:
        """Wait for the sources to be read and drawn."""
        while any(not worker.is_finished for worker in self.app.workers):
            with suppress(WorkerCancelled):  # one that gave way to a newer
                await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.pilot.pause()


@asynccontextmanager
async def opened(
    assistant: Assistant,
    size: tuple[int, int] = WIDE,
    store: ConversationStore | None = None,
    config_path: Path | None = None,
) -> AsyncGenerator[Opened, None]:
    """Open the interface with toasts and tooltips, whose text may do harm as well."""
    app = AssistantApp(assistant, store, config_path)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        shown = Opened(app, pilot)
        await shown.settle()
        yield shown
