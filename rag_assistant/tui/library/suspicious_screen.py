"""What of a database is hidden from the model, each place with its words and the reason why.

Nothing is lost by it: Enter opens the document there, and the person may let models read a place,
its document, or all of the database.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.layout import Divider, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import FactRow, PickItem, PickList
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.sources.reference import place_of, short_place
from rag_assistant.values.documents import Location
from rag_assistant.values.suspicions import SuspicionRow

LISTED = 5_000
"""Places that are listed at once; a filter finds the others."""


class SuspiciousScreen(BrowseScreen[None]):
    """Lists the places of one database; `changed` is called when one was allowed or not."""

    NAME = "Hidden from the model"
    PLACEHOLDER = "filter by path, reason or words"
    STARTS_IN_LIST = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Read"),
        Binding("y", "allow('place')", "Allow place"),
        Binding("d", "allow('document')", "Allow document"),
        Binding("a", "allow('all')", "Allow all"),
        *BROWSE_KEYS,
    ]

    class Read(Message):
        """The places were read, or could not be; `said` is what was changed before."""

        def __init__(
            self,
            rows: tuple[SuspicionRow, ...] = (),
            said: str = "",
            failure: RagError | None = None,
        ) -> None:
            super().__init__()
            self.rows = rows
            self.said = said
            self.failure = failure

    def __init__(
        self, library: Library, database: str, changed: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__()
        self._changed = changed
        self._library = library
        self._database = database
        self._rows: dict[str, SuspicionRow] = {}

    @work(thread=True, exclusive=True, exit_on_error=False, group="places")
    def reload(self) -> None:
        """Read the places again."""
        self.post_message(self._read())

    def _read(self, said: str = "") -> "SuspiciousScreen.Read":
        try:
            return self.Read(tuple(self._library.database(self._database).suspicions()), said)
        except RagError as error:
            return self.Read(failure=error)

    @on(Read)
    def _take(self, event: Read) -> None:
        if event.failure:
            self.complain(event.failure.message, event.failure.hint)
            return
        self._rows = {_key(row): row for row in event.rows}
        if event.said:
            self.remark(one_line(event.said))
            self._changed()
        self.filter_changed(self.filter_text)

    def filter_changed(self, text: str) -> None:
        """List what fits the filter."""
        wanted, at = text.casefold(), self.listing.key
        fitting = [(key, row) for key, row in self._rows.items() if wanted in _said(row).casefold()]
        items = tuple(_item(key, row) for key, row in fitting[:LISTED])
        nothing = "Nothing here is hidden from readers or reads like instructions to a model."
        self.listing.show(items, plain("No place fits the filter." if self._rows else nothing))
        if at:
            self.listing.go_to(at)
        barred = sum(not row.suspicion.allowed for row in self._rows.values())
        self.head(one_line(f"{self._database} · {barred} of {len(self._rows)} places", QUIET))

    @on(PickList.Moved)
    def _moved(self) -> None:
        row = self._rows.get(self.listing.key)
        self.detail(*(place_blocks(row) if row else ()))

    def choose(self) -> None:
        """Open the document at the place."""
        row = self._rows.get(self.listing.key)
        if row:
            database = self._library.database(self._database)
            one = row.suspicion
            self.app.push_screen(ReaderScreen(database, row.entry_id, one.start, one.end))

    def action_allow(self, what: str) -> None:
        """Let models read the place at the cursor, its document or everything; or no longer."""
        row = self._rows.get(self.listing.key)
        if row and row.suspicion.place != "text" and what == "place":
            self.complain("This is not part of the text, and stays hidden from the model.")
        elif row:
            self._allow(row, what, not row.suspicion.allowed)

    @work(thread=True, exit_on_error=False, group="allow")
    def _allow(self, row: SuspicionRow, what: str, allowed: bool) -> None:
        name, entry = self._database, None if what == "all" else row.entry_id
        start = row.suspicion.start if what == "place" else None
        try:
            self._library.allow(name, entry, start=start, allowed=allowed)
        except RagError as error:
            self.post_message(self.Read(failure=error))
            return
        named = {"place": "this place", "document": row.path, "all": f"all of {name}"}[what]
        self.post_message(self._read(f"Models {'may read' if allowed else 'do not read'} {named}."))


def place_blocks(row: SuspicionRow) -> tuple[LayoutBlock, ...]:
    """Give all there is to say of a place, its words as they are stored."""
    one = row.suspicion
    state = plain("✓ models may read it", GOOD) if one.allowed else plain("! hidden", WARN)
    where = place_of(_location(row)) if one.place == "text" else [one.place]
    blocks: list[LayoutBlock] = [
        Text(one_line(row.path, "bold")),
        Row(one_line(" · ".join(where), QUIET), state),
        Text(one_line(one.reason)),
        Divider(),
    ]
    if row.text:
        return (*blocks, Text(plain(row.text)))
    return (*blocks, Text(plain("Its words are not in the text.", QUIET)))


def _item(key: str, row: SuspicionRow) -> PickItem:
    one = row.suspicion
    mark = plain("✓ allowed", GOOD) if one.allowed else plain("! hidden", WARN)
    place = short_place(_location(row)) if one.place == "text" else one.place
    title = joined([one_line(row.path, "bold"), plain("  "), one_line(one.reason, QUIET)])
    return PickItem(FactRow(title, (plain(place, QUIET), mark)), key)


def _location(row: SuspicionRow) -> Location:
    return Location(row.suspicion.start, row.suspicion.end, page=row.page, line=row.line)


def _key(row: SuspicionRow) -> str:
    one = row.suspicion
    return f"{row.entry_id} {one.place} {one.start} {one.reason}"


def _said(row: SuspicionRow) -> str:
    return f"{row.path} {row.title} {row.suspicion.reason} {row.text}"
