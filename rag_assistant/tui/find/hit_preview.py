"""What stands beside the list of hits: the text round the best words, or what can be typed."""

from collections.abc import Collection

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive

from rag_assistant.library.library import Library
from rag_assistant.tui.find.blocks import language_blocks, preview_blocks
from rag_assistant.tui.find.preview import PreviewText
from rag_assistant.tui.find.search import Preview, PreviewRead, read_preview
from rag_assistant.values.documents import Hit


class HitPreview(Vertical):
    """Reads a hit and shows it; `explained`, with what its score is made of."""

    explained: reactive[bool] = reactive(False, init=False)

    def __init__(self, library: Library, *, id: str) -> None:
        super().__init__(id=id)
        self._library = library
        self._query = ""
        self._hit: Hit | None = None
        self._preview: Preview | None = None

    def compose(self) -> ComposeResult:
        """Make the text."""
        yield PreviewText(id="find-preview")

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
            self._draw()

    def watch_explained(self) -> None:
        """Show or hide what the score is made of."""
        self._draw()

    def _draw(self) -> None:
        shown, preview = self.query_one(PreviewText), self._preview
        if not self._query.strip():
            shown.show(language_blocks())
        elif preview is None:
            shown.show(())
        else:
            blocks = preview_blocks(preview, explained=self.explained)
            shown.show(blocks, to_best=not self.explained)
