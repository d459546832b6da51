"""The part of the reader that hands things out: words to the clipboard, the file to the person's
own program or editor.
"""

from textual import on, work

from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.reader.document import Read, Source, told
from rag_assistant.tui.reader.opening_outside import open_source
from rag_assistant.tui.reader.trail import TrailScreen
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.reading import place_at
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside

NOT_YET = "The document is still being read: press the key again."


class HandingScreen(TrailScreen):
    """A document whose words and file can be taken elsewhere."""

    def action_copy(self) -> None:
        """Copy what is selected, or else the marked words."""
        self._copy(referenced=False)

    def action_copy_with_reference(self) -> None:
        """Copy the same with where it is from."""
        self._copy(referenced=True)

    def _copy(self, *, referenced: bool) -> None:
        selected = self.get_selected_text()
        if selected and not referenced:
            copy_beside(self, selected)
        elif source := self._read_source():
            self._copy_words(source, selected or "", referenced)

    def _read_source(self) -> Source | None:
        """Give what is read; None, and say so, as long as it is not there."""
        if self._source is None:
            self.remark(one_line(NOT_YET))
        return self._source

    @work(thread=True, group="marked", exit_on_error=False)
    def _copy_words(self, source: Source, selected: str, referenced: bool) -> None:
        entry, place = source.entry, source.place
        try:
            words = selected or source.database.text(entry.id, place.start, place.end)
        except RagError as error:
            self.post_message(Read(error))
            return
        if referenced:
            words = with_reference(words, entry.title, entry.path, place)
        self.app.call_from_thread(copy_beside, self, words)

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        self.remark(one_line(event.remark))

    def action_open(self) -> None:
        """Open the file in the person's own program, where one can be told at what is read."""
        if source := self._read_source():
            self._open(source, self.at())

    def at(self) -> int:
        """Give the character that is read: the marked words where they are seen, or the top."""
        first = self._source.place.start if self._source else 0
        return first if self.text.sees(first) else self.text.top()

    @work(thread=True, group="open", exit_on_error=False)
    def _open(self, source: Source, at: int) -> None:
        try:
            said = open_source(self.app, source.database, source.entry, at)
        except Exception as error:  # noqa: BLE001 - a viewer's trouble is told, not raised
            self.post_message(Read(told(error)))
        else:
            self.app.call_from_thread(self.remark, one_line(said))

    def action_picture(self) -> None:
        """Show or hide the page that is read, as a picture."""
        if source := self._read_source():
            self._find_page(source, self.at())

    @work(thread=True, group="page", exclusive=True, exit_on_error=False)
    def _find_page(self, source: Source, at: int) -> None:
        try:
            page = place_at(source.database, source.entry.id, at, at).page
            words = source.database.text(source.entry.id, source.place.start, source.place.end)
            self.app.call_from_thread(self._show_page, source, page, words)
        except RagError as error:
            self.post_message(Read(error))

    def _show_page(self, source: Source, page: int | None, words: str) -> None:
        picture = self.query_one(PagePicture)
        picture.toggle(source.database, source.entry, page, words)

    @on(PagePicture.Failed)
    def _no_picture(self, event: PagePicture.Failed) -> None:
        self.remark(problem(event.error.message, event.error.hint))
