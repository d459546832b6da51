"""Finding without a model: results as you type, with the text round the best words beside them.

Each key starts a fast search in a thread; after a pause the same words are ranked in full. What an
older query brings is dropped. Nothing here waits: the box takes keys whatever a search does.
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.documents import Hit
from rag_assistant.errors import RagError
from rag_assistant.search.ranking import Profile
from rag_assistant.tui.clipboard import Copied, copy_beside
from rag_assistant.tui.exchange_blocks import problem
from rag_assistant.tui.find_screen_blocks import (
    head_of,
    key_of,
    language_blocks,
    notes_of,
    nothing_of,
    preview_blocks,
    rows_of,
)
from rag_assistant.tui.find_screen_search import (
    Found,
    Preview,
    PreviewRead,
    SearchDone,
    Wanted,
    read_preview,
    search_now,
)
from rag_assistant.tui.help_screen import HelpScreen
from rag_assistant.tui.key_bar import KeyBar
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Laid, Text
from rag_assistant.tui.pick_list import PickList
from rag_assistant.tui.safe_widgets import one_line
from rag_assistant.tui.source_reference import with_reference

TYPING_SECONDS = 0.08
"""How long after a key the fast search waits for another one."""

PAUSE_SECONDS = 0.45
"""How long a pause must be before the words are ranked in full."""

PATIENCE_SECONDS = 0.3
"""How long a search may take before the screen says that it is searching."""


@dataclass(frozen=True, slots=True)
class AskAbout:
    """The person wants `question` answered from `databases`."""

    question: str
    databases: tuple[str, ...]


class FindBox(Input):
    """Where the words are typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open"),
        Binding("ctrl+e", "screen.explain", "Explain"),  # the end of the line is at End
    ]


class FindScreen(Screen[AskAbout | None]):
    """Searches `databases`, all where none is named."""

    CSS_PATH = "find_screen.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's name and form
        (0, "-narrow"),
        (80, "-medium"),
        (110, "-wide"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open"),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "A page up", show=False),
        Binding("pagedown", "page(1)", "A page down", show=False),
        Binding("ctrl+y", "copy", "Copy"),
        Binding("ctrl+s", "ask", "Ask about these"),
        Binding("ctrl+e", "explain", "Explain"),
        Binding("escape", "back", "Back"),
        Binding("f1", "help", "Help"),
    ]

    explained: reactive[bool] = reactive(False, init=False)

    def __init__(self, assistant: Assistant, databases: tuple[str, ...], query: str = "") -> None:
        super().__init__()
        self._library = assistant.library
        self._databases = databases
        self._number = 0
        self._query = query
        self._found: Found | None = None
        self._hits: dict[str, Hit] = {}
        self._preview: Preview | None = None
        self._chosen_by_person = False
        self._searching: set[Profile] = set()
        self._again: set[Profile] = set()
        self._waiting: list[Timer] = []

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="find-head")
        yield FindBox(
            self._query,
            placeholder='words "a phrase" -without path:… type:…',
            compact=True,
            id="find-query",
        )
        yield LaidText(id="find-notes")
        with Horizontal(id="find-columns"):
            yield PickList(id="find-rows")
            with Vertical(id="find-side"), VerticalScroll(id="find-preview"):
                yield LaidText(id="find-text")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin with the words."""
        self.add_class("find")
        self.query_one(Input).focus()
        self._show()
        if self._query.strip():
            self._changed(self._query)

    # Searching

    @on(Input.Changed, "#find-query")
    def _typed(self, event: Input.Changed) -> None:
        if event.value != self._query:
            self._changed(event.value)

    def _changed(self, query: str) -> None:
        """Wait for the next key, then search; after a pause, rank in full."""
        self._query = query
        self._number += 1
        self._chosen_by_person = False
        for timer in self._waiting:
            timer.stop()
        self._waiting.clear()
        if not query.strip():
            self._found = None
            self._show()
            return
        self._waiting += [
            self.set_timer(TYPING_SECONDS, partial(self._start, "typing")),
            self.set_timer(PAUSE_SECONDS, partial(self._start, "question")),
            self.set_timer(
                TYPING_SECONDS + PATIENCE_SECONDS, partial(self._still_searching, self._number)
            ),
        ]

    def _start(self, profile: Profile) -> None:
        """Start a search, or let it follow the one of its kind that still runs."""
        if profile in self._searching:
            self._again.add(profile)
            return
        self._searching.add(profile)
        self._search(Wanted(self._number, self._query, profile))

    @work(thread=True, exit_on_error=False)
    def _search(self, wanted: Wanted) -> None:
        self.post_message(SearchDone(search_now(self._library, self._databases, wanted)))

    @on(SearchDone)
    def _take_results(self, event: SearchDone) -> None:
        found, wanted = event.found, event.found.wanted
        self._searching.discard(wanted.profile)
        if wanted.profile in self._again:
            self._again.discard(wanted.profile)
            self._start(wanted.profile)
        if wanted.number != self._number:
            return
        if wanted.profile == "typing" and self._found and self._found.wanted.number == self._number:
            return  # the full ranking of the same words came first
        self._found = found
        self._show()

    def _still_searching(self, number: int) -> None:
        if number == self._number and (self._found is None or self._found.wanted.number != number):
            self.query_one("#find-head", LaidText).blocks = (
                head_of(self._databases, None, waiting=True),
            )

    def _show(self) -> None:
        found = self._found
        self.query_one("#find-head", LaidText).blocks = (
            head_of(self._databases, found, waiting=False),
        )
        notes = self.query_one("#find-notes", LaidText)
        notes.blocks = notes_of(found)
        notes.display = bool(notes.blocks)
        self._hits = {key_of(hit): hit for hit in found.hits} if found else {}
        rows = self.query_one(PickList)
        several = len({hit.database for hit in self._hits.values()}) > 1
        rows.show(rows_of(found, several=several) if found else (), nothing_of(found, self._query))
        if self._hits and not self._chosen_by_person:
            rows.go_to(next(iter(self._hits)))
        self._show_preview()

    # The text beside the list

    @on(PickList.Moved)
    def _moved(self, event: PickList.Moved) -> None:
        hit = self._hits.get(event.key)
        if hit is None:
            self._preview = None
            self._show_preview()
        elif self._preview is None or self._preview.hit != hit:
            self._read_preview(hit, self._query)

    @work(thread=True, exclusive=True, group="preview", exit_on_error=False)
    def _read_preview(self, hit: Hit, query: str) -> None:
        self.post_message(PreviewRead(read_preview(self._library, hit, query)))

    @on(PreviewRead)
    def _take_preview(self, event: PreviewRead) -> None:
        if event.preview.hit == self._hits.get(self.query_one(PickList).key):
            self._preview = event.preview
            self._show_preview()

    def watch_explained(self) -> None:
        """Show or hide what the score is made of."""
        self._show_preview()

    def _show_preview(self) -> None:
        shown = self.query_one("#find-text", LaidText)
        if not self._query.strip():
            shown.blocks = language_blocks()
        elif self._preview is None or key_of(self._preview.hit) not in self._hits:
            shown.blocks = ()
        else:
            shown.blocks = preview_blocks(self._preview, explained=self.explained)
        self.call_after_refresh(self._scroll_to_best)

    def _scroll_to_best(self) -> None:
        """Bring the best words into view, what stands before them a little above."""
        shown = self.query_one("#find-text", LaidText)
        if not shown.content_size.width:
            return  # not laid out yet
        content = Laid(shown.blocks).content(shown.content_size.width)
        starts = [
            span.start
            for span in content.spans
            if not isinstance(span.style, str) and "best" in span.style.meta
        ]
        line = content.plain.count("\n", 0, min(starts)) if starts else 0
        scroll = self.query_one("#find-preview", VerticalScroll)
        fits = self.explained or line < scroll.size.height - 2
        scroll.scroll_to(y=0 if fits else line - 2, animate=False)

    # Keys

    @property
    def _hit(self) -> Hit | None:
        return self._hits.get(self.query_one(PickList).key)

    def _remark(self, said: Content) -> None:
        notes = self.query_one("#find-notes", LaidText)
        notes.blocks, notes.display = (Text(said),), True

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
        from rag_assistant.tui.reader_screen import ReaderScreen  # noqa: PLC0415 - when it is used

        try:
            database = self._library.database(hit.database)
        except RagError as error:
            self._remark(problem(error.message, error.hint))
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
        self._remark(one_line(event.remark))

    def action_ask(self) -> None:
        """Give the words to the conversation, with the databases that the hits are from."""
        question = self._query.strip()
        if question:
            of_hits = tuple(dict.fromkeys(hit.database for hit in self._hits.values()))
            self.dismiss(AskAbout(question, of_hits or self._databases))
        else:
            self._remark(one_line("type what you want to ask about first"))

    def action_explain(self) -> None:
        """Show or hide what the score is made of."""
        self.explained = not self.explained

    def action_back(self) -> None:
        """Leave."""
        self.dismiss(None)

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(HelpScreen([("Find", FindScreen.BINDINGS)]))
