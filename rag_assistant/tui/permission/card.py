"""The card that asks before a tool does more than read.

Nothing is allowed by a key that was meant for something else: keys mean nothing for a moment after
the card got the focus, and it must have been possible to read all of what will run.
"""

import time
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.tools.permission import (
    Decision,
    PermissionRequest,
    extent_lines,
    told_in_full,
)
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Indented, Row, Text, Verbatim
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.keys.key_bar import Flowing

INERT_SECONDS = 0.6
"""How long keys mean nothing after the card got the focus."""

_KEYS = [
    ("y", "once"),
    ("a", "always in this conversation"),
    ("n", "deny"),
    ("x", "all lines"),
    ("Tab", "back"),
]
_LASTING_KEYS = [("y", "from now on"), ("n", "deny"), ("x", "all lines"), ("Tab", "back")]
"""Where any yes holds from then on."""
_UNREAD = "! Read it first: End goes to its last line, x shows more"


class PermissionCard(Vertical, can_focus=True):
    """Shows `request`; `others` more are waiting behind it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "decide('once')", "Allow once"),
        Binding("a", "decide('always')", "Always in this conversation"),
        Binding("n", "decide('no')", "Deny"),
        Binding("enter,escape", "decide('no')", "Deny", show=False),
        Binding("x", "all_lines", "All lines"),
        Binding("down,j", "move('down')", "Down", show=False),
        Binding("up,k", "move('up')", "Up", show=False),
        Binding("pagedown,space", "move('page_down')", "Page down", show=False),
        Binding("pageup", "move('page_up')", "Page up", show=False),
        Binding("end", "move('end')", "To the end", show=False),
        Binding("home", "move('home')", "To the beginning", show=False),
        Binding("tab,shift+tab", "leave", "Back to typing"),
    ]

    request: reactive[PermissionRequest | None] = reactive(None)
    others: reactive[int] = reactive(0)

    class Decided(Message):
        """The person has answered."""

        def __init__(self, request: PermissionRequest, decision: Decision) -> None:
            super().__init__()
            self.request = request
            self.decision = decision

    class Left(Message):
        """The person goes back to typing, maybe with a letter that was typed here."""

        def __init__(self, typed: str = "") -> None:
            super().__init__()
            self.typed = typed

    def __init__(self) -> None:
        super().__init__(id="permission-card")
        self._focused_at = 0.0
        self._read = False

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="permission-head")
        with VerticalScroll(id="permission-scroll", can_focus=False):
            yield LaidText(id="permission-text")
        yield LaidText(id="permission-keys")

    def on_mount(self) -> None:
        """Show the request that it was made for."""
        self.watch_request()

    def watch_request(self) -> None:
        """Show another request, from its beginning."""
        if not self.children:
            return  # the request came before the parts
        self._read = False
        self.remove_class("-all")
        self._arm()
        if self.request:
            told = told_in_full(self.request)  # of a call, to the letter
            whole = plain(in_keys(told) if self.request.heading else told)
            self.query_one("#permission-text", LaidText).blocks = (Verbatim(whole),)
            self.query_one("#permission-scroll").scroll_to(y=0, animate=False)
        self._draw()

    def watch_others(self) -> None:
        """Count what waits."""
        self._draw()

    def on_focus(self) -> None:
        """Begin anew to be deaf for a moment: what is typed now was meant for the prompt."""
        self._arm()

    def _arm(self) -> None:
        self._focused_at = time.monotonic()

    @property
    def _inert(self) -> bool:
        return time.monotonic() - self._focused_at < INERT_SECONDS

    def on_key(self, event: events.Key) -> None:
        """Give letters that mean nothing here back to the prompt."""
        letter = event.character if event.is_printable else None
        if letter and event.key not in self._bindings.key_to_bindings:
            event.stop()
            self.post_message(self.Left(letter))

    def action_decide(self, answer: str) -> None:
        """Answer, unless it is too early or not all of it was there to be read."""
        decision = Decision(answer)
        if self.request is None or self._inert:
            return
        if decision is not Decision.NO and not self._was_read():
            self._draw(_UNREAD)
            return
        if decision is Decision.ONCE and self.request.heading:
            decision = Decision.ALWAYS  # as its key says
        self.post_message(self.Decided(self.request, decision))

    def _was_read(self) -> bool:
        scroll = self.query_one("#permission-scroll")
        self._read = self._read or scroll.scroll_offset.y >= scroll.max_scroll_y
        return self._read

    def action_all_lines(self) -> None:
        """Take more of the screen, or give it back."""
        self.toggle_class("-all")

    def action_move(self, how: str) -> None:
        """Scroll what will run."""
        scroll = self.query_one("#permission-scroll")
        getattr(scroll, f"scroll_{how}")(animate=False)
        self.call_after_refresh(self._was_read)

    def action_leave(self) -> None:
        """Go back to typing; the request goes on waiting."""
        self.post_message(self.Left())

    def _draw(self, remark: str = "") -> None:
        if not self.children or self.request is None:
            return
        waiting = f"{self.others} more waiting" if self.others else ""
        head = Row(one_line(self.request.title, "bold"), plain(waiting, QUIET))
        told = [
            Indented(Text(one_line(said)), plain(f"{what:<9}", QUIET))
            for what, said in extent_lines(self.request)
        ]
        self.query_one("#permission-head", LaidText).blocks = (head, *told)
        known = _LASTING_KEYS if self.request.heading else _KEYS
        keys = [joined([plain(key, "bold"), plain(f" {text}", QUIET)]) for key, text in known]
        line = Text(plain(remark, WARN)) if remark else Flowing(tuple(keys))
        self.query_one("#permission-keys", LaidText).blocks = (line,)
