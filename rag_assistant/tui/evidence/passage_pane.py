"""One source below the cards: its head, its text at the quoted words, the page as a picture.

Words can be copied from it, its file opened, and the whole document asked for.
"""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.evidence.passage_view import PassageView, passage_head
from rag_assistant.tui.reader.opening_outside import open_source
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.passage import SourcePassage
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside


class PassagePane(Vertical):
    """Shows `passage`; where there is none, only what is remarked."""

    DEFAULT_CSS = "PassagePane { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "read", "Read it whole"),
        Binding("y", "copy", "Copy"),
        Binding("Y,upper_y", "copy_with_reference", "Copy with title, page and path", show=False),
        Binding("o", "open", "Open in your program", show=False),
        Binding("v", "picture", "The page as a picture", show=False),
    ]

    passage: reactive[SourcePassage | None] = reactive(None)

    class ReadWanted(Message):
        """The whole document of a passage is wanted."""

        def __init__(self, passage: SourcePassage) -> None:
            super().__init__()
            self.passage = passage

    class FileOpened(Message):
        """The file was opened, or could not be; `said` says so, with the next step."""

        def __init__(self, said: str) -> None:
            super().__init__()
            self.said = said

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="passage-head")
        yield PassageView(id="passage")
        yield PagePicture(id="picture")
        yield LaidText(id="evidence-remark")

    @property
    def picture(self) -> PagePicture:
        """The page as a picture, on demand."""
        return self.query_one(PagePicture)

    def watch_passage(self) -> None:
        """Open a source."""
        passage, head = self.passage, self.query_one("#passage-head", LaidText)
        view = self.query_one(PassageView)
        head.blocks = passage_head(passage) if passage else ()
        head.display = view.display = passage is not None
        self.picture.hide()
        view.passage = passage
        self.remark("")

    def remark(self, said: str) -> None:
        """Say something in the line below the source."""
        shown = self.query_one("#evidence-remark", LaidText)
        shown.blocks = (Text(one_line(said)),) if said else ()
        shown.display = bool(said)

    def say_why(self, error: RagError) -> None:
        """Say why something could not be done, and what to do."""
        self.remark(told(error))

    @on(PassageView.Failed)
    @on(PagePicture.Failed)
    def _say_why_not(self, event: PassageView.Failed | PagePicture.Failed) -> None:
        self.say_why(event.error)

    # Keys

    def action_read(self) -> None:
        """Ask for the whole document, at the quoted words."""
        if self.passage:
            self.post_message(self.ReadWanted(self.passage))

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
        passage = self.passage
        if passage and passage.database and passage.entry:
            self._open(
                partial(open_source, self.app, passage.database, passage.entry, passage.start)
            )

    @work(thread=True, group="open", exit_on_error=False)
    def _open(self, open_file: Callable[[], str]) -> None:
        try:
            self.post_message(self.FileOpened(open_file()))
        except RagError as error:
            self.post_message(self.FileOpened(told(error)))

    @on(FileOpened)
    def _say_what_was_opened(self, event: FileOpened) -> None:
        self.remark(event.said)

    def action_picture(self) -> None:
        """Show or hide the page that the quote is on, as a picture."""
        passage = self.passage
        if passage and passage.database and passage.entry:
            page = passage.citation.item.location.page, passage.quote
            self.picture.toggle(passage.database, passage.entry, lambda: page)
