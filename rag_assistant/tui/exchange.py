"""One question with its answer as it comes in: a single widget, redrawn a few times a second."""

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer

from rag_assistant.events import Event, TextDelta
from rag_assistant.tui.exchange_blocks import exchange_blocks
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.run_state import Phase, RunState

REDRAWS = 12
"""Redraws a second while text streams; more cost time and cannot be read."""

TICK_SECONDS = 0.2
"""How often the time it takes is counted up."""


class Exchange(LaidText):
    """A question, the steps taken, the answer and its outcome."""

    expanded: reactive[bool] = reactive(False)
    chosen: reactive[bool] = reactive(False)

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

    def __init__(self, state: RunState) -> None:
        super().__init__()
        self.state = state
        self._redraw: Timer | None = None
        self._ticking: Timer | None = None
        self._draw()

    def start(self) -> None:
        """Show that the question is being answered now."""
        self.state.start()
        self._ticking = self.set_interval(TICK_SECONDS, self._draw)
        self._draw()

    def apply(self, event: Event) -> None:
        """Take in an event; text is drawn with the next redraw, anything else at once."""
        self.state.apply(event)
        if not isinstance(event, TextDelta):
            self._draw()
        elif self._redraw is None:
            self._redraw = self.set_timer(1 / REDRAWS, self._draw)

    def stop(self) -> None:
        """Keep what there is and mark it as stopped."""
        self.state.stop()
        self._draw()

    def fail(self, reason: str, hint: str) -> None:
        """Show an error in the place of the answer."""
        self.state.fail(reason, hint)
        self._draw()

    def watch_expanded(self) -> None:
        """Show or hide the steps."""
        self._draw()

    def watch_chosen(self) -> None:
        """Show that keys act on it."""
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Open the citation that was clicked, or the steps; ask the question that was."""
        meta = event.style.meta
        if "citation" in meta:
            event.stop()
            self.post_message(self.CitationChosen(self, meta["citation"]))
        elif "toggle" in meta:
            event.stop()
            self.expanded = not self.expanded
        elif "suggestion" in meta:
            event.stop()
            self.post_message(self.FollowUpChosen(self.state.suggestions[meta["suggestion"]]))

    def _draw(self) -> None:
        if self._redraw:
            self._redraw.stop()
            self._redraw = None
        if self._ticking and self.state.phase is not Phase.RUNNING:
            self._ticking.stop()
            self._ticking = None
        self.blocks = exchange_blocks(self.state, expanded=self.expanded, chosen=self.chosen)
