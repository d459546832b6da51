"""A document on the screen: its head, its text, the headings and the page beside it, and a box to
search it. It takes a document in; what cannot be read is posted as `ReadingFailed`.
"""

from collections.abc import Callable

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, one_line
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.reader.document import OpenDocument
from rag_assistant.tui.reader.head import head_blocks
from rag_assistant.tui.reader.hit_walk import HitWalk
from rag_assistant.tui.reader.messages import HitsFound, outcome
from rag_assistant.tui.reader.outline_list import OutlineList
from rag_assistant.tui.sources.line_drawing import Marks
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.reading import LONGEST_WORDS, Hits, find_all
from rag_assistant.tui.sources.source_text import SourceText
from rag_assistant.values.outline import Outline


class DocumentView(Vertical):
    """Shows a document; nothing before the first one is there."""

    DEFAULT_CSS = "DocumentView { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._document: OpenDocument | None = None
        self._marker: int | None = None
        self._hits = HitWalk()

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="reader-head")
        with Horizontal(id="reader-columns"):
            yield OutlineList(id="reader-outline")
            with Vertical(id="reader-middle"):
                yield SourceText(id="reader-text")
                yield PagePicture(id="picture")
        yield LaidText(id="reader-remark")
        yield Input(placeholder="search this document", compact=True, id="reader-search")

    def on_mount(self) -> None:
        """Begin with the text alone."""
        self.outline.display = self.search_box.display = False
        self.text.focus()
        self.remark()

    @property
    def text(self) -> SourceText:
        """The text, as far as it is held."""
        return self.query_one(SourceText)

    @property
    def outline(self) -> OutlineList:
        """The headings beside it."""
        return self.query_one(OutlineList)

    @property
    def picture(self) -> PagePicture:
        """The page below it, on demand."""
        return self.query_one(PagePicture)

    @property
    def search_box(self) -> Input:
        """Where one writes what to look for."""
        return self.query_one("#reader-search", Input)

    def remark(self, said: Content = EMPTY) -> None:
        """Say something in the line below the text."""
        shown = self.query_one("#reader-remark", LaidText)
        shown.blocks = (Text(said),) if said else ()
        shown.display = bool(said)

    @work(thread=True, exit_on_error=False)
    def _beside(self, work: Callable[[], Message]) -> None:
        self.post_message(outcome(work))

    # The document

    def show(self, document: OpenDocument, marker: int | None) -> None:
        """Show a document, opened by the citation of a number, in which nothing is looked for."""
        self._document, self._marker, self._hits = document, marker, HitWalk()
        self.text.open_entry(document.opened, document.excerpt, document.span)
        self._show_head()

    @on(SourceText.Scrolled)
    def _show_head(self) -> None:
        if self._document is None:
            return
        blocks = head_blocks(self._document, self.text.place_in_text().share, self._marker)
        # Another head is laid out anew with the screen: not for every line that is scrolled.
        if blocks != (head := self.query_one("#reader-head", LaidText)).blocks:
            head.blocks = blocks

    def at(self) -> int:
        """Give the character that is read: the marked words where they are seen, or the top."""
        first = self._document.place.start if self._document else 0
        return first if self.text.sees(first) else self.text.top()

    def go_home(self) -> None:
        """Go back to the words that the document was opened for."""
        if self._document:
            self.text.jump(self._document.place.start)

    def close_part(self) -> bool:
        """Close what is open over the text; tell whether anything was."""
        if self.search_box.has_focus:
            self._close_search()
        elif self.outline.display:
            self._close_outline()
        else:
            return False
        return True

    # Searching in it

    def ask_what_to_find(self) -> None:
        """Let the person write what to look for."""
        box = self.search_box
        box.display = True
        box.value = self._hits.hits.words
        box.focus()

    @on(Input.Submitted, "#reader-search")
    def _search(self, event: Input.Submitted) -> None:
        event.stop()
        self._close_search()
        words, document = event.value.strip(), self._document
        if len(words) > LONGEST_WORDS:
            self.remark(one_line(f"a search can have at most {LONGEST_WORDS} characters"))
        elif words and document:
            self.remark(one_line("searching…", QUIET))
            place = document.database, document.entry.id, document.entry.length
            self._beside(lambda: HitsFound(find_all(*place, words)))
        else:
            self._show_hits(Hits("", ()))

    def _close_search(self) -> None:
        self.search_box.display = False
        self.text.focus()

    @on(HitsFound)
    def _take_hits(self, event: HitsFound) -> None:
        self._show_hits(event.hits)

    def _show_hits(self, hits: Hits) -> None:
        self._go_to_hit(HitWalk(hits).from_place(self.text.top()))

    def step_hit(self, step: int) -> None:
        """Go to the next hit, or the one before, round and round."""
        if self._hits.hits.spans:
            self._go_to_hit(self._hits.step(step))
        else:
            self.remark(one_line("no search yet: / searches this document"))

    def _go_to_hit(self, hits: HitWalk) -> None:
        self._hits = hits
        self.text.mark(Marks(self.text.marks.span, hits.hits.spans, hits.number))
        self.remark(hits.told())
        if hits.place is not None:
            self.text.jump(hits.place)

    # Its outline

    def toggle_outline(self) -> None:
        """Show or hide the headings."""
        document = self._document
        if self.outline.display:
            self._close_outline()
        elif document:
            self._show_outline(document.facts.outline)

    def _show_outline(self, outline: Outline) -> None:
        if not outline:
            self.remark(one_line("this document has no headings, and no pages"))
            return
        self.outline.show_outline(outline, self.at())
        self.outline.display = True
        self.add_class("-outlined")
        self.outline.focus()

    def _close_outline(self) -> None:
        self.outline.display = False
        self.remove_class("-outlined")
        self.text.focus()

    @on(OutlineList.Chosen)
    def go_to_heading(self) -> None:
        """Go to the heading with the cursor, where the outline is open."""
        place = self.outline.place
        if self.outline.display and place is not None:
            self._close_outline()
            self.call_after_refresh(self.text.jump, place)
