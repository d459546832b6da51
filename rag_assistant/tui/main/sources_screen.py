"""The part of the main screen that keeps the sources in step with what is answered and chosen."""

import asyncio
from functools import partial

from textual import on
from textual.reactive import reactive

from rag_assistant.assistant import Assistant
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.library.indexing import IndexingEnded
from rag_assistant.tui.main.changes_screen import ChangesScreen
from rag_assistant.tui.sources.evidence_panel import EvidencePanel
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.tui.sources.passage_view import PassageView
from rag_assistant.tui.terminal.clipboard import Copied
from rag_assistant.values.evidence import Citation


class SourcesScreen(ChangesScreen):
    """A screen that shows sources too. `view` names what a narrow terminal shows of it."""

    view: reactive[str] = reactive("chat")

    def __init__(self, assistant: Assistant) -> None:
        super().__init__(assistant)
        self._shown: Exchange | None = None
        self._opened_by_person = False

    def watch_view(self) -> None:
        """Show the chat, or on a narrow terminal what is wanted instead."""
        for view in ("chat", "sources", "databases"):
            self.set_class(self.view == view, f"-view-{view}")

    def answer_changed(self, exchange: Exchange) -> None:
        """Keep the sources in step with the answer that is coming in."""
        state, panel = exchange.state, self.query_one(EvidencePanel)
        if self._shown is not exchange:
            # Whoever reads a source keeps it, until there is another one to read.
            if self._opened_by_person or not (state.citations or state.over):
                return
            self._shown, panel.chosen, panel.passage = exchange, 0, None
        self._fill(panel, exchange)
        if panel.citations and not panel.chosen and state.phase is Phase.ANSWERED:
            self._open(exchange, panel.citations[0].marker)

    def forget_sources(self) -> None:
        """Show no sources."""
        self._shown, self._opened_by_person = None, False
        panel = self.query_one(EvidencePanel)
        panel.citations, panel.retrieved, panel.chosen, panel.passage = (), (), 0, None
        panel.disagreements = ()

    @on(Copied)
    def _say_what_was_copied(self, event: Copied) -> None:
        self.remark(event.remark)

    @on(Exchange.CitationChosen)
    def _open_clicked(self, event: Exchange.CitationChosen) -> None:
        self._open_by_person(event.exchange, event.marker)

    @on(EvidencePanel.Chosen)
    def _open_card(self, event: EvidencePanel.Chosen) -> None:
        if self._shown:
            self._open_by_person(self._shown, event.marker)

    @on(ConversationView.DigitPressed)
    def _open_digit(self, event: ConversationView.DigitPressed) -> None:
        chosen = self.query_one(ConversationView).chosen
        exchange = chosen if chosen and chosen.state.citations else self._shown
        if exchange:
            self._open_by_person(exchange, event.marker)

    def action_next_citation(self) -> None:
        """Open the next citation of the answer whose sources are shown, and go to its source."""
        markers = [c.marker for c in self._shown.state.citations] if self._shown else []
        if self._shown is None or not markers:
            self.remark("nothing is cited yet")
            return
        chosen = self.query_one(EvidencePanel).chosen
        # A source that opened by itself is the first one the key goes to.
        here = markers.index(chosen) if self._opened_by_person and chosen in markers else -1
        self._open_by_person(self._shown, markers[(here + 1) % len(markers)])
        self.query_one(PassageView).focus()

    def action_sources(self) -> None:
        """Show or hide the sources."""
        if self.has_class("-wide"):
            self.toggle_class("-no-sources")
        else:
            self.view = "chat" if self.view == "sources" else "sources"

    def _open_by_person(self, exchange: Exchange, marker: int) -> None:
        if marker not in [citation.marker for citation in exchange.state.citations]:
            self.remark(f"the answer has no citation {marker}")
            return
        self._opened_by_person = True
        self.view = "sources"
        self.remove_class("-no-sources")
        self._open(exchange, marker)

    def _open(self, exchange: Exchange, marker: int) -> None:
        panel = self.query_one(EvidencePanel)
        self._shown = exchange
        self._fill(panel, exchange)
        panel.chosen = marker
        citation = next(c for c in panel.citations if c.marker == marker)
        load = partial(self._load, citation)
        beside(self, load, "passage")

    def _fill(self, panel: EvidencePanel, exchange: Exchange) -> None:
        panel.citations = tuple(exchange.state.citations)
        panel.wrong = exchange.state.wrong
        answer = exchange.state.answer
        panel.disagreements = answer.disagreements if answer else ()
        found = answer.evidence if answer else ()
        panel.retrieved = tuple(item for evidence in found for item in evidence.items)
        panel.reasons = {
            (evidence.database, retrieved.entry_id): retrieved
            for evidence in found
            for retrieved in evidence.retrieved
        }

    @on(IndexingEnded)
    def _compare_again(self) -> None:
        """Let all marks say how the quotes stand to what there is by now."""
        for panel in self.query(EvidencePanel):
            panel.check_again()
            self.query_one(ConversationView).check_again()

    def watch_changed(self) -> None:
        """Let the marks say which quotes are from files that have changed."""
        super().watch_changed()
        self._compare_again()

    async def _load(self, citation: Citation) -> None:
        passage = await asyncio.to_thread(read_passage, self._assistant.library, citation)
        if passage.stale and not self.changed:
            self.look_for_changes()
        self.query_one(EvidencePanel).passage = passage
