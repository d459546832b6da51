"""The sources of an answer: a card for each citation, and below them the source itself, opened at
the quoted words. With a library at hand it checks each quote against what the source holds now.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.evidence.cards import (
    CARD_LINES,
    Reasons,
    Sources,
    card_line,
    panel_cards,
)
from rag_assistant.tui.evidence.panel_passage import PassagePanel
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.passage import SourcePassage, check_citations, read_passage
from rag_assistant.values.evidence import Citation, Disagreement, EvidenceItem, QuoteState

NO_NUMBER = 0
"""The marker of words that were retrieved and not cited."""


class EvidencePanel(PassagePanel):
    """Shows `citations` with the one of `chosen`, and `passage` below.

    `retrieved` are all words that were found for the answer; those not cited are listed on `e`.
    `reasons` say why entries were read, as far as that is known; `wrong` are the citations that the
    person holds for wrong.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("n,right", "step(1)", "Next citation"),
        Binding("p,left", "step(-1)", "Citation before", show=False),
        Binding("e", "all", "All that was retrieved"),
        Binding("x", "mark_wrong", "Mark as wrong, or take it back", show=False),
    ]

    citations: reactive[tuple[Citation, ...]] = reactive(())
    retrieved: reactive[tuple[EvidenceItem, ...]] = reactive(())
    states: reactive[Mapping[int, QuoteState]] = reactive(dict)
    all_shown: reactive[bool] = reactive(False)
    chosen: reactive[int] = reactive(0)
    reasons: reactive[Reasons] = reactive(dict)
    wrong: reactive[frozenset[int]] = reactive(frozenset())
    disagreements: reactive[tuple[Disagreement, ...]] = reactive(())

    class Chosen(Message):
        """A card was clicked, or its number pressed."""

        def __init__(self, marker: int) -> None:
            super().__init__()
            self.marker = marker

    class WrongWanted(Message):
        """A citation is to be marked as wrong, or not any more; `tell` is given what came of it."""

        def __init__(self, citation: Citation, tell: Callable[[str], None]) -> None:
            super().__init__()
            self.citation = citation
            self.tell = tell

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

    def compose(self) -> ComposeResult:
        """Make the cards and the passage."""
        with VerticalScroll(id="cards-scroll", can_focus=False):
            yield LaidText(id="cards")
        yield LaidText(id="passage-head")
        yield PassageView(id="passage")
        yield PagePicture(id="picture")
        yield LaidText(id="evidence-remark")

    def on_mount(self) -> None:
        """Show the empty panel."""
        self._show_cards()
        self.remark("")

    def watch_citations(self) -> None:
        """List other cards, and check their quotes."""
        self._show_cards()
        self._check_quotes()

    def _check_quotes(self) -> None:
        if self._library and self.citations:
            self._check(self._library, self.citations)

    def check_again(self) -> None:
        """Compare the quotes, and the source that is open, with what there is by now."""
        self._check_quotes()
        if self._library and self.passage:
            self._read(self._library, self.passage.citation)

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

    def watch_reasons(self) -> None:
        """Say why other entries were read."""
        self._show_cards()

    def watch_disagreements(self) -> None:
        """Show where the sources contradict one another."""
        self._show_cards()

    def watch_wrong(self) -> None:
        """Show what the person holds for wrong."""
        self._show_cards()

    def watch_chosen(self) -> None:
        """Mark another card."""
        self._show_cards()

    def watch_passage(self) -> None:
        """Open a source, whose quote was compared with it on the way."""
        super().watch_passage()
        passage = self.passage
        if passage and passage.citation in self.citations:
            self.states = {**self.states, passage.citation.marker: passage.state}

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
        if self.chosen == event.passage.citation.marker:  # and not another one by now
            self.passage = event.passage

    def _show_cards(self) -> None:
        if not self.children:
            return  # the values came before the parts
        states = {**self.states, **dict.fromkeys(self.wrong, QuoteState.WRONG)}
        self.query_one("#cards", LaidText).blocks = panel_cards(
            Sources(self.citations, self.uncited, states, self.reasons, self.disagreements),
            self.chosen,
            all_shown=self.all_shown,
        )
        self.call_after_refresh(self._show_chosen)

    def _show_chosen(self) -> None:
        """Scroll the list to the chosen card."""
        markers = [citation.marker for citation in self.citations]
        if self.chosen in markers:
            line = card_line(markers.index(self.chosen))
            scroll = self.query_one("#cards-scroll")
            if not scroll.scroll_y <= line <= scroll.scroll_y + scroll.size.height - CARD_LINES:
                scroll.scroll_to(y=line, animate=False)

    def _fit(self) -> None:
        super()._fit()
        self.call_after_refresh(self._show_chosen)  # a list that gave way shows its card alone

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
            self.remark("nothing else was retrieved")

    def action_mark_wrong(self) -> None:
        """Mark the citation that is open as wrong, or take that back."""
        opened = next((one for one in self.citations if one.marker == self.chosen), None)
        if opened:
            self.want_wrong(opened, self.remark)
        else:
            self.remark("open a citation first: only what an answer cites can be marked wrong")

    def want_wrong(self, citation: Citation, tell: Callable[[str], None]) -> None:
        """Ask for a citation to be marked, here or in the reader."""
        self.post_message(self.WrongWanted(citation, tell))

    def cited_and_others(self) -> tuple[tuple[Citation, ...], tuple[Citation, ...]]:
        """Give what can be gone through in whole documents: citations, and what else was found."""
        return self.citations, tuple(Citation(NO_NUMBER, item) for item in self.uncited)
