"""The sources of an answer: a card for each citation, and below them the source itself, opened at
the quoted words. With a library at hand it checks each quote against what the source holds now.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.evidence.card_list import CardList
from rag_assistant.tui.evidence.cards import Reasons, Sources
from rag_assistant.tui.evidence.passage_pane import PassagePane
from rag_assistant.tui.reader.trail import Trail
from rag_assistant.tui.sources.passage import SourcePassage, check_citations, read_passage
from rag_assistant.values.evidence import Citation, Disagreement, EvidenceItem, QuoteState

NO_NUMBER = 0
"""The marker of words that were retrieved and not cited."""

SHORT = 20
"""Rows below which the list of sources shows the chosen one alone, and a picture hides the text."""


class EvidencePanel(Vertical):
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
        Binding("p,left", "step(-1)", "Previous citation", show=False),
        Binding("e", "all", "All that was found"),
        Binding("x", "mark_wrong", "Mark as wrong, or take it back", show=False),
    ]

    passage: reactive[SourcePassage | None] = reactive(None)
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

    def __init__(self, library: Library | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._library = library

    def compose(self) -> ComposeResult:
        """Make the cards and the passage."""
        yield CardList(id="cards-scroll")
        yield PassagePane()

    @property
    def cards(self) -> CardList:
        """The list of the sources."""
        return self.query_one(CardList)

    @property
    def pane(self) -> PassagePane:
        """The source that is open."""
        return self.query_one(PassagePane)

    def on_mount(self) -> None:
        """Show the empty panel."""
        self._show_cards()

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
        passage = self.passage
        self.pane.passage = passage
        self._fit()
        if passage and passage.citation in self.citations:
            self.states = {**self.states, passage.citation.marker: passage.state}

    def on_resize(self) -> None:
        """Let the list give way to the source where there is little room."""
        self._fit()

    def _fit(self) -> None:
        self.set_class(self.passage is not None and self.size.height < SHORT, "-short")
        self.cards.follow()  # a list that gave way shows its card alone

    @on(CardList.CitationClicked)
    def _choose(self, event: CardList.CitationClicked) -> None:
        self.post_message(self.Chosen(event.marker))

    @on(CardList.UncitedClicked)
    def _open_uncited(self, event: CardList.UncitedClicked) -> None:
        if event.number < len(self.uncited):
            self.open_item(self.uncited[event.number])

    @property
    def uncited(self) -> tuple[EvidenceItem, ...]:
        """What was retrieved and is not cited, each once; nor is any of a passage's words."""
        cited = [citation.item for citation in self.citations]
        return tuple(
            item
            for item in dict.fromkeys(self.retrieved)
            if not any(one == item or (item.is_passage and item.holds(one)) for one in cited)
        )

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
        self.cards.show(
            Sources(self.citations, self.uncited, states, self.reasons, self.disagreements),
            self.chosen,
            all_shown=self.all_shown,
        )

    @on(PassagePane.ReadWanted)
    def _read_whole(self, event: PassagePane.ReadWanted) -> None:
        """Open the document, with the other sources as its trail."""
        if self._library is None:
            return
        from rag_assistant.tui.reader.screen import ReaderScreen  # noqa: PLC0415 - when it is used

        passage, item = event.passage, event.passage.citation.item
        try:
            database = self._library.database(item.database)
        except RagError as error:
            self.pane.say_why(error)
            return
        others = tuple(Citation(NO_NUMBER, item) for item in self.uncited)
        trail = Trail(self._library, self.citations, others, self._want_wrong)
        place = (item.entry_id, passage.start, passage.end)
        self.app.push_screen(ReaderScreen(database, *place, trail, passage.citation))

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

    @on(CardList.AllClicked)
    def action_all(self) -> None:
        """List or fold what was retrieved and not cited."""
        if self.uncited:
            self.all_shown = not self.all_shown
        else:
            self.pane.remark("nothing else was found")

    def action_mark_wrong(self) -> None:
        """Mark the citation that is open as wrong, or take that back."""
        opened = next((one for one in self.citations if one.marker == self.chosen), None)
        if opened:
            self._want_wrong(opened, self.pane.remark)
        else:
            self.pane.remark("open a citation first: only what an answer cites can be marked wrong")

    def _want_wrong(self, citation: Citation, tell: Callable[[str], None]) -> None:
        """Ask for a citation to be marked, here or in the reader."""
        self.post_message(self.WrongWanted(citation, tell))
