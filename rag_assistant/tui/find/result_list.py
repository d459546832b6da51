"""Documents that are found as one types: by words at each key, ranked in full after a pause.

What an older query brings is dropped, and nothing here waits: searches run in threads, which post
what they found.
"""

from collections.abc import Mapping

from textual import on, work
from textual.message import Message

from rag_assistant.library.library import Library
from rag_assistant.search.ranking import Profile
from rag_assistant.tui.find.blocks import key_of, key_of_passage, nothing_of, rows_of
from rag_assistant.tui.find.pace import SearchPace
from rag_assistant.tui.find.search import (
    FindEnded,
    FindRequest,
    FindResult,
    Others,
    OthersRead,
    read_others,
    search_now,
)
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.values.documents import Hit
from rag_assistant.values.scope import Wanted


class ResultList(PickList):
    """Searches `databases`, all where none is named, and lists what was `found`.

    Documents that are `marked` stay so when other words are typed.
    """

    class Searching(Message):
        """A search takes its time."""

    class Found(Message):
        """What was found has changed; nothing is, where nothing is looked for."""

    def __init__(self, library: Library, databases: tuple[Wanted, ...], *, id: str) -> None:
        super().__init__(id=id)
        self.found: FindResult | None = None
        self.marked: dict[str, Hit] = {}
        self._library = library
        self._databases = databases
        self._query = ""
        self._by_meaning = False
        self._number = 0
        self._hits: dict[str, Hit] = {}
        self._others: dict[str, Others] = {}
        self._listed_under: dict[str, str] = {}
        self._chosen_by_person = False
        self._pace = SearchPace(self.set_timer, self._start, self._still_searching)

    @property
    def hits(self) -> Mapping[str, Hit]:
        """What is listed, by the keys of the lines: documents, and passages below them."""
        return self._hits

    @property
    def hit(self) -> Hit | None:
        """The hit with the cursor."""
        return self._hits.get(self.key)

    @property
    def is_unfolded(self) -> bool:
        """Whether further passages are listed of the document with the cursor."""
        return self.hit is not None and self._document in self._others

    @property
    def _document(self) -> str:
        """The key of the document that the line with the cursor belongs to."""
        return self._listed_under.get(self.key, self.key)

    # Searching

    def search(self, query: str, *, by_meaning: bool) -> None:
        """Search by words at once; after a pause, rank in full."""
        self._query, self._by_meaning = query, by_meaning
        self._number += 1
        self._chosen_by_person = False
        self._others.clear()
        if query.strip():
            self._pace.changed()
        else:
            self._pace.stop()
            self._take(None)

    def _start(self, profile: Profile) -> None:
        self._search(FindRequest(self._number, self._query, profile, self._by_meaning))

    @work(thread=True, exit_on_error=False)
    def _search(self, wanted: FindRequest) -> None:
        self.post_message(FindEnded(search_now(self._library, self._databases, wanted)))

    @on(FindEnded)
    def _take_results(self, event: FindEnded) -> None:
        wanted = event.found.wanted
        self._pace.ended(wanted.profile)
        if wanted.number != self._number:
            return
        if wanted.profile == "typing" and self._is_current:
            return  # the full ranking of the same words came first
        self._take(event.found)

    @property
    def _is_current(self) -> bool:
        return self.found is not None and self.found.wanted.number == self._number

    def _still_searching(self) -> None:
        if not self._is_current:
            self.post_message(self.Searching())

    def _take(self, found: FindResult | None) -> None:
        self.found = found
        self._list()
        if self._hits and not self._chosen_by_person:
            self.go_to(next(iter(self._hits)))
        self.post_message(self.Found())

    def _list(self) -> None:
        found = self.found
        hits = found.hits if found else ()
        self._hits = {}
        for hit in hits:
            key = key_of(hit)
            others = self._others.get(key)
            more = others.hits if others else ()
            self._hits |= {key: hit, **{key_of_passage(one): one for one in more}}
            self._listed_under |= {key_of_passage(one): key for one in more}
        items = rows_of(found, self._others, self.marked) if found else ()
        self.show(items, nothing_of(found, self._query))

    # What the person does with the list

    def action_move(self, step: int) -> None:
        """Choose another document, which stays chosen."""
        self._chosen_by_person = True
        super().action_move(step)

    def action_page(self, direction: int) -> None:
        """Choose a document a page away."""
        self._chosen_by_person = True
        super().action_page(direction)

    def unfold(self) -> None:
        """List the other passages and versions of the document with the cursor."""
        if self.hit and self._document not in self._others:
            self._read_others(self._hits[self._document], self._query)

    def fold(self) -> None:
        """Hide them."""
        key = self._document
        if self._others.pop(key, None):
            self._chosen_by_person = True
            self._list()
            self.go_to(key)

    @work(thread=True, exclusive=True, group="others", exit_on_error=False)
    def _read_others(self, hit: Hit, query: str) -> None:
        self.post_message(OthersRead(read_others(self._library, hit, query)))

    @on(OthersRead)
    def _take_others(self, event: OthersRead) -> None:
        if event.others.hit in self._hits.values():
            self._others[key_of(event.others.hit)] = event.others
            self._chosen_by_person = True
            self._list()

    def toggle_mark(self, hit: Hit) -> None:
        """Mark a document, or take the mark away."""
        key = key_of(hit)
        if self.marked.pop(key, None) is None:
            self.marked[key] = hit
        self._chosen_by_person = True
        self._list()
