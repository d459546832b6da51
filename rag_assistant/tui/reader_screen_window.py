"""A window on a long text: pieces of it under one another, more of them as the person scrolls.

What is far from the screen is let go, so that a book costs no more than a page.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Text
from rag_assistant.tui.marked_text import marked_text
from rag_assistant.tui.passage_view import HIGHLIGHT
from rag_assistant.tui.reader_screen_text import Piece, Window
from rag_assistant.tui.safe_widgets import joined, plain

MOST_PIECES = 24
"""Pieces kept; they are let go at the far end."""

FOUND = "reverse underline"

Span = tuple[int, int]


class PieceView(LaidText):
    """Shows a piece, with the words it was opened for and those that were looked for marked."""

    def __init__(self, piece: Piece, span: Span, hits: Sequence[Span]) -> None:
        super().__init__()
        self.piece = piece
        self.mark(span, hits)

    def mark(self, span: Span, hits: Sequence[Span]) -> None:
        """Mark other places."""
        piece = self.piece
        # A line's end at the end of a piece is the step to the next widget.
        text = piece.text.removesuffix("\n")
        first, last = (min(max(at - piece.start, 0), len(text)) for at in span)
        parts = []
        for begin, end, style in (
            (0, first, ""),
            (first, last, HIGHLIGHT),
            (last, len(text), ""),
        ):
            inside = [
                (max(begin, start - piece.start) - begin, min(end, stop - piece.start) - begin)
                for start, stop in hits
                if start - piece.start < end and stop - piece.start > begin
            ]
            parts.append(marked_text(text[begin:end], inside, style, FOUND))
        self.blocks = (Text(joined(parts)),)

    def line_of(self, at: int) -> int:
        """Give the line of this widget that a character stands on."""
        before = plain(self.piece.text[: at - self.piece.start + 1].removesuffix("\n"))
        return len(Text(before).lines(self.content_size.width)) - 1

    def at_line(self, line: int) -> int:
        """Give about which character stands at the beginning of a line."""
        height = max(1, self.size.height)
        return self.piece.start + len(self.piece.text) * min(line, height) // height


class TextWindow(VerticalScroll):
    """Holds the pieces. It asks for more before the person comes to their end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", show=False),
        Binding("k,up", "scroll_up", "Up", show=False),
        Binding("space", "page_down", "A page down", show=False),
        Binding("home", "jump(-1)", "To the beginning", show=False),
        Binding("end", "jump(1)", "To the end", show=False),
    ]

    class MoreWanted(Message):
        """The text before (-1) or after (1) `edge` is wanted."""

        def __init__(self, side: int, edge: int) -> None:
            super().__init__()
            self.side = side
            self.edge = edge

    class JumpWanted(Message):
        """The beginning (-1) or the end (1) of the document is wanted."""

        def __init__(self, side: int) -> None:
            super().__init__()
            self.side = side

    class Scrolled(Message):
        """Another part of the text is seen."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.span: Span = (0, 0)
        self.hits: Sequence[Span] = ()
        self._busy = True

    @property
    def views(self) -> list[PieceView]:
        """The pieces that are held, in order."""
        return [view for view in self.children if isinstance(view, PieceView)]

    async def take(self, window: Window) -> None:
        """Show pieces: in the place of all, or before or after those that are there."""
        made = [PieceView(piece, self.span, self.hits) for piece in window.pieces]
        views = self.views
        if window.side == 0:
            with self.app.batch_update():
                await self.remove_children()
                await self.mount_all(made)
            self.call_after_refresh(self.bring_into_view, window.at)
            return
        if made and not self._fits(made, window.side):
            self._busy = False  # the person is elsewhere by now
            return
        held = next((v for v in views if v.virtual_region.bottom > self.scroll_y), None)
        place = held.virtual_region.y - self.scroll_y if held else 0
        with self.app.batch_update():
            if made and window.side < 0:
                await self.mount_all(made, before=0)
            elif made:
                await self.mount_all(made)
            await self._let_go_of_the_far_end(held, window.side)
        self.call_after_refresh(self._hold, held, place)

    def _fits(self, made: Sequence[PieceView], side: int) -> bool:
        """Tell whether pieces go on where those that are held end."""
        views = self.views
        if not views:
            return False
        if side > 0:
            return made[0].piece.start == views[-1].piece.end
        return made[-1].piece.end == views[0].piece.start

    async def _let_go_of_the_far_end(self, held: PieceView | None, side: int) -> None:
        """Remove what is too much, at the end that the person scrolls away from."""
        views = self.views
        over = len(views) - MOST_PIECES
        if held is None or over <= 0:
            return
        here = views.index(held)
        gone = views[: min(over, here)] if side > 0 else views[max(len(views) - over, here + 8) :]
        for view in gone:
            await view.remove()

    def _hold(self, held: PieceView | None, place: float) -> None:
        """Keep what is read where it was on the screen, whatever came or went above it."""
        if held is not None and held.is_attached:
            self.scroll_to(y=held.virtual_region.y - place, animate=False, force=True)
        self._busy = False

    def bring_into_view(self, at: int) -> bool:
        """Scroll to a character, a little below the top; tells whether it is held."""
        self._busy = False
        for view in self.views:
            if view.piece.start <= at < max(view.piece.end, view.piece.start + 1):
                line = view.virtual_region.y + view.line_of(at)
                above = max(2, self.size.height // 4)
                self.scroll_to(y=max(0, line - above), animate=False, force=True)
                self.post_message(self.Scrolled())
                return True
        return False

    def mark(self, span: Span, hits: Sequence[Span]) -> None:
        """Mark other places in all that is held."""
        self.span, self.hits = span, hits
        for view in self.views:
            view.mark(span, self._hits_in(view.piece))

    def _hits_in(self, piece: Piece) -> list[Span]:
        return [hit for hit in self.hits if hit[0] < piece.end and hit[1] > piece.start]

    def top(self) -> int:
        """Give about which character is at the top of what is seen."""
        for view in self.views:
            if view.virtual_region.bottom > self.scroll_y:
                return view.at_line(round(self.scroll_y) - view.virtual_region.y)
        return 0

    def sees(self, at: int) -> bool:
        """Tell whether a character is on the screen."""
        for view in self.views:
            if view.piece.start <= at < view.piece.end:
                line = view.virtual_region.y + view.line_of(at)
                return self.scroll_y <= line < self.scroll_y + self.size.height
        return False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for more in time."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())
        views = self.views
        if self._busy or not views:
            return
        near = 2 * self.size.height
        if new_value >= old_value and self.max_scroll_y - new_value < near:
            self._busy = True
            self.post_message(self.MoreWanted(1, views[-1].piece.end))
        elif new_value <= old_value and new_value < near:
            self._busy = True
            self.post_message(self.MoreWanted(-1, views[0].piece.start))

    def let_go(self) -> None:
        """There was nothing more to read."""
        self._busy = False

    def action_jump(self, side: int) -> None:
        """Go to the beginning or the end of the document."""
        self.post_message(self.JumpWanted(side))
