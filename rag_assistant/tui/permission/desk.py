"""Where requests for permission wait: as a line while the person types, as a card in a pause."""

import asyncio
from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from rag_assistant.tools.permission import Decision, PermissionRequest
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.permission.card import PermissionCard

QUIET_SECONDS = 1.0
"""How long no key must have been pressed before a card may take the focus."""

_LOOK_SECONDS = 0.1

Waiting = tuple[PermissionRequest, "asyncio.Future[Decision]"]


class PermissionDesk(Vertical):
    """Asks one request after the other; `may_interrupt` tells whether the person is not typing."""

    class Closed(Message):
        """The card had the focus and is gone; `typed` there was a letter for the prompt."""

        def __init__(self, typed: str = "") -> None:
            super().__init__()
            self.typed = typed

    def __init__(self, may_interrupt: Callable[[], bool]) -> None:
        super().__init__(id="permission")
        self._may_interrupt = may_interrupt
        self._waiting: list[Waiting] = []
        self._put_off: PermissionRequest | None = None
        self._look: Timer | None = None
        self._card: PermissionCard | None = None

    @property
    def waiting(self) -> int:
        """How many requests have no answer."""
        return len(self._waiting)

    def compose(self) -> ComposeResult:
        """Make the line; the card comes with the first request that is shown."""
        yield LaidText(id="permission-bar")

    def on_mount(self) -> None:
        """Begin with nothing to ask."""
        self._look = self.set_interval(_LOOK_SECONDS, self._open_in_a_pause, pause=True)
        self._draw()

    async def permit(self, request: PermissionRequest) -> Decision:
        """Ask the person, and wait for the answer however long it takes."""
        waiting: Waiting = (request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self.app.bell()
        self._draw()
        try:
            return await waiting[1]
        finally:
            self._waiting = [other for other in self._waiting if other is not waiting]
            if self.is_attached:
                self._close()

    def open(self) -> bool:
        """Show the first request in full and give it the focus; tells whether there is one."""
        if not self._waiting:
            return False
        self._put_off = None
        if self._card is None:
            self._card = PermissionCard()
            self.mount(self._card)
        self._card.request = self._waiting[0][0]
        self._card.display = True
        self._draw()
        self._card.focus()
        return True

    @property
    def _is_open(self) -> bool:
        return self._card is not None and self._card.display

    def _open_in_a_pause(self) -> None:
        request = self._waiting[0][0] if self._waiting else None
        new = request and not self._is_open and request is not self._put_off
        if new and self._may_interrupt():
            self.open()

    def _close(self, typed: str = "") -> None:
        had_focus = False
        if self._card:
            had_focus = self._card.has_focus
            self._card.display = False
            self._card.request = None
        self._draw()
        if had_focus:
            self.post_message(self.Closed(typed))

    @on(PermissionCard.Decided)
    def _answer(self, event: PermissionCard.Decided) -> None:
        event.stop()
        for request, future in self._waiting:
            if request is event.request and not future.done():
                future.set_result(event.decision)

    @on(PermissionCard.Left)
    def _put_it_off(self, event: PermissionCard.Left) -> None:
        event.stop()
        self._put_off = self._card.request if self._card else None
        self._close(event.typed)

    def _draw(self) -> None:
        count = self.waiting
        if self._look:
            (self._look.resume if count else self._look.pause)()
        self.display = bool(count)
        if self._card:
            self._card.others = max(0, count - 1)
        bar = self.query_one("#permission-bar", LaidText)
        bar.display = not self._is_open
        if count:
            said = f"{count} request{'' if count == 1 else 's'} waiting: Tab"
            first = self._waiting[0][0]
            tool = one_line(first.title, QUIET)
            bar.blocks = (Row(joined([plain(said, WARN), tool], plain("  "))),)
