"""The databases: what each holds and leaves out, and adding, indexing, renaming, removing them.

Folders are indexed in threads of the application's, which go on when this screen is left; every
screen is told how far they are.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.assistant import Assistant
from rag_assistant.egress.ledger import EgressLedger, day_line
from rag_assistant.egress.policies import set_policy
from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.safe_widgets import EMPTY, NEWLINE, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.library.folders import LibraryFolders
from rag_assistant.tui.library.rows import (
    EGRESS,
    NO_FILE,
    NOTHING,
    LibraryRow,
    file_blocks,
    read_files,
    read_library,
    row_blocks,
    row_item,
)
from rag_assistant.tui.library.suspicious_screen import SuspiciousScreen
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, FilterBox
from rag_assistant.tui.lists.pick_list import Item, PickList

SHOWN_DAYS = 12
"""Lines of what left; all of it: rag-assistant egress."""


class LibraryScreen(LibraryFolders):
    """Lists databases, or the files of one of them."""

    NAME = "Library"
    PLACEHOLDER = "filter by name, folder, path or reason"
    STARTS_IN_LIST = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Files"),
        Binding("a", "add", "Add"),
        Binding("r", "index(False)", "Reindex"),
        Binding("t", "index(True)", "Retry"),
        Binding("s", "stop", "Stop"),
        Binding("w", "watch", "Watch"),
        Binding("question_mark", "why", "Why not"),
        Binding("n", "rename", "Rename"),
        Binding("x", "remove", "Remove"),
        Binding("p", "kept_out", "Kept out"),
        Binding("e", "egress", "Egress"),
        Binding("l", "sent", "What left"),
        *BROWSE_KEYS,
    ]

    class Read(Message):
        """The databases were read."""

        def __init__(self, rows: tuple[LibraryRow, ...]) -> None:
            super().__init__()
            self.rows = rows

    class FilesRead(Message):
        """The files of a database were read."""

        def __init__(self, name: str, text: str, items: tuple[Item, ...]) -> None:
            super().__init__()
            self.name = name
            self.text = text
            self.items = items

    class Done(Message):
        """Something was done, or could not be; `failure` says why."""

        def __init__(self, *said: str, go_to: str = "", failure: RagError | None = None) -> None:
            super().__init__()
            self.said = said
            self.go_to = go_to
            self.failure = failure

    def __init__(self, assistant: Assistant, failures_of: str = "") -> None:
        super().__init__(assistant)
        self._failures_of = failures_of
        self._rows: tuple[LibraryRow, ...] = ()
        self._inside = ""
        self._go_to = ""

    # The list

    @work(thread=True, exclusive=True, exit_on_error=False, group="rows")
    def reload(self) -> None:
        """Read the databases again."""
        self.post_message(self.Read(read_library(self._library)))

    @on(Read)
    def _show_rows(self, event: Read) -> None:
        self._rows = event.rows
        if self._inside and not self.chosen:
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
        items = tuple(
            row_item(row, self.progress_of(row), watched=self.is_watched(row)) for row in rows
        )
        nothing = plain("No database fits the filter.") if self._rows else NOTHING
        self.listing.show(items, nothing)
        if self._go_to:
            self.listing.go_to(self._go_to)
            self._go_to = ""
        listing = [p.folder.name for p in self._progress.values() if not self._row_of(p.folder)]
        told = ", ".join(f"indexing {name}" for name in listing)
        self.head(one_line(told or _counted(len(self._rows)), "$text-accent" if told else QUIET))

    @work(thread=True, exclusive=True, exit_on_error=False, group="files")
    def _read_files(self, name: str, text: str) -> None:
        try:
            self.post_message(self.FilesRead(name, text, read_files(self._library, name, text)))
        except RagError as error:
            self.post_message(self.Done(failure=error))

    @on(FilesRead)
    def _show_files(self, event: FilesRead) -> None:
        if event.name == self._inside and event.text == self.filter_text:
            self.listing.show(event.items, NO_FILE)
            self.head(one_line(f"{event.name} · {len(event.items):,} files", QUIET))

    @on(PickList.Moved)
    def _moved(self) -> None:
        row, key = self.chosen, self.listing.key
        if row is None or not key:
            self.detail()
        elif self._inside:
            self.detail(*(file_blocks(row, key) if "\n" in key else ()))
        else:
            self.detail(*row_blocks(row, self.progress_of(row), watched=self.is_watched(row)))

    def _row_of(self, folder: Path) -> LibraryRow | None:
        return next((row for row in self._rows if row.folder == str(folder)), None)

    @property
    def chosen(self) -> LibraryRow | None:
        """The database at the cursor, or the one whose files are listed."""
        name = self._inside or self.listing.key
        return next((row for row in self._rows if row.name == name), None)

    def choose(self) -> None:
        """List the files of the database at the cursor."""
        if not self._inside and self.chosen and not self.chosen.problem:
            self._go_inside(self.chosen.name)

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
        self.action_to_list()
        self.query_one(FilterBox).value = text
        self.listing.show(())
        self.filter_changed(self.filter_text)

    def redraw(self) -> None:
        """Show how far folders are."""
        if not self._inside:
            self.filter_changed(self.filter_text)

    # What else is done with a database

    def action_why(self) -> None:
        """Ask for a path, and say what became of it."""
        inside = self._inside and self.listing.key.partition("\n")[2]
        label = plain("Why is this file not found? A path", "bold")
        self.edit.open(label, inside or "", self._ask_for_what)

    def _ask_for_what(self, path: str) -> None:
        label = plain("For which question? Nothing: for any", "bold")
        self.edit.open(label, "", partial(self._why, path.strip()))

    @work(thread=True, exclusive=True, exit_on_error=False, group="why")
    def _why(self, path: str, question: str) -> None:
        from rag_assistant.library.why_not_words import why_not_told  # noqa: PLC0415

        try:
            self.post_message(self.Done(*why_not_told(self._library, path, question.strip())))
        except RagError as error:
            self.post_message(self.Done(failure=error))

    def action_rename(self) -> None:
        """Ask for another name."""
        row = self.chosen
        if row:

            def take(name: str) -> None:
                wanted = name.strip()
                change = partial(self._library.rename, row.name, wanted)
                self._change(change, f"{row.name} is now {wanted}", wanted)

            self.edit.open(plain("Name", "bold"), row.name, take)

    def action_kept_out(self) -> None:
        """List what of a database is kept out of prompts, and why."""
        row = self.chosen
        if row and not row.problem:
            self.app.push_screen(SuspiciousScreen(self._library, row.name, self.reload))

    def action_egress(self) -> None:
        """Ask where the text of a database may go."""
        row = self.chosen
        if row:

            def take(written: str) -> None:
                policy = next((known for known in EGRESS if known == written.strip()), None)
                if policy is None:
                    self.complain(f"{written!r} is no policy.", "Write local, ask or any.")
                    return
                change = partial(set_policy, self._library.home, row.name, policy)
                self._change(change, f"{row.name}: {EGRESS[policy]}")

            label = joined([plain("Where may the text of ", "bold"), one_line(row.name, "bold")])
            label = joined([label, plain(" go? local, ask or any", "bold")])
            self.edit.open(label, row.egress, take)

    @work(thread=True, exclusive=True, exit_on_error=False, group="sent")
    def action_sent(self) -> None:
        """Say what left this machine, by day and host."""
        try:
            days = EgressLedger(self._library.home).by_day_and_host()[:SHOWN_DAYS]
        except RagError as error:
            self.post_message(self.Done(failure=error))
            return
        told = [day_line(day) for day in days] or ["Nothing has left this machine."]
        self.post_message(self.Done(*told))

    def action_remove(self) -> None:
        """Ask for the name, and remove the database."""
        row = self.chosen
        if row is None:
            return
        label = joined([plain("Type ", "bold"), one_line(row.name, "bold $text-accent")])
        label = joined([label, plain(" to remove this index. Your files stay.", "bold")])

        def take(name: str) -> None:
            if name.strip() != row.name:
                self.complain(f"That is not {row.name}; nothing was removed.")
                return
            self._change(partial(self._library.remove, row.name), f"{row.name} is removed")

        self.edit.open(label, "", take)

    @work(thread=True, exit_on_error=False, group="change")
    def _change(self, change: Callable[[], object], said: str, go_to: str = "") -> None:
        try:
            change()
        except RagError as error:
            self.post_message(self.Done(failure=error))
        else:
            self.post_message(self.Done(said, go_to=go_to))

    @on(Done)
    def _show_done(self, event: Done) -> None:
        if event.failure:
            self.complain(event.failure.message, event.failure.hint)
            return
        if self.edit.display:
            self.edit.close()
        said = [one_line(line) for line in event.said]
        self.remark(joined(said, NEWLINE) if said else EMPTY)
        if event.go_to:
            self._inside, self._go_to = self._inside and event.go_to, event.go_to
        self.reload()


def _counted(number: int) -> str:
    return f"{number} database{'' if number == 1 else 's'}"
