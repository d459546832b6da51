"""Driving the interface in tests: what is on the screen, and waiting for it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.main.database_rows import DatabaseRow
from rag_assistant.tui.main.main_screen import MainScreen
from rag_assistant.tui.question.question_box import QuestionBox
from tests.tui.driven import Driven

WIDE = (140, 40)
NARROW = (80, 24)


class Opened(Driven):
    """The interface, opened."""

    app: AssistantApp

    @property
    def main(self) -> MainScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def rows(self) -> tuple[DatabaseRow, ...]:
        return self.main.indexing.rows

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

    def words(self, selector: str = "#conversation") -> str:
        """Give what one part shows; the conversation, where none is named."""
        return super().words(selector)

    def phase(self, number: int) -> Phase:
        """Give how far a question has come."""
        return self.exchanges[number].state.phase

    def sees(self, selector: str) -> bool:
        """Tell whether a part is on the screen."""
        return self.main.query_one(selector).display

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
