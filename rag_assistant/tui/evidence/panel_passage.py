"""The part of the sources that shows one of them: its head, its text at the quoted words, and the
page as a picture. Words can be copied from it, and the whole document opened.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.drawing.text_lines import Excerpt
from rag_assistant.tui.evidence.passage_view import PassageView, passage_head
from rag_assistant.tui.reader.opening_outside import open_source
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.passage import SourcePassage
from rag_assistant.tui.sources.reading import read_more
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside
from rag_assistant.values.documents import Entry
from rag_assistant.values.evidence import Citation

SHORT = 20
"""Rows below which the list of sources shows the chosen one alone, and a picture hides the text."""


class PassagePanel(Vertical):
    """A panel that shows `passage`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "read", "Read it whole"),
        Binding("y", "copy", "Copy"),
        Binding("Y,upper_y", "copy_with_reference", "Copy with title, page and path", show=False),
        Binding("o", "open", "Open in your program", show=False),
        Binding("v", "picture", "The page as a picture", show=False),
    ]

    passage: reactive[SourcePassage | None] = reactive(None)

    def __init__(self, library: Library | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._library = library

    def watch_passage(self) -> None:
        """Open a source."""
        passage = self.passage
        self.query_one("#passage-head", LaidText).blocks = passage_head(passage) if passage else ()
        for part in ("#passage-head", "#passage"):
            self.query_one(part).display = passage is not None
        self.query_one(PagePicture).hide()
        self._fit()
        self.query_one(PassageView).passage = passage
        self.remark("")

    def on_resize(self) -> None:
        """Let the list give way to the source where there is little room."""
        self._fit()

    def _fit(self) -> None:
        self.set_class(self.passage is not None and self.size.height < SHORT, "-short")

    @on(PassageView.MoreWanted)
    def _read_more(self, event: PassageView.MoreWanted) -> None:
        if self._library and self.passage:
            self._read_beside(self._library, self.passage, event.edge, event.side)

    @work(thread=True, group="more", exit_on_error=False)
    def _read_beside(self, library: Library, shown: SourcePassage, edge: int, side: int) -> None:
        entry = shown.entry
        if entry is None:
            return
        try:
            database = library.database(shown.citation.item.database)
            more = read_more(database, entry.id, entry.length, edge, side)
        except RagError as error:
            self.app.call_from_thread(self.say_why, error)
        else:
            self.app.call_from_thread(self._extend, shown, more, side)

    def _extend(self, shown: SourcePassage, more: Excerpt, side: int) -> None:
        if shown is self.passage:
            self.query_one(PassageView).extend(more, side)

    def remark(self, said: str) -> None:
        """Say something in the line below the source."""
        shown = self.query_one("#evidence-remark", LaidText)
        shown.blocks = (Text(one_line(said)),) if said else ()
        shown.display = bool(said)

    def say_why(self, error: RagError) -> None:
        """Say why something could not be done, and what to do."""
        self.remark(f"{error.message} {error.hint}")

    # Keys

    def action_copy(self) -> None:
        """Copy what is selected, or else the quote."""
        words = self.screen.get_selected_text() or self._quote()
        if words:
            copy_beside(self, words)

    def action_copy_with_reference(self) -> None:
        """Copy the same with where it is from."""
        words = self.screen.get_selected_text() or self._quote()
        if words and self.passage:
            item = self.passage.citation.item
            copy_beside(self, with_reference(words, item.title, item.path, item.location))

    def _quote(self) -> str:
        """Give the words that are shown as cited: the source's own where it has them."""
        return self.passage.quote or self.passage.citation.item.quote if self.passage else ""

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        event.stop()
        self.remark(event.remark)

    def action_open(self) -> None:
        """Open the file in the person's own program, at the quoted words."""
        if self._library and self.passage and self.passage.entry:
            self._open(self._library, self.passage, self.passage.entry)

    @work(thread=True, group="open", exit_on_error=False)
    def _open(self, library: Library, passage: SourcePassage, entry: Entry) -> None:
        try:
            database = library.database(passage.citation.item.database)
            said = open_source(self.app, database, entry, passage.start)
        except RagError as error:
            self.app.call_from_thread(self.say_why, error)
        else:
            self.app.call_from_thread(self.remark, said)

    def action_picture(self) -> None:
        """Show or hide the page that the quote is on, as a picture."""
        passage = self.passage
        if not (self._library and passage and passage.entry):
            return
        item = passage.citation.item
        try:
            database = self._library.database(item.database)
            page = item.location.page
            self.query_one(PagePicture).toggle(database, passage.entry, page, passage.quote)
        except RagError as error:
            self.say_why(error)

    @on(PagePicture.Failed)
    def _no_picture(self, event: PagePicture.Failed) -> None:
        self.say_why(event.error)

    def cited_and_others(self) -> tuple[tuple[Citation, ...], tuple[Citation, ...]]:
        """Give what can be gone through in whole documents: citations, and what else was found."""
        raise NotImplementedError

    def want_wrong(self, citation: Citation, tell: Callable[[str], None]) -> None:
        """Ask for a citation to be marked as wrong, or not any more."""
        raise NotImplementedError

    def action_read(self) -> None:
        """Open the whole document at the quoted words."""
        library, passage = self._library, self.passage
        if library is None or passage is None:
            return
        from rag_assistant.tui.reader.document import Trail  # noqa: PLC0415
        from rag_assistant.tui.reader.screen import ReaderScreen  # noqa: PLC0415 - when it is used

        item = passage.citation.item
        try:
            database = library.database(item.database)
        except RagError as error:
            self.say_why(error)
            return
        trail = Trail(library, *self.cited_and_others(), self.want_wrong)
        place = (item.entry_id, passage.start, passage.end)
        self.app.push_screen(ReaderScreen(database, *place, trail, passage.citation))
