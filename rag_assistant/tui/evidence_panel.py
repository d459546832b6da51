"""The sources of an answer: a card for each citation, and below them the source itself, opened at
the quoted words.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.evidence import Citation
from rag_assistant.tui.exchange_blocks import GOOD, QUIET, WARN
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Block, Indented, Row, Rule, Text
from rag_assistant.tui.passage_view import PassageView, passage_head
from rag_assistant.tui.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.source_passage import SourcePassage

NOTHING_CITED = "What an answer cites is listed here, and opens at the quoted words."


class EvidencePanel(Vertical):
    """Shows `citations` with the one of `chosen`, and `passage` below."""

    citations: reactive[tuple[Citation, ...]] = reactive(())
    chosen: reactive[int] = reactive(0)
    passage: reactive[SourcePassage | None] = reactive(None)

    class Chosen(Message):
        """A card was clicked."""

        def __init__(self, marker: int) -> None:
            super().__init__()
            self.marker = marker

    def compose(self) -> ComposeResult:
        """Make the cards and the passage."""
        with VerticalScroll(id="cards-scroll", can_focus=False):
            yield LaidText(id="cards")
        yield LaidText(id="passage-head")
        yield PassageScroll(PassageView(id="passage"), id="passage-scroll")

    def on_mount(self) -> None:
        """Show the empty panel."""
        self._show_cards()

    def watch_citations(self) -> None:
        """List other cards."""
        self._show_cards()

    def watch_chosen(self) -> None:
        """Mark another card."""
        self._show_cards()

    def watch_passage(self) -> None:
        """Open a source, scrolled so that the quoted words stand a little below the top."""
        passage = self.passage
        self.query_one("#passage-head", LaidText).blocks = passage_head(passage) if passage else ()
        self.query_one(PassageView).passage = passage
        self.call_after_refresh(self._scroll_to_quote)

    @on(PassageView.LaidOut)
    def _scroll_to_quote(self) -> None:
        line = self.query_one(PassageView).quote_line()
        scroll = self.query_one("#passage-scroll")
        above = max(2, scroll.size.height // 4)
        scroll.scroll_to(y=max(0, line - above), animate=False)

    def on_click(self, event: events.Click) -> None:
        """Choose the card that was clicked."""
        marker = event.style.meta.get("citation")
        if marker is not None:
            event.stop()
            self.post_message(self.Chosen(marker))

    def _show_cards(self) -> None:
        if not self.children:
            return  # the values came before the parts
        self.query_one("#cards", LaidText).blocks = _cards(self.citations, self.chosen)
        for part in ("#passage-head", "#passage-scroll"):
            self.query_one(part).display = bool(self.citations)


class PassageScroll(VerticalScroll):
    """Scrolls the source by keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", show=False),
        Binding("k,up", "scroll_up", "Up", show=False),
        Binding("escape", "leave", "Back"),
    ]

    class Left(Message):
        """The person is done here."""

    def action_leave(self) -> None:
        """Go back to the question."""
        self.post_message(self.Left())


def _cards(citations: Sequence[Citation], chosen: int) -> tuple[Block, ...]:
    head = [plain("Sources", "bold")]
    if citations:
        head.append(plain(f"  {len(citations)} cited", QUIET))
    blocks: list[Block] = [Row(joined(head)), Rule()]
    if not citations:
        return (*blocks, Text(plain(NOTHING_CITED, QUIET)))
    for citation in citations:
        blocks += _card(citation, citation.marker == chosen)
    return tuple(blocks)


def _card(citation: Citation, chosen: bool) -> list[Block]:
    item = citation.item
    mark = plain("▌" if chosen else " ", "$text-accent")
    number = plain(f"[{citation.marker}] ", "bold $text-accent")
    title = one_line(item.title or item.path, "bold" if chosen else "")
    found = plain("✓ quote found", GOOD) if item.verified else plain("! not found", WARN)
    indent = plain(" " * (number.cell_length - 1))
    where = joined([found, plain("  "), one_line(item.path, QUIET)])
    meta = {"citation": citation.marker}
    lines = [joined([number, title]), joined([indent, plain(" "), where])]
    return [Indented(Row(clickable(line, meta)), mark, mark) for line in lines]
