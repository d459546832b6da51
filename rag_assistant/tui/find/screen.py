"""Finding without a model: results as you type, with the text round the best words beside them.

All keys of the screen and what they do stand here; the list searches, and the preview reads.
"""

from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import EMPTY, one_line
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.find.blocks import head_of, said_of
from rag_assistant.tui.find.hit_preview import HitPreview
from rag_assistant.tui.find.query_line import QueryLine
from rag_assistant.tui.find.result_list import ResultList
from rag_assistant.tui.find.search import MeaningKnown, can_mean, scope_of
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside
from rag_assistant.values.scope import Wanted


@dataclass(frozen=True, slots=True)
class AskAbout:
    """The person wants `question` answered from `scope`."""

    question: str
    scope: tuple[Wanted, ...]


class FindScreen(Screen[AskAbout | None]):
    """Searches `databases`, all where none is named, `by_meaning` too if that is wanted."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open"),
        Binding("right", "passages(True)", "Passages"),
        Binding("left", "passages(False)", "Fewer passages", show=False),
        Binding("tab", "switch", "Keyword or semantic search", show=False),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("ctrl+s,a", "ask", "Ask about these"),
        Binding("ctrl+t,space", "mark", "Mark"),
        Binding("ctrl+y", "copy", "Copy"),
        Binding("ctrl+e", "explain", "Explain"),
        Binding("escape", "back", "Back"),
        Binding("f1", "help", "Help"),
    ]

    by_meaning: reactive[bool] = reactive(False, init=False)

    def __init__(
        self, assistant: Assistant, databases: tuple[Wanted, ...], query: str = ""
    ) -> None:
        super().__init__()
        self._library = assistant.library
        self._databases = databases
        self._query = query
        self._said = EMPTY

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="find-head")
        yield QueryLine(self._library, self._databases, self._query)
        yield LaidText(id="find-notes")
        with Horizontal(id="find-columns"):
            yield ResultList(self._library, self._databases, id="find-rows")
            yield HitPreview(self._library, id="find-side")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin with the words."""
        self.add_class("find")
        self.query_line.box.focus()
        self._show()
        self._search()
        embedder = self._library.embedder
        if embedder and not embedder.destination:
            self._look_for_meaning(tells=False)  # the words stay on this machine: no need to ask

    @property
    def query_line(self) -> QueryLine:
        """Where the words are typed."""
        return self.query_one(QueryLine)

    @property
    def results(self) -> ResultList:
        """What was found."""
        return self.query_one(ResultList)

    @property
    def preview(self) -> HitPreview:
        """The text of the hit with the cursor."""
        return self.query_one(HitPreview)

    # What is searched and found

    @on(Input.Changed, "#find-query")
    def _typed(self, event: Input.Changed) -> None:
        if event.value != self._query:
            self._query = event.value
            self._search()

    def _search(self) -> None:
        self._said = EMPTY
        self.results.search(self._query, by_meaning=self.by_meaning)

    @on(ResultList.Searching)
    def _say_that_it_searches(self) -> None:
        self._show_head(waiting=True)

    @on(ResultList.Found)
    def _show(self) -> None:
        self._show_head()
        self._show_said()
        self.preview.keep_if_in(self.results.hits.values(), self._query)

    @on(ResultList.Moved)
    def _show_hit(self, event: ResultList.Moved) -> None:
        self.query_line.box.can_fold = self.results.is_unfolded
        self.preview.show_hit(self.results.hits.get(event.key), self._query)

    def _show_head(self, *, waiting: bool = False) -> None:
        results = self.results
        head = head_of(
            self._databases,
            None if waiting else results.found,
            by_meaning=self.by_meaning,
            waiting=waiting,
            marked=len(results.marked),
        )
        self.query_one("#find-head", LaidText).blocks = (head,)

    def say(self, said: Content) -> None:
        """Say something in the line above the list, until other words are typed."""
        self._said = said
        self._show_said()

    def _show_said(self) -> None:
        said = self._said or said_of(self.results.found)
        notes = self.query_one("#find-notes", LaidText)
        notes.blocks, notes.display = (Row(said),), bool(said)

    # Words, or words and meaning

    def action_switch(self) -> None:
        """Search by words alone, or by meaning too; where that cannot be, say why."""
        if self.by_meaning:
            self.by_meaning = False
        else:
            self._look_for_meaning(tells=True)

    @work(thread=True, exclusive=True, group="meaning", exit_on_error=False)
    def _look_for_meaning(self, *, tells: bool) -> None:
        why_not = can_mean(self._library, self._databases)
        if tells or not why_not:
            self.post_message(MeaningKnown(why_not))

    @on(MeaningKnown)
    def _take_meaning(self, event: MeaningKnown) -> None:
        if event.why_not:
            self.say(one_line(f"keyword search only: {event.why_not}"))
            return
        self.by_meaning = True
        embedder = self._library.embedder
        if embedder and embedder.destination:
            self.say(one_line(f"what you type goes to {embedder.destination} now; Tab ends that"))

    def watch_by_meaning(self) -> None:
        """Search in the other way."""
        self._show_head()
        if self._query.strip():
            self._search()

    # Keys

    def action_move(self, step: int) -> None:
        """Choose another document while the box keeps the keys."""
        self.results.action_move(step)

    def action_page(self, direction: int) -> None:
        """Choose a document a page away."""
        self.results.action_page(direction)

    def action_passages(self, shown: bool) -> None:
        """List the other passages and versions of a document, or hide them."""
        if shown:
            self.results.unfold()
        else:
            self.results.fold()

    @on(Input.Submitted, "#find-query")
    @on(ResultList.Chosen)
    def action_open(self) -> None:
        """Open the document at its best words."""
        hit = self.results.hit
        if hit is None:
            return
        from rag_assistant.tui.reader.screen import ReaderScreen  # noqa: PLC0415 - when it is used

        try:
            database = self._library.database(hit.database)
        except RagError as error:
            self.say(problem(error.message, error.hint))
            return
        place = hit.location
        self.app.push_screen(ReaderScreen(database, hit.entry_id, place.start, place.end))

    def action_copy(self) -> None:
        """Copy what is selected, or the best words with where they are from."""
        selected = self.get_selected_text()
        if selected:
            copy_beside(self, selected)
        elif hit := self.results.hit:
            copy_beside(self, with_reference(hit.snippet, hit.title, hit.path, hit.location))

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        self.say(one_line(event.remark))

    def action_mark(self) -> None:
        """Mark the document, or take the mark away; marks stay when other words are typed."""
        if hit := self.results.hit:
            self.results.toggle_mark(hit)
            self._show_head()
            count = len(self.results.marked)
            said = f"{count} marked: Ctrl+S asks about {'it' if count == 1 else 'these'} alone"
            self.say(one_line(said if count else "none marked: Ctrl+S asks about all of these"))

    def action_ask(self) -> None:
        """Give the words to the conversation, with what is marked, or else all hits, as scope."""
        question = self._query.strip()
        if question or self.results.marked:
            hits = self.results.marked or self.results.hits
            self.dismiss(AskAbout(question, scope_of(hits.values()) or self._databases))
        else:
            self.say(one_line("type what you want to ask about first"))

    def action_explain(self) -> None:
        """Show or hide what the score is made of."""
        self.preview.explained = not self.preview.explained

    def action_back(self) -> None:
        """Leave."""
        self.dismiss(None)

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(HelpScreen([("Find", FindScreen.BINDINGS)]))
