"""Reading a whole document: opened at what was found or cited, with search and outline.

All keys of the reader stand here, and what they do: here, or in the view of the document.
"""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from rag_assistant.library.database import Database
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.indexing.progress import IndexingEnded
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.reader.document import (
    OpenDocument,
    find_page,
    read_cited,
    read_document,
    read_words,
)
from rag_assistant.tui.reader.document_view import DocumentView
from rag_assistant.tui.reader.messages import DocumentRead, FileOpened, ReadingFailed, outcome
from rag_assistant.tui.reader.opening_outside import open_source
from rag_assistant.tui.reader.trail import Trail, TrailWalk
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.source_text import SourceText
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside, copy_text
from rag_assistant.values.evidence import Citation

NOT_YET = "The document is still being read: press the key again."


class ReaderScreen(Screen[None]):
    """Shows an entry with the characters `start` to `end` marked; of a `trail`, `opened`."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("n", "hit(1)", "Next hit", show=False),
        Binding("N,upper_n", "hit(-1)", "Previous hit", show=False),
        Binding("t", "outline", "Outline"),
        Binding("right,ctrl+g", "step(1)", "Next citation"),
        Binding("left", "step(-1)", "Previous citation", show=False),
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("e", "all", "All that was found", show=False),
        Binding("x", "mark_wrong", "Mark the citation as wrong", show=False),
        Binding("y", "copy", "Copy"),
        Binding("Y,upper_y", "copy_with_reference", "Copy with title, page and path", show=False),
        Binding("v", "picture", "The page as a picture", show=False),
        Binding("o", "open", "Open in your program"),
        Binding("f5", "rescan", "Read changed files again", show=False),
        Binding("h", "home", "Back to the words", show=False),
        Binding("enter", "choose", "Go there", show=False),
        Binding("f1", "help", "Help"),
    ]

    def __init__(
        self,
        database: Database,
        entry_id: int,
        start: int,
        end: int,
        trail: Trail | None = None,
        opened: Citation | None = None,
    ) -> None:
        super().__init__()
        self._document: OpenDocument | None = None
        others_too = bool(opened and trail and opened not in trail.cited)
        self._walk = TrailWalk(trail, others_too) if trail else None
        self._first = partial(read_document, database, entry_id, start, max(start, end))
        if trail and opened:
            self._first = partial(read_cited, trail.library, opened)

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield DocumentView()
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Open the document."""
        self.add_class("reader")
        self._open(self._first)

    @property
    def view(self) -> DocumentView:
        """The document that is read."""
        return self.query_one(DocumentView)

    def remark(self, said: str) -> None:
        """Say something in the line below the text."""
        self.view.remark(one_line(said))

    @work(thread=True, exit_on_error=False)
    def _beside(self, work: Callable[[], Message]) -> None:
        self.post_message(outcome(work))

    @on(ReadingFailed)
    @on(SourceText.Failed)
    @on(PagePicture.Failed)
    def _say_why(self, event: ReadingFailed | SourceText.Failed | PagePicture.Failed) -> None:
        self.view.remark(problem(event.error.message, event.error.hint))

    # The document

    def _open(self, read: Callable[[], OpenDocument]) -> None:
        self._beside(lambda: DocumentRead(read()))

    @on(DocumentRead)
    def _show_document(self, event: DocumentRead) -> None:
        document = self._document = event.document
        cited = self._walk.trail.cited if self._walk else ()
        citation = document.citation
        self.view.show(document, citation.marker if citation and citation in cited else None)

    def _opened(self) -> OpenDocument | None:
        """Give the document; None, and say so, as long as it is not there."""
        if self._document is None:
            self.remark(NOT_YET)
        return self._document

    def action_home(self) -> None:
        """Go back to the words that the document was opened for."""
        self.view.go_home()

    def action_search(self) -> None:
        """Ask what to look for."""
        self.view.ask_what_to_find()

    def action_hit(self, step: int) -> None:
        """Go to the next hit, or the one before, round and round."""
        self.view.step_hit(step)

    def action_outline(self) -> None:
        """Show or hide the headings."""
        self.view.toggle_outline()

    def action_choose(self) -> None:
        """Go to the heading with the cursor."""
        self.view.go_to_heading()

    # What else the answer cites

    def action_step(self, step: int) -> None:
        """Open the citation after or before this one."""
        here = self._document.citation if self._document else None
        stop = self._walk.step(here, step) if self._walk else None
        self._go_to(stop, "this document was not opened from an answer")

    def action_cite(self, marker: int) -> None:
        """Open a citation by its number."""
        stop = self._walk.numbered(marker) if self._walk else None
        self._go_to(stop, f"the answer has no citation {marker}")

    def _go_to(self, stop: Citation | None, nowhere: str) -> None:
        if stop and self._walk:
            self.view.remark(self._walk.told(stop))
            self._open(partial(read_cited, self._walk.trail.library, stop))
        else:
            self.remark(nowhere)

    def action_all(self) -> None:
        """Go through all that was retrieved, or through what is cited alone."""
        if self._walk is None or not self._walk.trail.others:
            self.remark("nothing else was found")
            return
        walk = self._walk = self._walk.switched()
        what = "all that was found" if walk.all_shown else "what is cited"
        self.remark(f"→ and ← go through {what}: {len(walk.stops)}")

    def action_mark_wrong(self) -> None:
        """Mark the citation that is open as wrong, or take that back."""
        trail = self._walk.trail if self._walk else None
        cited = self._document.citation if self._document else None
        if trail and trail.mark_wrong and cited and cited in trail.cited:
            trail.mark_wrong(cited, self._say_marked)
        else:
            self.remark("only what an answer cites can be marked wrong")

    def _say_marked(self, said: str) -> None:
        if self.is_attached:  # and not left meanwhile
            self.remark(said)

    # Words, page and file taken elsewhere

    def action_copy(self) -> None:
        """Copy what is selected, or else the marked words."""
        if selected := self.get_selected_text():
            copy_beside(self, selected)
        elif document := self._opened():
            self._copy(partial(read_words, document, "", referenced=False))

    def action_copy_with_reference(self) -> None:
        """Copy the same with where it is from."""
        if document := self._opened():
            selected = self.get_selected_text() or ""
            self._copy(partial(read_words, document, selected, referenced=True))

    def _copy(self, read: Callable[[], str]) -> None:
        self._beside(lambda: Copied(copy_text(self.app, read())))

    @on(Copied)
    def _say_copied(self, event: Copied) -> None:
        self.remark(event.remark)

    def action_open(self) -> None:
        """Open the file in the person's own program, where one can be told at what is read."""
        if document := self._opened():
            opened = partial(
                open_source, self.app, document.database, document.entry, self.view.at()
            )
            self._beside(lambda: FileOpened(opened()))

    @on(FileOpened)
    def _say_opened(self, event: FileOpened) -> None:
        self.remark(event.said)

    def action_picture(self) -> None:
        """Show or hide the page that is read, as a picture."""
        if document := self._opened():
            find = partial(find_page, document, self.view.at())
            self.view.picture.toggle(document.database, document.entry, find)

    async def action_rescan(self) -> None:
        """Have the databases in scope read again, by the screen that does it."""
        begun = await self.app.run_action("rescan", self.app.screen_stack[0])
        self.remark("reading the files again…" if begun else "files cannot be read again from here")

    @on(IndexingEnded)
    def _open_again(self) -> None:
        """Show the document as it was read just now."""
        document = self._document
        if document and document.citation and self._walk:
            self._open(partial(read_cited, self._walk.trail.library, document.citation))
        elif document:
            place = document.entry.id, *document.span
            self._open(partial(read_document, document.database, *place))

    # Keys that lead out

    def action_back(self) -> None:
        """Close what is open over the text, or leave."""
        if not self.view.close_part():
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Say so when a letter does nothing here."""
        if event.is_printable and event.key not in self.active_bindings:
            self.remark("Reading: Esc goes back, F1 lists the keys")

    def action_help(self) -> None:
        """List the keys."""
        groups = [("Reader", ReaderScreen.BINDINGS), ("Text", SourceText.BINDINGS)]
        self.app.push_screen(HelpScreen(groups))
