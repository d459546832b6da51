"""Which answer's sources are shown, and which of them is open."""

import asyncio
from functools import partial

from textual.message import Message

from rag_assistant.library.library import Library
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.values.evidence import Citation


class SourcesController(Controller):
    """Keeps `panel` in step with the answers, and with what the person opens."""

    class StaleFound(Message):
        """A source has changed since it was indexed."""

    def __init__(self, library: Library, panel: EvidencePanel) -> None:
        super().__init__()
        self.shown: Exchange | None = None
        """The question whose sources are shown."""
        self._library = library
        self._panel = panel
        self._coming_in: Exchange | None = None
        self._opened_by_person = False

    def follow_answer(self, exchange: Exchange) -> None:
        """Keep the sources in step with the answer that is coming in."""
        if exchange is not self._coming_in:
            self._coming_in, self._opened_by_person = exchange, False
        state, panel = exchange.state, self._panel
        if self.shown is not exchange:
            # Whoever reads a source keeps it, until there is another one to read.
            if self._opened_by_person or not (state.citations or state.over):
                return
            self.shown, panel.chosen, panel.passage = exchange, 0, None
        self._fill(exchange)
        if panel.citations and not panel.chosen and state.phase is Phase.ANSWERED:
            self._open(exchange, panel.citations[0].marker)

    def forget(self) -> None:
        """Show no sources."""
        self.shown, self._opened_by_person = None, False
        panel = self._panel
        panel.citations, panel.retrieved, panel.chosen, panel.passage = (), (), 0, None
        panel.disagreements = ()

    def refresh_shown(self, state: RunState) -> None:
        """Show what has become of an answer, where its sources are those that are shown."""
        if self.shown and self.shown.state is state:
            self._fill(self.shown)

    # What the person opens

    def open(self, exchange: Exchange | None, marker: int) -> bool:
        """Open a citation of an answer; tells whether it has it."""
        if exchange is None:
            return False
        if marker not in [citation.marker for citation in exchange.state.citations]:
            self.remark(f"the answer has no citation {marker}")
            return False
        self._opened_by_person = True
        self._open(exchange, marker)
        return True

    def open_next(self) -> bool:
        """Open the next citation of the answer whose sources are shown; tells whether it has any.

        A source that opened by itself is the first one it goes to.
        """
        markers = [c.marker for c in self.shown.state.citations] if self.shown else []
        if not markers:
            self.remark("nothing is cited yet")
            return False
        chosen = self._panel.chosen
        here = markers.index(chosen) if self._opened_by_person and chosen in markers else -1
        return self.open(self.shown, markers[(here + 1) % len(markers)])

    def _open(self, exchange: Exchange, marker: int) -> None:
        self.shown = exchange
        self._fill(exchange)
        self._panel.chosen = marker
        citation = next(c for c in self._panel.citations if c.marker == marker)
        beside(self, partial(self._load, citation), "passage")

    async def _load(self, citation: Citation) -> None:
        passage = await asyncio.to_thread(read_passage, self._library, citation)
        if passage.stale:
            self.post_message(self.StaleFound())
        self._panel.passage = passage

    def _fill(self, exchange: Exchange) -> None:
        panel, state = self._panel, exchange.state
        panel.citations = tuple(state.citations)
        panel.wrong = state.wrong
        panel.disagreements = state.answer.disagreements if state.answer else ()
        found = state.answer.evidence if state.answer else ()
        panel.retrieved = tuple(item for evidence in found for item in evidence.items)
        panel.reasons = {
            (evidence.database, retrieved.entry_id): retrieved
            for evidence in found
            for retrieved in evidence.retrieved
        }
