"""The sources of an answer: a card for each citation, and below them the source itself, opened at
the quoted words. With a library at hand it checks each quote against what the source holds now.
"""

from collections.abc import Mapping
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.evidence import Citation, EvidenceItem
from rag_assistant.library.library import Library
from rag_assistant.tui.clipboard import Copied, copy_beside
from rag_assistant.tui.evidence_panel_cards import panel_cards
from rag_assistant.tui.exchange_blocks import problem
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Text
from rag_assistant.tui.passage_view import PassageView, passage_head
from rag_assistant.tui.safe_widgets import one_line
from rag_assistant.tui.source_passage import (
    QuoteState,
    SourcePassage,
    check_citations,
    read_passage,
)
from rag_assistant.tui.source_reference import with_reference

NO_NUMBER = 0
"""The marker of words that were retrieved and not cited."""


class EvidencePanel(Vertical):
    """Shows `citations` with the one of `chosen`, and `passage` below.

    `retrieved` are all words that were found for the answer; those not cited are listed on `e`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("n,right", "step(1)", "Next citation"),
        Binding("p,left", "step(-1)", "Citation before", show=False),
        Binding("enter", "read", "Read it whole"),
        Binding("y", "copy", "Copy"),
        Binding("e", "all", "All that was retrieved"),
    ]

    citations: reactive[tuple[Citation, ...]] = reactive(())
    retrieved: reactive[tuple[EvidenceItem, ...]] = reactive(())
    states: reactive[Mapping[int, QuoteState]] = reactive(dict)
    all_shown: reactive[bool] = reactive(False)
    chosen: reactive[int] = reactive(0)
    passage: reactive[SourcePassage | None] = reactive(None)

    class Chosen(Message):
        """A card was clicked, or its number pressed."""

        def __init__(self, marker: int) -> None:
            super().__init__()
            self.marker = marker

    class Checked(Message):
        """The quotes of some citations were compared with their sources."""

        def __init__(
            self, citations: tuple[Citation, ...], states: Mapping[int, QuoteState]
        ) -> None:
            super().__init__()
            self.citations = citations
            self.states = states

    class PassageRead(Message):
        """The source of words that are not cited was read."""

        def __init__(self, passage: SourcePassage) -> None:
            super().__init__()
            self.passage = passage

    def __init__(self, library: Library | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._library = library

    def compose(self) -> ComposeResult:
        """Make the cards and the passage."""
        with VerticalScroll(id="cards-scroll", can_focus=False):
            yield LaidText(id="cards")
        yield LaidText(id="passage-head")
        yield PassageScroll(PassageView(id="passage"), id="passage-scroll")
        yield LaidText(id="evidence-remark")

    def on_mount(self) -> None:
        """Show the empty panel."""
        self._show_cards()
        self._remark("")

    def watch_citations(self) -> None:
        """List other cards, and check their quotes."""
        self._show_cards()
        if self._library and self.citations:
            self._check(self._library, self.citations)

    @work(thread=True, exclusive=True, group="check", exit_on_error=False)
    def _check(self, library: Library, citations: tuple[Citation, ...]) -> None:
        self.post_message(self.Checked(citations, check_citations(library, citations)))

    @on(Checked)
    def _take_states(self, event: Checked) -> None:
        if event.citations == self.citations:
            self.states = event.states

    def watch_states(self) -> None:
        """Show how the quotes stand to their sources."""
        self._show_cards()

    def watch_retrieved(self) -> None:
        """Count or list what was retrieved besides."""
        self._show_cards()

    def watch_all_shown(self) -> None:
        """List or fold what was retrieved besides."""
        self._show_cards()

    def watch_chosen(self) -> None:
        """Mark another card."""
        self._show_cards()

    def watch_passage(self) -> None:
        """Open a source, scrolled so that the quoted words stand a little below the top."""
        passage = self.passage
        self.query_one("#passage-head", LaidText).blocks = passage_head(passage) if passage else ()
        self.query_one(PassageView).passage = passage
        if passage and passage.citation in self.citations:
            self.states = {**self.states, passage.citation.marker: passage.state}
        self._remark("")
        self._show_cards()
        self.call_after_refresh(self._scroll_to_quote)

    @on(PassageView.LaidOut)
    def _scroll_to_quote(self) -> None:
        line = self.query_one(PassageView).quote_line()
        scroll = self.query_one("#passage-scroll")
        above = max(2, scroll.size.height // 4)
        scroll.scroll_to(y=max(0, line - above), animate=False)

    def on_click(self, event: events.Click) -> None:
        """Choose the card that was clicked."""
        meta = event.style.meta
        if "citation" in meta:
            event.stop()
            self.post_message(self.Chosen(meta["citation"]))
        elif "retrieved" in meta and meta["retrieved"] < len(self.uncited):
            event.stop()
            self.open_item(self.uncited[meta["retrieved"]])
        elif "all" in meta:
            event.stop()
            self.action_all()

    @property
    def uncited(self) -> tuple[EvidenceItem, ...]:
        """What was retrieved and is not cited, each once."""
        cited = {citation.item for citation in self.citations}
        return tuple(item for item in dict.fromkeys(self.retrieved) if item not in cited)

    def open_item(self, item: EvidenceItem) -> None:
        """Open words that were retrieved and not cited."""
        if self._library:
            self.chosen = NO_NUMBER
            self._read(self._library, Citation(NO_NUMBER, item))

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self, library: Library, citation: Citation) -> None:
        self.post_message(self.PassageRead(read_passage(library, citation)))

    @on(PassageRead)
    def _take_passage(self, event: PassageRead) -> None:
        self.passage = event.passage

    def _show_cards(self) -> None:
        if not self.children:
            return  # the values came before the parts
        self.query_one("#cards", LaidText).blocks = panel_cards(
            self.citations, self.states, self.chosen, self.uncited, all_shown=self.all_shown
        )
        for part in ("#passage-head", "#passage-scroll"):
            self.query_one(part).display = bool(self.citations or self.passage)

    def _remark(self, said: str) -> None:
        shown = self.query_one("#evidence-remark", LaidText)
        shown.blocks = (Text(one_line(said)),) if said else ()
        shown.display = bool(said)

    # Keys

    def action_cite(self, marker: int) -> None:
        """Open a citation by its number."""
        self.post_message(self.Chosen(marker))

    def action_step(self, step: int) -> None:
        """Open the citation after or before this one."""
        markers = [citation.marker for citation in self.citations]
        if markers:
            start = -1 if step > 0 else 0
            here = markers.index(self.chosen) if self.chosen in markers else start
            self.post_message(self.Chosen(markers[(here + step) % len(markers)]))

    def action_all(self) -> None:
        """List or fold what was retrieved and not cited."""
        if self.uncited:
            self.all_shown = not self.all_shown
        else:
            self._remark("nothing else was retrieved")

    def action_copy(self) -> None:
        """Copy what is selected, or else the quote with where it is from."""
        selected = self.screen.get_selected_text()
        if selected:
            copy_beside(self, selected)
        elif self.passage:
            item = self.passage.citation.item
            words = self.passage.quote or item.quote
            copy_beside(self, with_reference(words, item.title, item.path, item.location))

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        event.stop()
        self._remark(event.remark)

    def action_read(self) -> None:
        """Open the whole document at the quoted words."""
        if not (self._library and self.passage):
            return
        from rag_assistant.tui.reader_screen import ReaderScreen  # noqa: PLC0415 - when it is used

        passage = self.passage
        item = passage.citation.item
        try:
            database = self._library.database(item.database)
        except RagError as error:
            self.query_one("#evidence-remark", LaidText).blocks = (
                Text(problem(error.message, error.hint)),
            )
            return
        end = passage.start + len(passage.quote)
        self.app.push_screen(ReaderScreen(database, item.entry_id, passage.start, end))


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
