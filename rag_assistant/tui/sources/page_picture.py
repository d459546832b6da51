"""A page of a PDF as a picture below its text: by the terminal's own graphics where it is one that
has them, by half blocks otherwise.
"""

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from rag_assistant.errors import ImageError, RagError
from rag_assistant.library.database import Database
from rag_assistant.tui.drawing.half_blocks import HalfBlocks
from rag_assistant.tui.drawing.safe_widgets import ContentLine, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.values.documents import Entry

if TYPE_CHECKING:
    from rag_assistant.library.page_image import PageImage

WIDTH = 1_200
"""Pixels of a picture's width: as many as a panel of a large terminal has."""

FindPage = Callable[[], tuple[int | None, str]]
"""Gives the number of a page, None where there are none, and the words to mark on it."""

PATIENT_SECONDS = 0.7
"""How long a page may be drawn without a word; an ordinary one takes a quarter of it."""

_DRAWING = "the page is being drawn  v gives it up"

HALF_BLOCKS = "half blocks"
PDF = "application/pdf"


def graphics_of(environ: Mapping[str, str]) -> str:
    """Name the widget of textual-image for a terminal, by what that is called; or half blocks.

    It is not asked: its answer would arrive as keys while the interface runs.
    """
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if environ.get("TMUX") or term.startswith(("tmux", "screen")):
        return HALF_BLOCKS
    if term == "xterm-kitty" or "KITTY_WINDOW_ID" in environ or program == "ghostty":
        return "TGPImage"
    if program in ("WezTerm", "iTerm.app", "mintty") or term.startswith(("foot", "mlterm")):
        return "SixelImage"
    return HALF_BLOCKS


def show_png(png: bytes, environ: Mapping[str, str]) -> Widget:
    """Make the widget that shows a picture, by half blocks where the package for more is missing.

    What is needed for it was loaded by `load_pictures`.
    """
    kind = graphics_of(environ)
    widgets = sys.modules.get("textual_image.widget")
    if kind == HALF_BLOCKS or widgets is None:
        return HalfBlocks(png)
    from PIL import Image  # noqa: PLC0415 - an extra, and loaded by now

    shown: Widget = getattr(widgets, kind)(Image.open(io.BytesIO(png)))
    return shown


def load_pictures(environ: Mapping[str, str]) -> None:
    """Load what shows pictures in a terminal like this. It blocks: call it in a thread."""
    if graphics_of(environ) != HALF_BLOCKS:
        with suppress(ImportError), _unasked_terminal():
            import textual_image.widget  # noqa: PLC0415, F401 - an extra, for the first picture


@contextmanager
def _unasked_terminal() -> Iterator[None]:
    """Let a package that asks the terminal at its import find none."""
    known, sys.__stdout__ = sys.__stdout__, io.StringIO()  # type: ignore[misc,assignment]
    try:
        yield
    finally:
        sys.__stdout__ = known  # type: ignore[misc]


class PagePicture(Vertical):
    """Shows the page of a place, on demand."""

    DEFAULT_CSS = """
    PagePicture { height: 1fr; border-top: solid $foreground 25%; display: none; }
    PagePicture VerticalScroll { scrollbar-size-vertical: 1; }
    PagePicture VerticalScroll > * { width: 100%; height: auto; }
    """

    class Drawn(Message):
        """A page was drawn."""

        def __init__(self, image: "PageImage") -> None:
            super().__init__()
            self.image = image

    class Failed(Message):
        """There is no picture; `error` says why."""

        def __init__(self, error: RagError) -> None:
            super().__init__()
            self.error = error

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._drawing: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Make the frame."""
        yield ContentLine(id="picture-head")
        yield VerticalScroll(can_focus=False)

    def hide(self) -> None:
        """Show no page, and end the drawing of one."""
        self._give_up()
        self._set_shown(False)

    @property
    def _is_drawing(self) -> bool:
        return self._drawing is not None and self._drawing.is_running

    def _give_up(self) -> None:
        drawing, self._drawing = self._drawing, None
        if drawing:
            drawing.cancel()

    def _set_shown(self, shown: bool) -> None:
        self.display = shown
        if isinstance(self.parent, Widget):
            self.parent.set_class(shown, "-pictured")  # what stands beside it may give way

    def toggle(self, database: Database, entry: Entry, find: FindPage) -> None:
        """Show the page that is found, which is done in a thread, or hide what is shown."""
        if self.display or self._is_drawing:
            self.hide()
        else:
            self._drawing = self._draw(database, entry, find)
            self.set_timer(PATIENT_SECONDS, self._show_patience)

    @work(thread=True, exclusive=True, group="picture", exit_on_error=False)
    def _draw(self, database: Database, entry: Entry, find: FindPage) -> None:
        worker = get_current_worker()
        told: PagePicture.Drawn | PagePicture.Failed
        try:
            told = self.Drawn(_drawn(database, entry, find(), lambda: worker.is_cancelled))
        except RagError as error:
            told = self.Failed(error)
        except Exception as error:  # noqa: BLE001 - a picture that fails must not end the reading
            failure = RagError(f"The page cannot be drawn: {error}.", hint="o opens the file.")
            told = self.Failed(failure)
        if not worker.is_cancelled:
            self.post_message(told)

    async def _show_patience(self) -> None:
        if self._is_drawing:
            await self.query_one(VerticalScroll).remove_children()
            self.query_one("#picture-head", ContentLine).show(plain(_DRAWING, QUIET))
            self._set_shown(True)

    @on(Failed)
    def _show_none(self) -> None:
        self._set_shown(False)

    @on(Drawn)
    async def _show(self, event: Drawn) -> None:
        image, scroll = event.image, self.query_one(VerticalScroll)
        await scroll.remove_children()
        await scroll.mount(show_png(image.png, os.environ))
        self._set_shown(True)
        marked = "" if image.boxes else ", where the words are not marked"
        said = f"page {image.number} of {image.pages}{marked}  v hides it"
        self.query_one("#picture-head", ContentLine).show(plain(said, QUIET))
        if image.boxes:
            self.call_after_refresh(self._go_down_to, image.boxes[0][1])

    def _go_down_to(self, share: float) -> None:
        scroll = self.query_one(VerticalScroll)
        line = share * scroll.virtual_size.height
        scroll.scroll_to(y=max(0, line - scroll.size.height // 3), animate=False)


def _drawn(
    database: Database,
    entry: Entry,
    found: tuple[int | None, str],
    given_up: Callable[[], bool],
) -> "PageImage":
    """Draw a page. Raises RagError where the file has no such page, or none at all."""
    from rag_assistant.library.page_image import page_image  # noqa: PLC0415 - when it is used
    from rag_assistant.library.source_files import source_file  # noqa: PLC0415 - the same

    page, words = found
    if entry.media_type != PDF or page is None:
        raise ImageError("Only pages of PDF files have pictures.", hint="o opens the file.")
    load_pictures(os.environ)
    return page_image(source_file(database, entry.id), page, words, WIDTH, given_up)
