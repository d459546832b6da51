"""The application around the screen: its colours, its styles, and the guard on what it draws."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual import events, messages
from textual.app import App
from textual.dom import DOMNode
from textual.filter import ANSIToTruecolor, LineFilter
from textual.screen import Screen
from textual.widgets import Input, TextArea

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.beside import beside, once_drawn
from rag_assistant.tui.drawing.breakpoints import WIDTHS, class_at
from rag_assistant.tui.drawing.safe_widgets import toast
from rag_assistant.tui.first_run.beginning import Beginning
from rag_assistant.tui.main.commands import command_of
from rag_assistant.tui.main.main_screen import MainScreen
from rag_assistant.tui.main.other_screens import Places
from rag_assistant.tui.terminal.ascii_filter import AsciiFilter
from rag_assistant.tui.terminal.crash_report import CRASHED, paragraph, write_report
from rag_assistant.tui.terminal.egress_filter import EgressFilter
from rag_assistant.tui.terminal.failed_work import ToldWorkers, told_of
from rag_assistant.tui.terminal.idle_collection import IdleCollection
from rag_assistant.tui.terminal.themes import begin_with_theme
from rag_assistant.tui.terminal.unfinished import Unfinished, UnfinishedFile, left_behind

KEEP_SECONDS = 1.0
"""How much of what is typed a program that is killed may lose."""

LOOK_SECONDS = 1.0
"""How often it is looked whether there is a pause for what takes long."""

STANDING_SECONDS = 0.05
"""How soon it is looked again whether all parts stand."""

FIRST_CSS = "first_run/screen.tcss"
"""The styles of the first screen, where the program begins with it."""


class AssistantApp(App[None]):
    """Shows the assistant in a terminal."""

    TITLE = "rag-assistant"
    CSS_PATH = "app.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    _GUARD: ClassVar[LineFilter] = EgressFilter()

    def __init__(
        self,
        assistant: Assistant,
        store: ConversationStore | None = None,
        config_path: Path | None = None,
        beginning: Beginning | None = None,
    ) -> None:
        # Styles that come with a screen later have all others read and applied once more.
        super().__init__(css_path=[self.CSS_PATH, FIRST_CSS] if beginning else None)
        self._assistant = assistant
        self._places = Places(store, config_path)
        self._beginning = beginning
        self._last_key = 0.0
        self._collection = IdleCollection(self)
        self._unfinished = UnfinishedFile(assistant.library.home)
        self._workers = ToldWorkers(self, self._tell_of)
        if not assistant.config.animations:
            self.animation_level = "none"
        begin_with_theme(self, assistant.config.theme)

    def get_default_screen(self) -> MainScreen:
        """Give the screen that everything happens on."""
        screen = MainScreen(self._assistant, self, self._places)
        # Where it only learns of the width once it is drawn, all styles are made twice.
        screen.add_class(class_at(self.size.width), update=False)
        return screen

    def on_mount(self) -> None:
        """Begin with a folder where there is one to index, or none yet."""
        once_drawn(self, self._collection.start)
        self.set_interval(LOOK_SECONDS, self._look_for_garbage)
        if self._beginning:
            from rag_assistant.tui.first_run.screen import FirstRunScreen  # noqa: PLC0415

            path = self._places.config_path
            screen = FirstRunScreen(self._assistant, self._beginning, path)
            screen.add_class(class_at(self.size.width), update=False)
            self.push_screen(screen, self._main.begin)
        beside(self, self._offer_left, "left", exclusive=False)
        self.set_interval(KEEP_SECONDS, self._keep)

    def _look_for_garbage(self) -> None:
        """Leave it for later while text is written: it would stand still for 0.3 s."""
        # The last rounds of its timer may come when the screens are closed already.
        if self.screen_stack and not self._main.columns.conversation.writes:
            self._collection.look()

    def exit(
        self,
        result: None = None,
        return_code: int = 0,
        message: RenderableType | None = None,
    ) -> None:
        """Leave once all parts stand: a screen that is being made gets none any more, and fails."""
        if self._stands:
            super().exit(result, return_code, message)
        else:
            self.set_timer(STANDING_SECONDS, partial(self.exit, result, return_code, message))

    def on_exit_app(self, event: messages.ExitApp) -> None:
        """Leave later if a page is closed, or a signal comes, before all parts stand."""
        if not self._stands:
            event.prevent_default()
            self.set_timer(STANDING_SECONDS, partial(self.post_message, messages.ExitApp()))

    @property
    def _stands(self) -> bool:
        return bool(self.screen_stack) and all(screen.is_mounted for screen in self.screen_stack)

    @property
    def _main(self) -> MainScreen:
        main = self.screen_stack[0]
        assert isinstance(main, MainScreen)
        return main

    @property
    def quiet_seconds(self) -> float:
        """Seconds since the last key."""
        return time.monotonic() - self._last_key

    async def on_event(self, event: events.Event) -> None:
        """Note when a key comes, whatever becomes of it."""
        if isinstance(event, events.Key | events.Paste):
            self._last_key = time.monotonic()
        await super().on_event(event)

    async def run_action(
        self,
        action: str | tuple[str, str, tuple[Any, ...]],
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Let what a key does on a screen wait until its parts stand.

        A key that was pressed on the screen before comes up to here when the next one is shown
        already, and would act on one that has no list and no line yet.
        """
        if isinstance(default_namespace, Screen) and not default_namespace.is_mounted:
            default_namespace.call_after_refresh(
                self.run_action, action, default_namespace, namespaces
            )
            return True
        return await super().run_action(action, default_namespace, namespaces)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let no cursor blink where nothing is to move."""
        widget = event.widget
        if not self._assistant.config.animations and isinstance(widget, Input | TextArea):
            widget.cursor_blink = False

    def action_command_palette(self) -> None:
        """List everything that can be done."""
        from rag_assistant.tui.main.command_list import (  # noqa: PLC0415
            CommandList,
            Listed,
            listed_commands,
            listed_keys,
        )

        here = self.screen
        if isinstance(here, CommandList):
            return

        async def act(chosen: Listed | None) -> None:
            if chosen and chosen.node:
                await self.run_action(chosen.name, chosen.node)
            elif chosen and (command := command_of(chosen.name)):
                await self._main.run_command(command)

        listed = listed_commands() if here is self._main else listed_keys(here)
        self.push_screen(CommandList(listed), act)

    async def on_unmount(self) -> None:
        """Let go of what the models hold; what ended well leaves nothing to restore."""
        self._collection.stop()
        if self.return_code != CRASHED:
            with suppress(OSError):
                self._unfinished.keep(Unfinished())
        await self._assistant.aclose()

    # What the person would lose

    async def _offer_left(self) -> None:
        if left := await asyncio.to_thread(left_behind, self._assistant.library.home):
            self._main.session.offer(left)

    def _keep(self) -> None:
        """Keep what is written now, beside everything else."""
        if not (self.screen_stack and self._main.query_one_optional("QuestionBox")):
            return  # the program is ending
        keep = partial(asyncio.to_thread, self._unfinished.keep, self._main.session.unfinished)
        beside(self, keep, "unfinished")

    def _tell_of(self, error: Exception) -> None:
        """Tell of work beside the interface that failed unexpectedly; all else goes on."""

        async def tell() -> None:
            told = await told_of(error, self._assistant.library.home)
            self._main.notice(told)
            if self.screen is not self._main:
                toast(self, told)

        beside(self, tell, "failure", exclusive=False)

    def _handle_exception(self, error: Exception) -> None:
        """End with what was written kept and one paragraph, where Textual prints a traceback.

        There is no public place for it: each exception of a handler comes here.
        """
        if self.return_code == CRASHED:
            return
        self._return_code = CRASHED
        home, cause = self._assistant.library.home, getattr(error, "error", error)
        report: Path | None = None
        kept = True
        try:
            self._unfinished.keep(self._main.session.unfinished)
        except Exception:  # noqa: BLE001 - the report must come whatever else is broken
            kept = False
        with suppress(OSError):
            report = write_report(home, cause)
        self.panic(Text(paragraph(cause, report, kept)))
        self._exception = error  # as Textual does, for tests, which raise it again
        self._exception_event.set()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Put the guard behind all other filters."""
        drawn: list[LineFilter] = [AsciiFilter()] if self._assistant.config.ascii else []
        # Nothing here is drawn in colours by number, whose place in a theme it would look up.
        own = [one for one in super().get_line_filters() if not isinstance(one, ANSIToTruecolor)]
        return [*own, self._GUARD, *drawn]
