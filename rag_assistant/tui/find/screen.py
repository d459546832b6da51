"""Finding without a model: results as you type, with the text round the best words beside them."""

from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.find.blocks import key_of, language_blocks, preview_blocks
from rag_assistant.tui.find.box import FindBox
from rag_assistant.tui.find.preview import PreviewText
from rag_assistant.tui.find.results import AskAbout, FindResults
from rag_assistant.tui.find.search import (
    OthersRead,
    Preview,
    PreviewRead,
    read_others,
    read_preview,
    scope_of,
)
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside
from rag_assistant.values.documents import Hit
from rag_assistant.values.scope import Wanted


class FindScreen(FindResults):
    """Shows the text of what was found, and acts on it."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open"),
        Binding("right", "passages(True)", "Passages"),
        Binding("left", "passages(False)", "Fewer passages", show=False),
        Binding("tab", "switch", "Words and meaning", show=False),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "A page up", show=False),
        Binding("pagedown", "page(1)", "A page down", show=False),
        Binding("ctrl+s,a", "ask", "Ask about these"),
        Binding("ctrl+t,space", "mark", "Mark"),
        Binding("ctrl+y", "copy", "Copy"),
        Binding("ctrl+e", "explain", "Explain"),
        Binding("escape", "back", "Back"),
        Binding("f1", "help", "Help"),
    ]

    explained: reactive[bool] = reactive(False, init=False)

    def __init__(
        self, assistant: Assistant, databases: tuple[Wanted, ...], query: str = ""
    ) -> None:
        super().__init__(assistant, databases, query)
        self._preview: Preview | None = None

    # The text beside the list

    @on(PickList.Moved)
    def _moved(self, event: PickList.Moved) -> None:
        hit = self._hits.get(event.key)
        self.query_one(FindBox).can_fold = hit is not None and self._document in self._others
        if hit is None:
            self._preview = None
            self.show_preview()
        elif self._preview is None or self._preview.hit != hit:
            self._read_preview(hit, self._query)

    @work(thread=True, exclusive=True, group="preview", exit_on_error=False)
    def _read_preview(self, hit: Hit, query: str) -> None:
        self.post_message(PreviewRead(read_preview(self._library, hit, query)))

    @on(PreviewRead)
    def _take_preview(self, event: PreviewRead) -> None:
        if event.preview.hit == self._hit:
            self._preview = event.preview
            self.show_preview()

    def watch_explained(self) -> None:
        """Show or hide what the score is made of."""
        self.show_preview()

    def show_preview(self) -> None:
        """Show the text round the best words, or what can be typed."""
        preview = self._preview
        shown = self.query_one(PreviewText)
        if not self._query.strip():
            shown.show(language_blocks())
        elif preview is None or preview.hit not in self._hits.values():
            shown.show(())
        else:
            blocks = preview_blocks(preview, explained=self.explained)
            shown.show(blocks, to_best=not self.explained)

    def action_passages(self, shown: bool) -> None:
        """List the other passages and versions of a document, or hide them."""
        hit = self._hit
        if hit is None:
            return
        key = self._document
        if shown and key not in self._others:
            self._read_others(self._hits[key], self._query)
        elif not shown and key in self._others:
            del self._others[key]
            self._chosen_by_person = True
            self._list()
            self.query_one(PickList).go_to(key)

    @work(thread=True, exclusive=True, group="others", exit_on_error=False)
    def _read_others(self, hit: Hit, query: str) -> None:
        self.post_message(OthersRead(read_others(self._library, hit, query)))

    @on(OthersRead)
    def _take_others(self, event: OthersRead) -> None:
        if event.others.hit in self._hits.values():
            self._others[key_of(event.others.hit)] = event.others
            self._chosen_by_person = True
            self._list()

    # Keys

    @property
    def _hit(self) -> Hit | None:
        return self._hits.get(self.query_one(PickList).key)

    @property
    def _document(self) -> str:
        """The key of the document that the chosen row belongs to."""
        key = self.query_one(PickList).key
        return self._listed_under.get(key, key)

    def action_move(self, step: int) -> None:
        """Choose another document while the box keeps the keys."""
        self._chosen_by_person = True
        self.query_one(PickList).action_move(step)

    def action_page(self, direction: int) -> None:
        """Choose a document a page away."""
        self._chosen_by_person = True
        self.query_one(PickList).action_page(direction)

    @on(Input.Submitted, "#find-query")
    @on(PickList.Chosen)
    def action_open(self) -> None:
        """Open the document at its best words."""
        hit = self._hit
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
        elif hit := self._hit:
            copy_beside(self, with_reference(hit.snippet, hit.title, hit.path, hit.location))

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        self.say(one_line(event.remark))

    def action_mark(self) -> None:
        """Mark the document, or take the mark away; marks stay when other words are typed."""
        hit = self._hit
        if hit is None:
            return
        key = key_of(hit)
        if self._marked.pop(key, None) is None:
            self._marked[key] = hit
        self._chosen_by_person = True
        self._show_head()
        self._list()
        count = len(self._marked)
        said = f"{count} marked: Ctrl+S asks about {'it' if count == 1 else 'these'} alone"
        self.say(one_line(said if count else "none marked: Ctrl+S asks about all of these"))

    def action_ask(self) -> None:
        """Give the words to the conversation, with what is marked, or else all hits, as scope."""
        question = self._query.strip()
        if question or self._marked:
            hits = self._marked or self._hits
            self.dismiss(AskAbout(question, scope_of(hits.values()) or self._databases))
        else:
            self.say(one_line("type what you want to ask about first"))

    def action_explain(self) -> None:
        """Show or hide what the score is made of."""
        self.explained = not self.explained

    def action_back(self) -> None:
        """Leave."""
        self.dismiss(None)

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(HelpScreen([("Find", FindScreen.BINDINGS)]))
