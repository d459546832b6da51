"""Reading a whole document: opened at the words that were found or cited, with search and outline.

Only a window of the text is held; more is read in threads as the person scrolls.
"""

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from rag_assistant.documents import Location
from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.source_files import source_file
from rag_assistant.tui.clipboard import Copied, copy_beside
from rag_assistant.tui.exchange_blocks import QUIET, SEPARATOR, problem
from rag_assistant.tui.help_screen import HelpScreen
from rag_assistant.tui.key_bar import KeyBar
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Block, Row, Text
from rag_assistant.tui.outside_viewer import editor_command, open_outside
from rag_assistant.tui.pick_list import Item, PickList
from rag_assistant.tui.reader_screen_text import (
    LONGEST_WORDS,
    MOST_HITS,
    Hits,
    Outline,
    Read,
    Source,
    Window,
    find_all,
    place_at,
    read_more,
    read_outline,
    read_source,
    read_window,
    told,
)
from rag_assistant.tui.reader_screen_window import TextWindow
from rag_assistant.tui.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.source_reference import place_of, with_reference


class ReaderScreen(Screen[None]):
    """Shows the entry, with the characters `start` to `end` marked."""

    CSS_PATH = "reader_screen.tcss"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's name and form
        (0, "-narrow"),
        (80, "-medium"),
        (110, "-wide"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("n", "hit(1)", "Next hit", show=False),
        Binding("N,upper_n", "hit(-1)", "Hit before", show=False),
        Binding("y", "copy", "Copy"),
        Binding("o", "open", "Open in your program"),
        Binding("t", "outline", "Outline"),
        Binding("h", "home", "Back to the words", show=False),
        Binding("enter", "choose", "Go there", show=False),
        Binding("f1", "help", "Help"),
    ]

    def __init__(self, database: Database, entry_id: int, start: int, end: int) -> None:
        super().__init__()
        self._database = database
        self._entry_id = entry_id
        self._span = (start, max(start, end))
        self._source: Source | None = None
        self._hits = Hits("", ())
        self._hit = -1

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="reader-head")
        with Horizontal(id="reader-columns"):
            yield PickList(id="reader-outline")
            yield TextWindow(id="reader-text")
        yield LaidText(id="reader-remark")
        yield Input(placeholder="search this document", compact=True, id="reader-search")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Open the document."""
        self.add_class("reader")
        for part in ("#reader-outline", "#reader-search"):
            self.query_one(part).display = False
        self._window.focus()
        self._remark()
        self._read(partial(read_source, self._database, self._entry_id, *self._span))

    @property
    def _window(self) -> TextWindow:
        return self.query_one(TextWindow)

    @property
    def _length(self) -> int:
        return self._source.entry.length if self._source else 0

    @work(thread=True, exit_on_error=False)
    def _read(self, read: Callable[[], object]) -> None:
        try:
            self.post_message(Read(read()))
        except Exception as error:  # noqa: BLE001 - a defect must not leave the screen without a word
            self.post_message(Read(told(error)))

    @on(Read)
    async def _take(self, event: Read) -> None:
        match event.value:
            case Source() as source:
                self._source = source
                self._head()
                self._window.mark(self._span, ())
                self._jump(self._span[0])
            case Window() as window:
                await self._window.take(window)
            case Hits() as hits:
                self._take_hits(hits)
            case Outline() as outline:
                self._take_outline(outline)
            case RagError() as error:
                self._window.let_go()
                self._remark(problem(error.message, error.hint))

    # The text

    def _jump(self, at: int) -> None:
        if not self._window.bring_into_view(at):
            self._read(partial(read_window, self._database, self._entry_id, self._length, at))

    @on(TextWindow.MoreWanted)
    def _more(self, event: TextWindow.MoreWanted) -> None:
        if 0 < event.edge < self._length:
            wanted = (self._length, event.edge, event.side)
            self._read(partial(read_more, self._database, self._entry_id, *wanted))
        else:
            self._window.let_go()

    @on(TextWindow.JumpWanted)
    def _jump_to_end(self, event: TextWindow.JumpWanted) -> None:
        self._jump(0 if event.side < 0 else max(0, self._length - 1))

    def action_home(self) -> None:
        """Go back to the words that the document was opened for."""
        self._jump(self._span[0])

    @on(TextWindow.Scrolled)
    def _head(self) -> None:
        if self._source is None:
            return
        entry, place = self._source.entry, self._source.place
        name = entry.title.strip() or entry.path
        share = 100 * self._window.top() // max(1, entry.length)
        right = [one_line(self._database.name, QUIET), plain(f"{share} %", QUIET)]
        where = " · ".join([entry.path, *place_of(place)])
        blocks: list[Block] = [
            Row(one_line(name, "bold $text-primary"), joined(right, SEPARATOR)),
            Row(one_line(where, QUIET)),
        ]
        self.query_one("#reader-head", LaidText).blocks = tuple(blocks)

    def _remark(self, said: Content = EMPTY) -> None:
        shown = self.query_one("#reader-remark", LaidText)
        shown.blocks = (Text(said),) if said else ()
        shown.display = bool(said)

    # Searching in it

    def action_search(self) -> None:
        """Ask what to look for."""
        box = self.query_one("#reader-search", Input)
        box.display = True
        box.value = self._hits.words
        box.focus()

    @on(Input.Submitted, "#reader-search")
    def _search(self, event: Input.Submitted) -> None:
        event.stop()
        self._close_search()
        words = event.value.strip()
        if len(words) > LONGEST_WORDS:
            self._remark(one_line(f"at most {LONGEST_WORDS} characters can be looked for"))
        elif words:
            self._remark(one_line("searching…", QUIET))
            self._read(partial(find_all, self._database, self._entry_id, self._length, words))
        else:
            self._take_hits(Hits("", ()))

    def _close_search(self) -> None:
        self.query_one("#reader-search", Input).display = False
        self._window.focus()

    def _take_hits(self, hits: Hits) -> None:
        self._hits, self._hit = hits, -1
        self._window.mark(self._span, hits.spans)
        if hits.spans:
            top = self._window.top()
            after = next((n for n, hit in enumerate(hits.spans) if hit[0] >= top), 0)
            self._go_to_hit(after)
        else:
            said = f"“{hits.words}” is nowhere in this document" if hits.words else ""
            self._remark(one_line(said))

    def action_hit(self, step: int) -> None:
        """Go to the next hit, or the one before, round and round."""
        if self._hits.spans:
            self._go_to_hit((self._hit + step) % len(self._hits.spans))
        else:
            self._remark(one_line("nothing is looked for yet: / searches this document"))

    def _go_to_hit(self, number: int) -> None:
        self._hit = number
        count = len(self._hits.spans)
        of = f"the first {count}" if count == MOST_HITS else str(count)
        self._remark(
            joined(
                [
                    plain(f"{number + 1} of {of}  "),
                    one_line(f"“{self._hits.words}”", "bold"),
                    plain("  n next, N before", QUIET),
                ]
            )
        )
        self._jump(self._hits.spans[number][0])

    # Its outline

    def action_outline(self) -> None:
        """Show or hide the headings."""
        outline = self.query_one(PickList)
        if outline.display:
            self._close_outline()
        else:
            self._read(partial(read_outline, self._database, self._entry_id))

    def _take_outline(self, outline: Outline) -> None:
        if not outline.lines:
            self._remark(one_line("this document has no headings"))
            return
        listing = self.query_one(PickList)
        listing.show(
            tuple(
                Item(Row(one_line("  " * line.depth + line.title)), f"{number} {line.start}")
                for number, line in enumerate(outline.lines)
            )
        )
        top = self._window.top()
        here = [n for n, line in enumerate(outline.lines) if line.start <= top]
        if here:
            listing.go_to(f"{here[-1]} {outline.lines[here[-1]].start}")
        listing.display = True
        self.add_class("-outlined")
        listing.focus()

    def _close_outline(self) -> None:
        self.query_one(PickList).display = False
        self.remove_class("-outlined")
        self._window.focus()

    @on(PickList.Chosen)
    def action_choose(self) -> None:
        """Go to the heading with the cursor."""
        listing = self.query_one(PickList)
        if listing.display and listing.key:
            at = int(listing.key.split()[1])
            self._close_outline()
            self.call_after_refresh(self._jump, at)

    # Out of it

    def action_copy(self) -> None:
        """Copy what is selected, or else the marked words with where they are from."""
        selected = self.get_selected_text()
        if selected:
            copy_beside(self, selected)
        elif self._source:
            self._copy_marked(self._source)

    @work(thread=True, group="marked", exit_on_error=False)
    def _copy_marked(self, source: Source) -> None:
        try:
            words = self._database.text(self._entry_id, *self._span)
        except RagError as error:
            self.post_message(Read(error))
            return
        entry = source.entry
        text = with_reference(words, entry.title, entry.path, source.place)
        self.app.call_from_thread(copy_beside, self, text)

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        self._remark(one_line(event.remark))

    def action_open(self) -> None:
        """Open the file in the person's own program, where one can be told at what is read."""
        if self._source:
            first = self._span[0]
            at = first if self._window.sees(first) else self._window.top()
            self._open(self._source, at)

    @work(thread=True, group="open", exit_on_error=False)
    def _open(self, source: Source, at: int) -> None:
        try:
            path = source_file(self._database, self._entry_id)
            place = place_at(self._database, self._entry_id, at, at)
            media_type = source.entry.media_type
            if media_type.startswith("text/") and self.app.call_from_thread(
                self._edit, path, place
            ):
                return
            program = open_outside(path, place.page, media_type, os.environ)
        except Exception as error:  # noqa: BLE001 - a viewer's trouble is told, not raised
            self.post_message(Read(told(error)))
            return
        said = f"opened {path.name} with {program}"
        self.app.call_from_thread(self._remark, one_line(said))

    def _edit(self, path: Path, place: Location) -> bool:
        """Hand the terminal to the person's editor; tells whether there is one."""
        command = editor_command(path, place.line, os.environ)
        if not command:
            return False
        with suppress(SuspendNotSupported):
            with self.app.suspend():
                subprocess.run(command, check=False)
            self.app.refresh(layout=True)
            return True
        return False

    # Keys

    def action_back(self) -> None:
        """Close what is open over the text, or leave."""
        if self.query_one("#reader-search", Input).has_focus:
            self._close_search()
        elif self.query_one(PickList).display:
            self._close_outline()
        else:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Say so when a letter does nothing here."""
        if event.is_printable and event.key not in self.active_bindings:
            self._remark(one_line("Reading: Esc goes back, F1 lists the keys"))

    def action_help(self) -> None:
        """List the keys."""
        groups = [("Reader", ReaderScreen.BINDINGS), ("Text", TextWindow.BINDINGS)]
        self.app.push_screen(HelpScreen(groups))
