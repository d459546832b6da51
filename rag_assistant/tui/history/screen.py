"""The conversations kept on disk: found by any word, looked at, resumed, renamed, deleted.

A deletion can be taken back for a while; it is made when that is over, or when the screen is left.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from rag_assistant.errors import HistoryError
from rag_assistant.history.kept import KeptConversation, Summary
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN, problem
from rag_assistant.tui.history.reading import Listing, export, free_path, read_listing
from rag_assistant.tui.history.rows import counted, items_by_day, items_found, preview
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import PickList

UNDO_SECONDS = 10.0
"""How long a deletion can be taken back."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The person wants to go on with a conversation."""

    conversation_id: int


class HistoryScreen(BrowseScreen[Resume]):
    """Lists conversations by day; gives the one to resume, or None."""

    NAME = "Conversations"
    PLACEHOLDER = "search titles, questions and answers"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Resume"),
        Binding("r", "rename", "Rename"),
        Binding("b", "branch", "Branch"),
        Binding("e", "export", "Export"),
        Binding("d", "delete", "Delete"),
        Binding("u", "undo", "Undo"),
        *BROWSE_KEYS,
    ]

    class Read(Message):
        """The list was read."""

        def __init__(self, listing: Listing) -> None:
            super().__init__()
            self.listing = listing

    class Opened(Message):
        """A conversation was read for its preview."""

        def __init__(self, kept: KeptConversation) -> None:
            super().__init__()
            self.kept = kept

    class Changed(Message):
        """A change was made, or could not be; `go_to` is where the cursor goes."""

        def __init__(
            self, said: str = "", go_to: int = 0, failure: HistoryError | None = None
        ) -> None:
            super().__init__()
            self.said = said
            self.go_to = go_to
            self.failure = failure

    def __init__(self, store: ConversationStore) -> None:
        super().__init__()
        self._store = store
        self._listing = Listing("")
        self._deleted: dict[int, Timer] = {}
        self._going: set[int] = set()
        self._go_to = ""

    async def on_unmount(self) -> None:
        """Make the deletions that nobody took back."""
        try:
            await asyncio.to_thread(self._make_deletions, tuple(self._deleted))
        except HistoryError as error:
            self._store.tell(told(error))

    # The list

    def reload(self) -> None:
        """Read the list again."""
        self.filter_changed(self.filter_text)

    @work(thread=True, exclusive=True, exit_on_error=False, group="history")
    def filter_changed(self, text: str) -> None:
        """Find conversations by what is typed, all of them where nothing is."""
        try:
            listing = read_listing(self._store, text)
        except HistoryError as error:
            notes = tuple(self._store.take_notes())
            listing = Listing(text, notes=notes, failure=error)
        self.post_message(self.Read(listing))

    @on(Read)
    def _show_list(self, event: Read) -> None:
        if event.listing.text != self.filter_text:
            return  # typed on meanwhile
        self._listing = event.listing
        self._draw()
        if self._listing.notes:
            self.remark(joined([plain("! ", WARN), one_line(" ".join(self._listing.notes))]))

    def _draw(self) -> None:
        listing = self._listing
        hidden = self._deleted.keys() | self._going
        there = [summary for summary in listing.summaries if summary.id not in hidden]
        if listing.text:
            items = items_found(there)
        else:
            items = items_by_day(there, datetime.now().astimezone().date())
        nothing = plain(_NONE if not listing.text else "Nothing found. Try other words, or fewer.")
        if listing.failure:
            nothing = problem(listing.failure.message, listing.failure.hint)
        self.listing.show(items, nothing)
        if self._go_to:
            self.listing.go_to(self._go_to)
            self._go_to = ""
        kept = max(len(there), listing.total - len(hidden))
        told = f"{len(there)} of {kept}" if len(there) < kept else counted(kept, "conversation")
        self.head(plain(told if not listing.failure else "", QUIET))

    @on(PickList.Moved)
    def _moved(self, event: PickList.Moved) -> None:
        if event.key:
            self._open(int(event.key))
        else:
            self.detail()

    @work(thread=True, exclusive=True, exit_on_error=False, group="preview")
    def _open(self, conversation: int) -> None:
        try:
            self.post_message(self.Opened(self._store.show(conversation)))
        except HistoryError as error:
            self.post_message(self.Changed(failure=error))

    @on(Opened)
    def _show_preview(self, event: Opened) -> None:
        if str(event.kept.summary.id) == self.listing.key:
            self.detail(*preview(event.kept, self._listing.snippets))

    # What is done with a conversation

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to take back only what was deleted."""
        if action == "undo" and not self._deleted:
            return False
        return super().check_action(action, parameters)

    @property
    def _chosen(self) -> Summary | None:
        key = self.listing.key
        return next((s for s in self._listing.summaries if str(s.id) == key), None)

    def choose(self) -> None:
        """Go on with the conversation at the cursor."""
        if self._chosen:
            self.dismiss(Resume(self._chosen.id))

    def action_rename(self) -> None:
        """Ask for another title."""
        chosen = self._chosen
        if chosen:

            def rename(title: str) -> str:
                self._store.rename(chosen.id, title)
                return ""

            def take(title: str) -> None:
                self._change(lambda: rename(title))

            self.edit.open(plain("Title", "bold"), chosen.title, take)

    def action_branch(self) -> None:
        """Copy the conversation, to go on another way; ask up to which question."""
        chosen = self._chosen
        if chosen is None:
            return

        def take(written: str) -> None:
            if written.strip().isdecimal():
                self._branch(chosen.id, int(written))
            else:
                self.complain(f"Write a number from 1 to {chosen.exchanges}.")

        if chosen.exchanges == 1:
            self._branch(chosen.id, 1)
        else:
            label = plain(f"Branch after question (1–{chosen.exchanges})", "bold")
            self.edit.open(label, str(chosen.exchanges), take)

    def _branch(self, conversation: int, up_to: int) -> None:
        def make() -> str:
            self._go_to = str(self._store.branch(conversation, up_to))
            return f"branched: Enter goes on with the copy, {self._go_to}"

        self._change(make)

    def action_export(self) -> None:
        """Ask for a file, and write the conversation with its sources there."""
        chosen = self._chosen
        if chosen:

            def take(written: str) -> None:
                path = Path(written.strip()).expanduser().absolute()
                self._change(lambda: export(self._store, chosen.id, path))

            place = free_path(Path.cwd() / f"conversation-{chosen.id}.md")
            self.edit.open(plain("Write it to (.md or .json)", "bold"), str(place), take)

    def action_delete(self) -> None:
        """Take the conversation out of the list, and delete it after a while."""
        chosen = self._chosen
        if chosen is None:
            return
        over = self.set_timer(UNDO_SECONDS, lambda: self._delete_now(chosen.id))
        self._deleted[chosen.id] = over
        parts = [one_line(f"deleted: {chosen.title}"), plain("   u", "bold")]
        self.remark(joined([*parts, plain(f" brings it back ({UNDO_SECONDS:.0f} s)", QUIET)]))
        self._draw()
        self.refresh_bindings()

    def action_undo(self) -> None:
        """Take the last deletion back."""
        if self._deleted:
            conversation, over = self._deleted.popitem()
            over.stop()
            self._go_to = str(conversation)
            self.remark(plain("brought back", QUIET))
            self._draw()
            self.refresh_bindings()

    def _delete_now(self, conversation: int) -> None:
        del self._deleted[conversation]
        self.refresh_bindings()
        self._going.add(conversation)
        self._change(lambda: self._make_deletions((conversation,)))

    def _make_deletions(self, conversations: tuple[int, ...]) -> str:
        for conversation in conversations:
            self._store.delete(conversation)
        return ""

    @work(thread=True, exit_on_error=False, group="change")
    def _change(self, change: Callable[[], str]) -> None:
        try:
            self.post_message(self.Changed(change()))
        except HistoryError as error:
            self.post_message(self.Changed(failure=error))

    @on(Changed)
    def _show_change(self, event: Changed) -> None:
        if event.failure:
            self._going.clear()
            self._draw()
            self.complain(event.failure.message, event.failure.hint)
            return
        if self.edit.display:
            self.edit.close()
        self.remark(one_line(event.said) if event.said else EMPTY)
        self.reload()


_NONE = "No conversation is kept yet. Ask something: it is kept while it is answered."
