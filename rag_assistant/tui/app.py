"""The application around the screen: its colours, its styles, and the guard on what it draws."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import App
from textual.filter import LineFilter
from textual.theme import Theme

from rag_assistant.assistant import Assistant
from rag_assistant.tui.egress_filter import EgressFilter
from rag_assistant.tui.main_screen import MainScreen

PAPER_AND_INK = Theme(
    name="rag-assistant",
    primary="#7aa2c8",
    secondary="#9db4a0",
    accent="#e3b65c",
    success="#8fb573",
    warning="#e0a458",
    error="#d9736a",
    foreground="#d7d5cf",
    background="#16181c",
    surface="#1c1f24",
    panel="#24282f",
    dark=True,
)
"""One warm accent, for what is cited, on a quiet ground."""


class AssistantApp(App[None]):
    """Shows the assistant in a terminal."""

    TITLE = "rag-assistant"
    CSS_PATH = "app.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's name and form
        (0, "-narrow"),
        (80, "-medium"),
        (110, "-wide"),
    ]
    _GUARD: ClassVar[LineFilter] = EgressFilter()

    def __init__(self, assistant: Assistant) -> None:
        super().__init__()
        self._assistant = assistant
        self.register_theme(PAPER_AND_INK)
        self.theme = PAPER_AND_INK.name

    def get_default_screen(self) -> MainScreen:
        """Give the screen that everything happens on."""
        return MainScreen(self._assistant)

    async def on_unmount(self) -> None:
        """Let go of what the models hold."""
        await self._assistant.aclose()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Put the guard behind all other filters."""
        return [*super().get_line_filters(), self._GUARD]
