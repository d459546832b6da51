"""One question with its answer as it comes in: a single widget, redrawn a few times a second."""

from typing import TYPE_CHECKING, Literal

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer

from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.signs import MARGIN
from rag_assistant.values.events import Event, TextDelta
from rag_assistant.values.evidence import EvidenceItem

if TYPE_CHECKING:
    from rag_assistant.tui.drawing.growing_markdown import GrowingMarkdown

REDRAWS = 5
"""Redraws a second while text streams; more cost time and cannot be read."""

TICK_SECONDS = 0.2
"""How often the time it takes is counted up."""

AnswerAction = Literal[
    "steps", "details", "edit", "retry", "go_on", "widen", "remove", "failures", "compare"
]
"""What can be done with a question; the first two only show more of it."""


class Exchange(LaidText):
    """A question, the steps taken, the answer and its outcome."""

    expanded: reactive[bool] = reactive(False, init=False)
    chosen: reactive[bool] = reactive(False, init=False)
    details: reactive[bool] = reactive(False, init=False)

    class CitationChosen(Message):
        """A citation was clicked."""

        def __init__(self, exchange: "Exchange", marker: int) -> None:
            super().__init__()
            self.exchange = exchange
            self.marker = marker

    class FollowUpChosen(Message):
        """A suggested question was clicked."""

        def __init__(self, question: str) -> None:
            super().__init__()
            self.question = question

    class ItemChosen(Message):
        """Words that come near, and are not cited, are to be opened."""

        def __init__(self, item: EvidenceItem) -> None:
            super().__init__()
            self.item = item

    class ActionChosen(Message):
        """Something that can be done with the question was clicked."""

        def __init__(self, exchange: "Exchange", action: AnswerAction) -> None:
            super().__init__()
            self.exchange = exchange
            self.action = action

    class Ended(Message):
        """The answer is there, with all that can be looked up about it."""

        def __init__(self, exchange: "Exchange") -> None:
            super().__init__()
            self.exchange = exchange

    def __init__(self, state: RunState) -> None:
        super().__init__()
        self.state = state
        self._redraw: Timer | None = None
        self._ticking: Timer | None = None
        self._growing: GrowingMarkdown | None = None
        self.draw()

    def on_mount(self) -> None:
        """Tell of an answer that was there before, if nothing was looked up about it yet."""
        if self.state.over and not self.state.quotes:
            self.post_message(self.Ended(self))

    def start(self) -> None:
        """Show that the question is being answered now."""
        self.state.start()
        self._ticking = self.set_interval(TICK_SECONDS, self._tick)
        self.draw()

    def _tick(self) -> None:
        """Count up, unless text is drawn soon in any case."""
        if self._redraw is None:
            self.draw()

    def apply(self, event: Event) -> None:
        """Take in an event; text is drawn with the next redraw, anything else at once."""
        was_over = self.state.over
        self.state.apply(event)
        if not isinstance(event, TextDelta):
            self.draw()
        elif self._redraw is None:
            self._redraw = self.set_timer(1 / REDRAWS, self.draw)
        if self.state.over and not was_over:
            self.post_message(self.Ended(self))

    def stop(self) -> None:
        """Keep what there is and mark it as stopped."""
        self.state.stop()
        self.draw()
        self.post_message(self.Ended(self))

    def fail(self, reason: str, hint: str, details: tuple[str, ...] = ()) -> None:
        """Show an error in the place of the answer."""
        self.state.fail(reason, hint, details)
        self.draw()

    def watch_expanded(self) -> None:
        """Show or hide the steps."""
        self.draw()

    def watch_details(self) -> None:
        """Show or hide all that is known of an error, or all that an answer saw."""
        self.draw()

    def watch_chosen(self) -> None:
        """Show that keys act on it."""
        self.draw()

    def on_click(self, event: events.Click) -> None:
        """Open what was clicked, ask the question that was, or do what was."""
        meta = event.style.meta
        message: Message | None = None
        if "citation" in meta:
            message = self.CitationChosen(self, meta["citation"])
        elif "action" in meta:
            message = self.ActionChosen(self, meta["action"])
        elif "suggestion" in meta:
            message = self.FollowUpChosen(self.state.suggestions[meta["suggestion"]])
        elif "closest" in meta:
            message = self.ItemChosen(self.state.closest[meta["closest"] - 1])
        if message:
            event.stop()
            self.post_message(message)

    def draw(self) -> None:
        """Draw it as it stands now."""
        if self._redraw:
            self._redraw.stop()
            self._redraw = None
        if self._ticking and self.state.phase is not Phase.RUNNING:
            self._ticking.stop()
            self._ticking = None
        # It loads Markdown and all that an answer may say: the first picture has no answers.
        from rag_assistant.tui.chat.exchange_blocks import exchange_blocks  # noqa: PLC0415
        from rag_assistant.tui.drawing.growing_markdown import GrowingMarkdown  # noqa: PLC0415

        self._growing = self._growing or GrowingMarkdown(MARGIN)
        self.blocks = exchange_blocks(
            self.state,
            expanded=self.expanded,
            chosen=self.chosen,
            details=self.details,
            growing=self._growing,
        )
