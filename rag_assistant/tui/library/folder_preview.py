"""Looks through a folder and shows what it holds, before any of it is indexed."""

from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.beside import once_drawn
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import LayoutBlock
from rag_assistant.tui.drawing.safe_widgets import EMPTY, plain
from rag_assistant.tui.drawing.signs import QUIET, problem
from rag_assistant.tui.library.folder_blocks import folder_blocks, skipped_blocks

if TYPE_CHECKING:  # it loads all formats, which the first picture needs none of
    from rag_assistant.library.scan import Scan

ANOTHER = "o chooses another folder"


class FolderPreview(LaidText):
    """Shows `folder`, as far as `scan` goes; `failure` says why it cannot be looked through."""

    class Moved(Message):
        """More is known of the folder."""

    class _Scanned(Message):
        def __init__(self, folder: Path, scan: "Scan | None", failure: Content = EMPTY) -> None:
            super().__init__()
            self.folder = folder
            self.scan = scan
            self.failure = failure

    def __init__(self, library: Library, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._library = library
        self.folder: Path | None = None
        self.scan: Scan | None = None
        self.failure = EMPTY

    @property
    def objection(self) -> Content:
        """Say why the folder is not to be indexed; empty where it may be."""
        if self.failure:
            return plain(ANOTHER, QUIET)
        if self.scan and self.scan.over and not self.scan.readable:
            return plain(f"Nothing in it can be read: {ANOTHER}", QUIET)
        return EMPTY

    @property
    def skipped(self) -> tuple[LayoutBlock, ...]:
        """What is not read, with the reasons; nothing where all is."""
        return skipped_blocks(self.scan) if self.scan and self.scan.skipped else ()

    def look_through(self, folder: Path) -> None:
        """Begin with a folder."""
        self.folder, self.scan, self.failure = folder, None, EMPTY
        self.draw()
        # It loads all formats: the folder's name is there before.
        once_drawn(self, self._scan)

    def _scan(self) -> None:
        if folder := self.folder:
            self.run_worker(
                lambda: self._scan_in_thread(folder),
                group="scan",
                thread=True,
                exclusive=True,
                exit_on_error=False,
            )

    def _scan_in_thread(self, folder: Path) -> None:
        worker = get_current_worker()
        try:
            for scan in self._library.scan(folder):
                if worker.is_cancelled:
                    return
                self.post_message(self._Scanned(folder, scan))
        except RagError as error:
            failure = problem(error.message, error.hint)
            self.post_message(self._Scanned(folder, None, failure))

    def on_folder_preview__scanned(self, event: _Scanned) -> None:
        """Show what is known by now."""
        event.stop()
        if event.folder == self.folder:
            self.scan, self.failure = event.scan, event.failure
            self.draw()
            self.post_message(self.Moved())

    def draw(self) -> None:
        """Show the folder again, after something else stood here."""
        if self.folder:
            self.blocks = folder_blocks(self.folder, self.scan, self.failure)
