"""What stands beside the list of hits: the document at the best words, or what can be typed."""

from collections.abc import Collection

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.reactive import reactive

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.find.blocks import language_blocks, preview_head
from rag_assistant.tui.find.preview import PreviewText
from rag_assistant.tui.find.search import Preview, PreviewRead, read_preview
from rag_assistant.values.documents import Hit

ROOMY = 10
"""Lines of it from which all is told of a hit that is known; below that, its path alone."""


class HitPreview(Vertical):
    """Reads a hit and shows it; `explained`, with what its score is made of."""

    DEFAULT_CSS = """
    HitPreview {
        VerticalScroll { height: auto; max-height: 100%; }
        &.-with-text VerticalScroll { max-height: 60%; }
        PreviewText { height: 1fr; scrollbar-gutter: stable; }
    }
    """

    explained: reactive[bool] = reactive(False, init=False)

    def __init__(self, library: Library, *, id: str) -> None:
        super().__init__(id=id)
        self._library = library
        self._query = ""
        self._hit: Hit | None = None
        self._preview: Preview | None = None

    def compose(self) -> ComposeResult:
        """Make the parts."""
        with VerticalScroll(can_focus=False):
            yield LaidText(id="find-text")
        yield PreviewText(id="find-preview")

    @property
    def _text(self) -> PreviewText:
        return self.query_one(PreviewText)

    def show_hit(self, hit: Hit | None, query: str) -> None:
        """Show what a query has found; without one, what can be typed."""
        self._query, self._hit = query, hit
        if hit is None:
            self._preview = None
            self._draw()
        elif self._preview is None or self._preview.hit != hit:
            self._read(hit, query)

    def keep_if_in(self, hits: Collection[Hit], query: str) -> None:
        """Go on showing a hit only if it is among those that a query has found."""
        self._query = query
        if self._preview and self._preview.hit not in hits:
            self._preview = None
        self._draw()

    @work(thread=True, exclusive=True, group="preview", exit_on_error=False)
    def _read(self, hit: Hit, query: str) -> None:
        self.post_message(PreviewRead(read_preview(self._library, hit, query)))

    @on(PreviewRead)
    def _take(self, event: PreviewRead) -> None:
        if event.preview.hit == self._hit:
            self._preview = event.preview
            self._text.show_preview(event.preview)
            self._draw()

    def watch_explained(self) -> None:
        """Show or hide what the score is made of."""
        self._draw()

    def on_resize(self) -> None:
        """Tell as much of a hit as there is room for, and keep its best words in view."""
        self._draw()
        if preview := self._preview:
            self.call_after_refresh(self._text.jump, preview.hit.location.start)

    def _draw(self) -> None:
        preview, head = self._preview, self.query_one("#find-text", LaidText)
        roomy = self.size.height >= ROOMY
        shown = bool(preview and preview.opened and self._query.strip())
        self._text.display = shown and (roomy or not self.explained)
        self.set_class(self._text.display, "-with-text")
        if not self._query.strip():
            head.blocks = language_blocks()
        elif preview is None:
            head.blocks = ()
        else:
            roomy = roomy or self.explained
            head.blocks = preview_head(preview, explained=self.explained, roomy=roomy)
