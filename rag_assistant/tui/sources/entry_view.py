"""The text of one entry, which reads on by itself: in threads, before the person comes to the end
of what is held, or where another place of it is wanted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual import on, work
from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.tui.drawing.text_lines import Excerpt
from rag_assistant.tui.sources.reading import read_more, read_window
from rag_assistant.tui.sources.source_text import SourceText, Span
from rag_assistant.values.documents import Entry


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """The entry that is shown; opened once more, it is another one."""

    database: Database
    entry: Entry


class EntryView(SourceText):
    """Shows an entry, opened at some of its words."""

    class Failed(Message):
        """No more of the text could be read; `error` says why."""

        def __init__(self, error: RagError) -> None:
            super().__init__()
            self.error = error

    class Extended(Message):
        """What goes before (-1) or after (1) the text that is held was read."""

        def __init__(self, opened: _Opened, excerpt: Excerpt, side: int) -> None:
            super().__init__()
            self.opened = opened
            self.excerpt = excerpt
            self.side = side

    class Reached(Message):
        """The text round another place, the character `at`, was read."""

        def __init__(self, opened: _Opened, excerpt: Excerpt, at: int) -> None:
            super().__init__()
            self.opened = opened
            self.excerpt = excerpt
            self.at = at

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._opened: _Opened | None = None

    def open_entry(
        self, database: Database | None, entry: Entry | None, excerpt: Excerpt, span: Span
    ) -> None:
        """Show the part of an entry that was read round some words, which are marked.

        Without a database or an entry there is no more to read than that.
        """
        self._opened = _Opened(database, entry) if database and entry else None
        self.mark(span, ())
        self.open(excerpt, span[0])

    def jump(self, at: int) -> None:
        """Go to a character of the entry."""
        if self._opened and not self.bring_into_view(at):
            self._read(partial(_reach, self._opened, at))

    @work(thread=True, group="more", exit_on_error=False)
    def _read(self, read: Callable[[], Message]) -> None:
        try:
            self.post_message(read())
        except RagError as error:
            self.post_message(self.Failed(error))

    @on(SourceText.MoreWanted)
    def _read_on(self, event: SourceText.MoreWanted) -> None:
        if self._opened:
            self._read(partial(_extend, self._opened, event.edge, event.side))

    @on(SourceText.JumpWanted)
    def _jump_to_end(self, event: SourceText.JumpWanted) -> None:
        if self._opened:
            self.jump(0 if event.side < 0 else max(0, self._opened.entry.length - 1))

    @on(Extended)
    def _take_more(self, event: Extended) -> None:
        if event.opened is self._opened:
            self.extend(event.excerpt, event.side)

    @on(Reached)
    def _take_window(self, event: Reached) -> None:
        if event.opened is self._opened:
            self.open(event.excerpt, event.at)

    @on(Failed)
    def _give_up(self) -> None:
        self.let_go()


def _extend(opened: _Opened, edge: int, side: int) -> EntryView.Extended:
    entry = opened.entry
    more = read_more(opened.database, entry.id, entry.length, edge, side)
    return EntryView.Extended(opened, more, side)


def _reach(opened: _Opened, at: int) -> EntryView.Reached:
    entry = opened.entry
    window = read_window(opened.database, entry.id, entry.length, at)
    return EntryView.Reached(opened, window, at)
