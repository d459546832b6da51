"""The cards of the sources, and what was retrieved besides: a list that follows the chosen one."""

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.evidence.cards import CARD_LINES, Sources, card_line, panel_cards


class CardList(VerticalScroll, can_focus=False):
    """Shows sources, the one of a number chosen; says which one was clicked."""

    class CitationClicked(Message):
        """The card of a citation was clicked."""

        def __init__(self, marker: int) -> None:
            super().__init__()
            self.marker = marker

    class UncitedClicked(Message):
        """What was retrieved and not cited was clicked; `number` is its place in that list."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class AllClicked(Message):
        """The head of what was retrieved and not cited was clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._line: int | None = None

    def compose(self) -> ComposeResult:
        """Make the list."""
        yield LaidText(id="cards")

    def show(self, sources: Sources, chosen: int, *, all_shown: bool) -> None:
        """List other sources, or mark another one."""
        markers = [citation.marker for citation in sources.citations]
        self._line = card_line(markers.index(chosen)) if chosen in markers else None
        self.query_one(LaidText).blocks = panel_cards(sources, chosen, all_shown=all_shown)
        self.follow()

    def follow(self) -> None:
        """Scroll to the chosen card, as soon as it is laid out."""
        self.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        line, top = self._line, self.scroll_y
        if line is not None and not top <= line <= top + self.size.height - CARD_LINES:
            self.scroll_to(y=line, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        meta = event.style.meta
        clicked: Message | None = None
        if "citation" in meta:
            clicked = self.CitationClicked(meta["citation"])
        elif "retrieved" in meta:
            clicked = self.UncitedClicked(meta["retrieved"])
        elif "all" in meta:
            clicked = self.AllClicked()
        if clicked:
            event.stop()
            self.post_message(clicked)
