"""The databases: what each holds and leaves out, and adding, indexing, renaming, removing them.

Folders are indexed and watched in threads of the application's, which go on when this screen is
left; every screen is told how far they are. All keys of the library stand here.
"""

from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.safe_widgets import EMPTY, NEWLINE, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.indexing.progress import IndexingEnded, IndexingMoved, IndexTarget
from rag_assistant.tui.indexing.report_line import report_line
from rag_assistant.tui.indexing.watching import WatchTold
from rag_assistant.tui.indexing.workers import IndexingLeft
from rag_assistant.tui.library.changes import (
    INQUIRIES,
    Inquiry,
    LibraryChange,
    ask_why_not,
    policy_change,
    what_left,
)
from rag_assistant.tui.library.file_rows import (
    NO_FILE,
    READABLE,
    entry_of,
    file_blocks,
    read_files,
)
from rag_assistant.tui.library.folder_dialog import FolderDialog
from rag_assistant.tui.library.folder_work import FolderState, FolderWork
from rag_assistant.tui.library.messages import (
    FilesRead,
    LibraryChanged,
    LibraryFailed,
    LibraryRead,
)
from rag_assistant.tui.library.rows import (
    EGRESS,
    NOTHING,
    LibraryRow,
    files_of,
    head_of,
    read_library,
    row_blocks,
    row_item,
)
from rag_assistant.tui.library.suspicious_screen import SuspiciousScreen
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen, FilterBox
from rag_assistant.tui.lists.choice_dialog import ChoiceDialog
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.reader.screen import ReaderScreen


class LibraryScreen(BrowseScreen[None]):
    """Lists databases, or the files of one of them."""

    NAME = "Library"
    PLACEHOLDER = "filter by name, folder, path or reason"
    STARTS_IN_LIST = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open"),
        Binding("m", "ask('repair')", "Repair"),
        Binding("a", "add", "Add"),
        Binding("r", "index(False)", "Reindex"),
        Binding("t", "index(True)", "Retry"),
        Binding("s", "stop", "Stop"),
        Binding("w", "watch", "Watch"),
        Binding("question_mark", "why", "Why not found"),
        Binding("n", "ask('name')", "Rename"),
        Binding("x", "ask('removal')", "Remove"),
        Binding("p", "hidden", "Hidden"),
        Binding("e", "policy", "Privacy"),
        Binding("l", "sent", "What was sent"),
        *BROWSE_KEYS,
    ]

    def __init__(self, assistant: Assistant, failures_of: str = "") -> None:
        super().__init__()
        self._library = assistant.library
        self._failures_of = failures_of
        self._work = FolderWork(assistant.library)
        self._rows: tuple[LibraryRow, ...] = ()
        self._inside = ""
        self._go_to = ""

    @on(LibraryFailed)
    def _say_why(self, event: LibraryFailed) -> None:
        self.complain(event.error.message, event.error.hint)

    # The list

    @work(thread=True, exclusive=True, exit_on_error=False, group="rows")
    def reload(self) -> None:
        """Read the databases again."""
        self.post_message(LibraryRead(read_library(self._library)))

    @on(LibraryRead)
    def _show_rows(self, event: LibraryRead) -> None:
        self._rows = event.rows
        if self._inside and not self._chosen:
            self._inside = ""
        if self._failures_of in [row.name for row in event.rows]:
            self._go_inside(self._failures_of, "failed ")
            self._failures_of = ""
            return
        self.filter_changed(self.filter_text)

    def filter_changed(self, text: str) -> None:
        """List what fits the filter."""
        if self._inside:
            self._read_files(self._inside, text)
            return
        wanted = text.casefold()
        rows = [row for row in self._rows if wanted in f"{row.name} {row.folder}".casefold()]
        items = tuple(row_item(row, self._state(row)) for row in rows)
        nothing = plain("No database fits the filter.") if self._rows else NOTHING
        self.listing.show(items, nothing)
        if self._go_to:
            self.listing.go_to(self._go_to)
            self._go_to = ""
        targets = [target for row in self._rows if (target := _target(row))]
        new = self._work.new_names(targets)
        self.head(head_of(len(self._rows), new))

    @work(thread=True, exclusive=True, exit_on_error=False, group="files")
    def _read_files(self, name: str, text: str) -> None:
        try:
            self.post_message(FilesRead(name, text, read_files(self._library, name, text)))
        except RagError as error:
            self.post_message(LibraryFailed(error))

    @on(FilesRead)
    def _show_files(self, event: FilesRead) -> None:
        if event.name == self._inside and event.text == self.filter_text:
            self.listing.show(event.items, NO_FILE)
            count = files_of(sum(1 for item in event.items if item.key))
            self.head(one_line(f"{event.name} · {count}", QUIET))

    @on(PickList.Moved)
    def _moved(self) -> None:
        row, key = self._chosen, self.listing.key
        self.refresh_bindings()
        if row is None or not key:
            self.detail()
        elif self._inside:
            self.detail(*(file_blocks(row, key) if "\n" in key else ()))
        else:
            self.detail(*row_blocks(row, self._state(row)))

    @property
    def _chosen(self) -> LibraryRow | None:
        """The database at the cursor, or the one whose files are listed."""
        name = self._inside or self.listing.key
        return next((row for row in self._rows if row.name == name), None)

    @property
    def _target(self) -> IndexTarget | None:
        """The folder of that database, and it."""
        return _target(self._chosen) if self._chosen else None

    def choose(self) -> None:
        """List the files of the database at the cursor, or open the file that is there."""
        if self._inside:
            self._open_file(self._inside, self.listing.key)
        elif self._chosen and not self._chosen.problem:
            self._go_inside(self._chosen.name)

    @work(thread=True, exclusive=True, exit_on_error=False, group="open")
    def _open_file(self, name: str, key: str) -> None:
        try:
            entry_id = entry_of(self._library, name, key)
            if entry_id is not None:
                database = self._library.database(name)
                shown = self.app.push_screen, ReaderScreen(database, entry_id, 0, 0)
                self.app.call_from_thread(*shown)
        except RagError as error:
            self.post_message(LibraryFailed(error))

    def action_back(self) -> None:
        """Go from the files back to the databases, and from these back."""
        if self._inside and not self.filter_text:
            name = self._inside
            self._go_inside("")
            self.listing.go_to(name)
        else:
            super().action_back()

    def _go_inside(self, name: str, text: str = "") -> None:
        self._inside = name
        self.refresh_bindings()
        self.action_to_list()
        self.query_one(FilterBox).value = text
        self.listing.show(())
        self.filter_changed(self.filter_text)

    # Folders that are indexed and watched

    def _state(self, row: LibraryRow) -> FolderState:
        return self._work.state_of(self.app, _target(row))

    def _redraw(self) -> None:
        """Show how far folders are."""
        self.refresh_bindings()
        if not self._inside:
            self.filter_changed(self.filter_text)

    def action_add(self) -> None:
        """Ask for a folder, show what it holds, and index it."""

        def add(folder: str | None) -> None:
            if folder:
                held = (row.name for row in self._rows if row.folder == folder)
                self._index(IndexTarget(Path(folder), next(held, "")))

        self.app.push_screen(FolderDialog(self._library), add)

    def action_index(self, retry: bool) -> None:
        """Bring the database at the cursor into step with its folder."""
        if self._target:
            self._index(self._target, retry=retry)

    def _index(self, target: IndexTarget, *, retry: bool = False) -> None:
        self.remark(self._work.index(self.app, target, retry=retry))
        self._redraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to stop while something is being indexed, files of databases alone, and of one that
        cannot be read to repair it, which nothing else works before.
        """
        if action == "choose" and self._inside and not self.listing.key.startswith(READABLE):
            return False
        if action == "stop" and not self._work.goes_on:
            return False
        broken = bool(self._chosen and self._chosen.problem)
        if broken if action in _OF_WHOLE_ONES else parameters == ("repair",) and not broken:
            return False
        return super().check_action(action, parameters)

    def action_stop(self) -> None:
        """Stop indexing the folder at the cursor; what was read is kept."""
        self.remark(self._work.stop(self.app, self._target))

    @on(IndexingMoved)
    def _show_progress(self, event: IndexingMoved) -> None:
        self._work.take(event.progress)
        self._redraw()

    @on(IndexingEnded)
    def _end_indexing(self, event: IndexingEnded) -> None:
        self._work.end(event.target)
        self.refresh_bindings()
        if event.report:
            self.remark(report_line(event.report))
        else:
            self.complain(event.reason, event.hint)
        self.reload()

    @on(IndexingLeft)
    def _left_indexing(self, event: IndexingLeft) -> None:
        if self._work.end(event.target):
            self.refresh_bindings()
            self.reload()

    def action_watch(self) -> None:
        """Follow the folder of the database at the cursor, or leave off."""
        if self._target:
            self.remark(self._work.toggle_watch(self.app, self._target))
            self._redraw()

    @on(WatchTold)
    def _show_note(self, event: WatchTold) -> None:
        self.remark(one_line(event.note, WARN))

    # What else is done with a database

    def action_why(self) -> None:
        """Ask for a path, and say what became of it."""
        inside = self._inside and self.listing.key.partition("\n")[2]
        self._ask(ask_why_not(self._library, inside or ""))

    def action_sent(self) -> None:
        """Say what left this machine, by day and host."""
        self._change(LibraryChange(partial(what_left, self._library)))

    def action_hidden(self) -> None:
        """List what of a database is hidden from the model, and why."""
        row = self._chosen
        if row and not row.problem:
            self.app.push_screen(SuspiciousScreen(self._library, row.name, self.reload))

    def action_ask(self, what: str) -> None:
        """Ask for what changes a database: its name, that name again to remove it, its folder."""
        if self._chosen:
            self._ask(INQUIRIES[what](self._library, self._chosen))

    def action_policy(self) -> None:
        """Let it be chosen where the text of a database may go."""
        row = self._chosen

        def take(chosen: str | None) -> None:
            if row and chosen:
                self._change(policy_change(self._library, row.name, chosen))

        if row and not row.problem:
            choices = tuple(EGRESS.items())
            self.app.push_screen(ChoiceDialog(f"Privacy of {row.name}", choices, row.egress), take)

    def _ask(self, inquiry: Inquiry) -> None:
        self.edit.open(inquiry.label, inquiry.value, partial(self._take, inquiry))

    def _take(self, inquiry: Inquiry, written: str) -> None:
        try:
            meant = inquiry.take(written)
        except RagError as error:
            self.complain(error.message, error.hint)
            return
        if isinstance(meant, Inquiry):
            self._ask(meant)
        else:
            self._change(meant)

    @work(thread=True, exit_on_error=False, group="change")
    def _change(self, change: LibraryChange) -> None:
        try:
            self.post_message(LibraryChanged(*change.make(), go_to=change.go_to))
        except RagError as error:
            self.post_message(LibraryFailed(error))

    @on(LibraryChanged)
    def _show_change(self, event: LibraryChanged) -> None:
        if self.edit.display:
            self.edit.close()
        said = [one_line(line) for line in event.said]
        self.remark(joined(said, NEWLINE) if said else EMPTY)
        if event.go_to:
            self._inside, self._go_to = self._inside and event.go_to, event.go_to
        self.reload()


_OF_WHOLE_ONES = ("choose", "index", "watch", "hidden", "policy")
"""What is done with databases that can be read."""


def _target(row: LibraryRow) -> IndexTarget | None:
    """Give what to index again for a database; None where its folder is not known."""
    return IndexTarget(Path(row.folder), row.name) if row.folder else None
