"""A window on a source's text, however long that is: only what is seen is drawn, and more is asked
for before the person comes to its end. What is selected in it is given to the letter of the source.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from rag_assistant.tui.drawing.marked_text import marked_text
from rag_assistant.tui.drawing.safe_widgets import plain
from rag_assistant.tui.drawing.text_lines import TAB, Excerpt, TextLine, lay_out

MOST_LINES = 2_000
"""Lines that are held; they are let go at the end that the person scrolls away from."""

NEAR = 4
"""How many screens before the end of what is held more is asked for."""

HIGHLIGHT = "$background on $accent"
"""Dark on a strong colour, which stays visible where colours are off."""

FOUND = "reverse underline"

Span = tuple[int, int]


class SourceText(ScrollView):
    """Shows an excerpt, with the words it was opened for and those that were looked for marked."""

    DEFAULT_CSS = "SourceText { overflow-x: hidden; scrollbar-gutter: stable; }"
    ALLOW_SELECT = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", show=False),
        Binding("k,up", "scroll_up", "Up", show=False),
        Binding("space,pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
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
        self.excerpt = Excerpt(0, "")
        self._lines: list[TextLine] = []
        self._width = 0
        self._wanted_at: int | None = None
        self._ended = {-1: True, 1: True}
        self._busy = False

    # What is held

    def open(self, excerpt: Excerpt, at: int) -> None:
        """Show another part of the text, with a character a little below the top."""
        self.excerpt, self._wanted_at = excerpt, at
        self._ended, self._busy = {-1: False, 1: False}, False
        self._lay_out()

    def extend(self, more: Excerpt, side: int) -> None:
        """Put text before or after what is held; what no longer goes there is left."""
        self._busy = False
        held = self.excerpt
        if not more.text:
            self._ended[side] = True
        elif side > 0 and more.start == held.end:
            self.excerpt = Excerpt(held.start, held.text + more.text)
            self._lines += lay_out(more.text, more.start, self._width)
            self._let_go(len(self._lines) - MOST_LINES, -1)
        elif side < 0 and more.end == held.start:
            self.excerpt = Excerpt(more.start, more.text + held.text)
            added = lay_out(more.text, more.start, self._width)
            self._lines[:0] = added
            self._resized(len(added))
            self._let_go(len(self._lines) - MOST_LINES, 1)

    def _let_go(self, many: int, side: int) -> None:
        """Hold fewer lines, none of which is near."""
        top = round(self.scroll_y)
        if side < 0:
            gone = max(0, min(many, top - NEAR * self.size.height))
            at = self._lines[gone].start if gone else self.excerpt.start
            self.excerpt = Excerpt(at, self.excerpt.text[at - self.excerpt.start :])
            del self._lines[:gone]
            self._resized(-gone)
        else:
            kept = max(len(self._lines) - max(0, many), top + (NEAR + 1) * self.size.height)
            if kept < len(self._lines):
                end = self._lines[kept].start
                self.excerpt = Excerpt(
                    self.excerpt.start, self.excerpt.text[: end - self.excerpt.start]
                )
                del self._lines[kept:]
            self._resized(0)
        if many > 0:
            self._ended[side] = False

    def _lay_out(self) -> None:
        """Cut the text for the width there is, and keep or reach the place that is wanted."""
        at = self.top() if self._wanted_at is None else self._wanted_at
        self._width = self.scrollable_content_region.width
        if not self._width:
            return  # not shown yet: a resize comes
        kept = self._wanted_at is None
        self._lines = lay_out(self.excerpt.text, self.excerpt.start, self._width)
        self._resized(0)
        self._wanted_at = None
        self._show_line(self._line_of(at), above=0 if kept else None)

    def _resized(self, added: int) -> None:
        """Take note of other lines, `added` above what is seen, which stays in its place."""
        if added and (selection := self.text_selection):
            self.screen.selections = {**self.screen.selections, self: _moved(selection, added)}
        self.virtual_size = Size(self._width, len(self._lines))
        if added:
            self.scroll_to(y=self.scroll_y + added, animate=False, force=True)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Cut the text for another width."""
        if self.scrollable_content_region.width != self._width:
            self._lay_out()

    # Places

    def _line_of(self, at: int) -> int:
        found = bisect_right(self._lines, at, key=lambda line: line.start) - 1
        return max(0, found)

    def top(self) -> int:
        """Give which character is at the top of what is seen."""
        line = min(round(self.scroll_y), len(self._lines) - 1)
        return self._lines[line].start if self._lines else 0

    def holds(self, at: int) -> bool:
        """Tell whether a character is held."""
        return self.excerpt.start <= at < max(self.excerpt.end, self.excerpt.start + 1)

    def sees(self, at: int) -> bool:
        """Tell whether a character is on the screen."""
        line = self._line_of(at)
        return self.holds(at) and 0 <= line - self.scroll_y < self.size.height

    def bring_into_view(self, at: int) -> bool:
        """Scroll to a character, a little below the top; tells whether it is held."""
        if not (self._lines and self.holds(at)):
            return False
        self._show_line(self._line_of(at))
        return True

    def _show_line(self, line: int, above: int | None = None) -> None:
        high = max(2, self.size.height // 4) if above is None else above
        self.scroll_to(y=max(0, line - high), animate=False, force=True)
        self.post_message(self.Scrolled())
        self._ask_for_more()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell where it is, and ask for more in time."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())
        self._ask_for_more()

    def _ask_for_more(self) -> None:
        if self._busy or not self._lines:
            return
        near = NEAR * self.size.height
        below = len(self._lines) - self.scroll_y - self.size.height
        if below < near and not self._ended[1]:
            self._busy = True
            self.post_message(self.MoreWanted(1, self.excerpt.end))
        elif self.scroll_y < near and not self._ended[-1]:
            self._busy = True
            self.post_message(self.MoreWanted(-1, self.excerpt.start))

    def let_go(self) -> None:
        """Nothing came of what was asked for."""
        self._busy = False

    def action_page(self, direction: int) -> None:
        """Go a page on or back, with two lines seen again."""
        step = max(1, self.size.height - 2)
        self.scroll_to(y=self.scroll_y + direction * step, animate=False)

    def action_scroll_down(self) -> None:
        """Go a line down."""
        self.scroll_to(y=self.scroll_y + 1, animate=False)

    def action_scroll_up(self) -> None:
        """Go a line up."""
        self.scroll_to(y=self.scroll_y - 1, animate=False)

    def action_jump(self, side: int) -> None:
        """Go to the beginning or the end of the document."""
        self.post_message(self.JumpWanted(side))

    # What is marked, drawn and selected

    def mark(self, span: Span, hits: Sequence[Span]) -> None:
        """Mark other places; both are in order."""
        self.span, self.hits = span, hits
        self.refresh()

    def highlighted(self) -> str:
        """Give the words that are marked, as the source has them."""
        first, last = (max(0, at - self.excerpt.start) for at in self.span)
        return self.excerpt.text[first:last]

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is seen."""
        number, width = round(self.scroll_y) + y, self.size.width
        style = self.visual_style
        if number >= len(self._lines):
            return Strip.blank(width, style.rich_style)
        line = self._lines[number]
        content = marked_text(line.text, self._hits_in(line), "", FOUND)
        for tab in reversed([n for n, letter in enumerate(line.text) if letter == "\t"]):
            content = content[:tab] + plain(" " * TAB) + content[tab + 1 :]
        # The space at which a line was broken is not seen, and not marked.
        end = line.start + len(line.text.rstrip())
        first, last = (line.column(min(max(at, line.start), end)) for at in self.span)
        if first < last:
            content = content.stylize_before(HIGHLIGHT, first, last)
        if (selection := self.text_selection) and (chosen := selection.get_span(number)):
            stop = len(content) if chosen[1] < 0 else chosen[1]
            colours = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            content = content.stylize(colours, chosen[0], stop)
        parts = content.render(style, parse_style=self.app.stylesheet.parse_style)
        strip = Strip([Segment(text, part.rich_style) for text, part in parts])
        return strip.crop_extend(0, width, style.rich_style).apply_offsets(0, number)

    def _hits_in(self, line: TextLine) -> list[Span]:
        first = bisect_right(self.hits, line.start, key=lambda hit: hit[1])
        found: list[Span] = []
        for start, end in self.hits[first:]:
            if start >= line.end:
                break
            found.append((max(start, line.start) - line.start, min(end, line.end) - line.start))
        return found

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give what is selected, as the source has it: lines broken for the screen are whole."""
        if not self._lines:
            return None
        first, last = self._lines[0], self._lines[-1]
        start = (
            self._place(selection.start.y, selection.start.x) if selection.start else first.start
        )
        end = self._place(selection.end.y, selection.end.x) if selection.end else last.end
        begin = self.excerpt.start
        return self.excerpt.text[start - begin : end - begin], "\n"

    def _place(self, y: int, x: int) -> int:
        if y >= len(self._lines):
            return self._lines[-1].end
        return self._lines[max(0, y)].place(x)

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected."""
        self.refresh()


def _moved(selection: Selection, lines: int) -> Selection:
    """Give a selection for when lines came or went above it."""
    step = Offset(0, lines)
    start, end = (at if at is None else at + step for at in selection)
    return Selection(start, end)
