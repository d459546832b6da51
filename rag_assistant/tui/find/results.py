"""What the find screen searches and lists: by words at each key, ranked in full after a pause.

What an older query brings is dropped. Nothing here waits: the box takes keys whatever a search
does.
"""

from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.search.ranking import Profile
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import EMPTY, one_line
from rag_assistant.tui.find.blocks import (
    head_of,
    key_of,
    key_of_passage,
    nothing_of,
    rows_of,
    said_of,
)
from rag_assistant.tui.find.box import FindBox
from rag_assistant.tui.find.pace import SearchPace
from rag_assistant.tui.find.preview import PreviewText
from rag_assistant.tui.find.search import (
    FindEnded,
    FindRequest,
    FindResult,
    MeaningKnown,
    NamesRead,
    Others,
    can_mean,
    search_now,
)
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.question.completion import CompletionList
from rag_assistant.tui.question.scope_names import read_names
from rag_assistant.values.documents import Hit
from rag_assistant.values.scope import Wanted as Scoped
from rag_assistant.values.scope import name_of


@dataclass(frozen=True, slots=True)
class AskAbout:
    """The person wants `question` answered from `scope`."""

    question: str
    scope: tuple[Scoped, ...]


class FindResults(Screen[AskAbout | None]):
    """Searches `databases`, all where none is named, `by_meaning` too if that is wanted."""

    by_meaning: reactive[bool] = reactive(False, init=False)

    def __init__(
        self, assistant: Assistant, databases: tuple[Scoped, ...], query: str = ""
    ) -> None:
        super().__init__()
        self._library = assistant.library
        self._databases = databases
        self._number = 0
        self._said = EMPTY
        self._query = query
        self._found: FindResult | None = None
        self._hits: dict[str, Hit] = {}
        self._others: dict[str, Others] = {}
        self._marked: dict[str, Hit] = {}
        self._listed_under: dict[str, str] = {}
        self._chosen_by_person = False
        self._pace = SearchPace(self.set_timer, self._start, self._still_searching)

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="find-head")
        yield FindBox(self._query)
        yield CompletionList(id="find-offered")
        yield LaidText(id="find-notes")
        with Horizontal(id="find-columns"):
            yield PickList(id="find-rows")
            with Vertical(id="find-side"):
                yield PreviewText(id="find-preview")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin with the words."""
        self.add_class("find")
        self.query_one(Input).focus()
        self._show()
        if self._query.strip():
            self._changed(self._query)
        embedder = self._library.embedder
        if embedder and not embedder.destination:
            self._look_for_meaning(tells=False)  # the words stay on this machine: no need to ask

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
        self._said = EMPTY
        self._others.clear()
        if query.strip():
            self._pace.changed()
        else:
            self._pace.stop()
            self._found = None
            self._show()

    def _start(self, profile: Profile) -> None:
        self._search(FindRequest(self._number, self._query, profile, self.by_meaning))

    @work(thread=True, exit_on_error=False)
    def _search(self, wanted: FindRequest) -> None:
        self.post_message(FindEnded(search_now(self._library, self._databases, wanted)))

    @on(FindEnded)
    def _take_results(self, event: FindEnded) -> None:
        found, wanted = event.found, event.found.wanted
        self._pace.ended(wanted.profile)
        if wanted.number != self._number:
            return
        if wanted.profile == "typing" and self._found and self._found.wanted.number == self._number:
            return  # the full ranking of the same words came first
        self._found = found
        self._show()

    def _still_searching(self) -> None:
        if self._found is None or self._found.wanted.number != self._number:
            self._show_head(waiting=True)

    def _show_head(self, *, waiting: bool = False) -> None:
        found = None if waiting else self._found
        head = head_of(
            self._databases,
            found,
            by_meaning=self.by_meaning,
            waiting=waiting,
            marked=len(self._marked),
        )
        self.query_one("#find-head", LaidText).blocks = (head,)

    def _show(self) -> None:
        self._show_head()
        self._show_said()
        self._list()
        rows = self.query_one(PickList)
        if self._hits and not self._chosen_by_person:
            rows.go_to(next(iter(self._hits)))
        self.show_preview()

    def _list(self) -> None:
        found = self._found
        hits = found.hits if found else ()
        self._hits = {}
        for hit in hits:
            key = key_of(hit)
            others = self._others.get(key)
            more = others.hits if others else ()
            self._hits |= {key: hit, **{key_of_passage(one): one for one in more}}
            self._listed_under |= {key_of_passage(one): key for one in more}
        several = len({hit.database for hit in hits}) > 1
        items = rows_of(found, self._others, self._marked, several=several) if found else ()
        self.query_one(PickList).show(items, nothing_of(found, self._query))

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
            self.say(one_line(f"words only: {event.why_not}"))
            return
        self.by_meaning = True
        embedder = self._library.embedder
        if embedder and embedder.destination:
            self.say(one_line(f"what you type goes to {embedder.destination} now; Tab ends that"))

    def watch_by_meaning(self) -> None:
        """Search in the other way."""
        self._show_head()
        if self._query.strip():
            self._changed(self._query)

    # Filters

    @on(FindBox.Offered)
    def _offer(self, event: FindBox.Offered) -> None:
        words = self.query_one(CompletionList)
        words.choices, words.cursor = event.choices, event.cursor

    @on(FindBox.NamesWanted)
    @work(thread=True, exclusive=True, group="names", exit_on_error=False)
    def _read_names(self) -> None:
        wanted = self._databases or tuple(self._library.names())
        names = read_names(self._library, tuple(map(name_of, wanted)), wanted)
        self.post_message(NamesRead(names))

    @on(NamesRead)
    def _take_names(self, event: NamesRead) -> None:
        box = self.query_one(FindBox)
        box.names = event.names
        box.offer_again()

    def show_preview(self) -> None:
        """Show the text beside the list."""
        raise NotImplementedError

    def say(self, said: Content) -> None:
        """Say something in the line above the list, until other words are typed."""
        self._said = said
        self._show_said()

    def _show_said(self) -> None:
        said = self._said or said_of(self._found)
        notes = self.query_one("#find-notes", LaidText)
        notes.blocks, notes.display = (Row(said),), bool(said)
