"""The application around the screen: its colours, its styles, and the guard on what it draws."""

import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.commands import COMMANDS
from rag_assistant.tui.egress_filter import EgressFilter
from rag_assistant.tui.main_screen import MainScreen
from rag_assistant.tui.themes import use_theme

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

    def __init__(
        self,
        assistant: Assistant,
        store: ConversationStore | None = None,
        config_path: Path | None = None,
    ) -> None:
        super().__init__()
        self._assistant = assistant
        self._store = store
        self._config_path = config_path
        self._last_key = 0.0
        self.register_theme(PAPER_AND_INK)
        self.theme = PAPER_AND_INK.name
        use_theme(self, assistant.config.theme)

    def get_default_screen(self) -> MainScreen:
        """Give the screen that everything happens on."""
        return MainScreen(self._assistant, self, self._store, self._config_path)

    @property
    def quiet_seconds(self) -> float:
        """Seconds since the last key."""
        return time.monotonic() - self._last_key

    async def on_event(self, event: events.Event) -> None:
        """Note when a key comes, whatever becomes of it."""
        if isinstance(event, events.Key | events.Paste):
            self._last_key = time.monotonic()
        await super().on_event(event)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """List everything that can be done."""
        main = self.screen_stack[0]
        if screen is main:
            for command in COMMANDS:
                act = partial(main.run_action, f"screen.{command.action}")
                yield SystemCommand(command.help, f"/{command.word}", act)
        for given in super().get_system_commands(screen):
            if given.title == "Theme":
                yield given

    async def on_unmount(self) -> None:
        """Let go of what the models hold."""
        await self._assistant.aclose()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Put the guard behind all other filters."""
        return [*super().get_line_filters(), self._GUARD]
