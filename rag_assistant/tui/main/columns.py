"""The columns: the databases on the left, the conversation, the sources of its answers on the
right. What is chosen in one of them is shown in another.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.reactive import reactive

from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.search_line import SearchLine
from rag_assistant.tui.drawing.safe_widgets import ContentLine, plain
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.main.controller import follow
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from rag_assistant.tui.main.indexing_controller import IndexingController
from rag_assistant.tui.main.label_controller import LabelController
from rag_assistant.tui.main.scope_controller import ScopeController
from rag_assistant.tui.main.sources_controller import SourcesController


class MainColumns(Vertical):
    """Shows databases, a conversation and its sources; what the person marks is kept in `store`.

    `scope` says which databases are asked, `indexing` which there are.

    `view` names what a narrow terminal shows of it.
    """

    VIEWS: ClassVar = ("chat", "sources", "databases")

    view: reactive[str] = reactive("chat")

    def __init__(
        self,
        library: Library,
        store: ConversationStore | None,
        scope: ScopeController,
        indexing: IndexingController,
    ) -> None:
        super().__init__(classes=f"-view-{self.VIEWS[0]}")
        self._scope = scope
        self._indexing = indexing
        self.databases = DatabasesPanel(id="databases")
        self.conversation = ConversationView(library, id="conversation")
        self.evidence = EvidencePanel(library, id="evidence")
        self.newer = ContentLine(plain("↓ new text: End", "$text-accent"), id="newer")
        self.sources = SourcesController(library, self.evidence)
        self._labels = LabelController(store)

    def compose(self) -> ComposeResult:
        """Put the columns beside one another."""
        with Horizontal(id="columns"):
            with VerticalScroll(id="left", can_focus=False):
                yield self.databases
            yield self.conversation
            yield self.evidence
        yield self.newer
        yield from (self.sources, self._labels)

    def on_mount(self) -> None:
        """Begin without new text."""
        self.newer.display = False
        follow(self.databases, self._indexing, "rows", "progress", "vectors")
        follow(self.databases, self._scope, "left_out", "parts")

    def watch_view(self) -> None:
        """Show the chat, or on a narrow terminal what is wanted instead."""
        for view in self.VIEWS:
            self.set_class(self.view == view, f"-view-{view}")

    # Databases

    def action_databases(self) -> None:
        """Go to the databases."""
        self.view = "databases"
        self.databases.focus()

    @on(DatabasesPanel.Toggled)
    def _toggle_database(self, event: DatabasesPanel.Toggled) -> None:
        self._scope.toggle(event.name)

    @on(DatabasesPanel.RefreshWanted)
    def _refresh_index(self, event: DatabasesPanel.RefreshWanted) -> None:
        self._indexing.refresh_index(event.row)

    @on(DatabasesPanel.AddWanted)
    def _add_folder(self) -> None:
        self._indexing.action_add_folder()

    # Sources

    def check_again(self) -> None:
        """Let all marks say how the quotes stand to what there is by now."""
        self.evidence.check_again()
        self.conversation.check_again()

    def _show_sources(self) -> None:
        self.view = "sources"
        self.remove_class("-no-sources")

    def action_sources(self) -> None:
        """Show or hide the sources."""
        if self.screen.has_class("-wide"):
            self.toggle_class("-no-sources")
        else:
            self.view = "chat" if self.view == "sources" else "sources"

    def action_next_citation(self) -> None:
        """Open the next citation of the answer whose sources are shown, and go to its source."""
        if self.sources.open_next():
            self._show_sources()
            self.query_one(PassageView).focus()

    def _open(self, exchange: Exchange | None, marker: int) -> None:
        if self.sources.open(exchange, marker):
            self._show_sources()

    @on(Exchange.CitationChosen)
    def _open_clicked(self, event: Exchange.CitationChosen) -> None:
        self._open(event.exchange, event.marker)

    @on(EvidencePanel.Chosen)
    def _open_card(self, event: EvidencePanel.Chosen) -> None:
        self._open(self.sources.shown, event.marker)

    @on(ConversationView.DigitPressed)
    def _open_digit(self, event: ConversationView.DigitPressed) -> None:
        chosen = self.conversation.chosen
        cites = chosen is not None and chosen.state.citations
        self._open(chosen if cites else self.sources.shown, event.marker)

    @on(Exchange.ItemChosen)
    def _open_nearest(self, event: Exchange.ItemChosen) -> None:
        self._show_sources()
        self.evidence.open_item(event.item)

    # What the person holds for wrong

    def action_mark_wrong(self) -> None:
        """Mark the source that is open as wrong, or take that back."""
        self._show_sources()
        self.evidence.action_mark_wrong()

    @on(EvidencePanel.WrongWanted)
    def _label(self, event: EvidencePanel.WrongWanted) -> None:
        exchanges = [self.sources.shown, *self.conversation.exchanges]
        self._labels.toggle([one.state for one in exchanges if one], event)

    @on(LabelController.Labelled)
    def _show_label(self, event: LabelController.Labelled) -> None:
        for exchange in self.conversation.exchanges:
            if exchange.state is event.state:
                exchange.draw()
        self.sources.refresh_shown(event.state)

    # Search

    def action_search(self, words: str = "") -> None:
        """Look for words in the conversation, which are asked for where none are given."""
        self.view = "chat"
        if words:
            self._search(words)
        else:
            self._ask_for_words()

    @on(ConversationView.SearchWanted)
    def _ask_for_words(self) -> None:
        if not self.query(SearchLine):
            self.mount(SearchLine(), before=self.newer)
        self.query_one(SearchLine).focus()

    @on(SearchLine.Closed)
    async def _take_words(self, event: SearchLine.Closed) -> None:
        await self.query(SearchLine).remove()
        self._search(event.words)

    def _search(self, words: str) -> None:
        self.conversation.focus()
        # In its own turn: what a part says on behalf of one that holds it goes no further up.
        self.conversation.call_later(self.conversation.search.begin, words)
