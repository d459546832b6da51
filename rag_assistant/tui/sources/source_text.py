"""A window on the text of an entry, however long that is: only what is seen is drawn, and more is
read in threads before the person comes to its end. What is selected in it is given to the letter.
"""

from collections.abc import Callable
from typing import ClassVar

from rich.segment import Segment
from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollTo
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from rag_assistant.errors import RagError
from rag_assistant.text.blocks import Span
from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.tui.sources.held_lines import HeldLines
from rag_assistant.tui.sources.line_drawing import Marks, line_content
from rag_assistant.tui.sources.place_bar import Place, PlaceBar
from rag_assistant.tui.sources.reading import OpenEntry
from rag_assistant.tui.sources.text_read import MoreRead, WindowRead

MOST_LINES = 2_000
"""Lines that are held; they are let go at the end that the person scrolls away from."""

NEAR = 4
"""How many screens before the end of what is held more is asked for."""


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

    class Failed(Message):
        """No more of the text could be read; `error` says why."""

        def __init__(self, error: RagError) -> None:
            super().__init__()
            self.error = error

    class Scrolled(Message):
        """Another part of the text is seen."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.marks = Marks()
        self._bar = PlaceBar(self.place_in_text)
        self._opened: OpenEntry | None = None
        self._held = HeldLines()
        self._wanted_at: int | None = None
        self._ended = {-1: True, 1: True}
        self._busy = False

    def on_mount(self) -> None:
        """Let the bar beside it tell the place in the whole text."""
        self._bar.draw(self.vertical_scrollbar)

    # What is held

    @property
    def excerpt(self) -> Excerpt:
        """What is held of the text."""
        return self._held.excerpt

    def open_entry(self, opened: OpenEntry | None, excerpt: Excerpt, span: Span) -> None:
        """Show the part of an entry that was read round some words, which are marked.

        Without an entry there is no more to read than that.
        """
        self._opened = opened
        self.mark(Marks(span))
        self._open(excerpt, span[0])

    def _open(self, excerpt: Excerpt, at: int) -> None:
        """Show another part of the text, with a character a little below the top."""
        self._held.hold(excerpt)
        self._wanted_at = at
        self._ended, self._busy = {-1: False, 1: False}, False
        self._lay_out()

    def jump(self, at: int) -> None:
        """Go to a character of the entry."""
        if self._opened and not self._bring_into_view(at):
            opened = self._opened
            self._read(lambda: WindowRead(opened, opened.window(at), at))

    @on(ScrollTo)
    def _drag(self, event: ScrollTo) -> None:
        """Go where the thumb is drawn to, in the whole text."""
        event.stop()
        event.prevent_default()
        at = self._bar.drawn_to(self.vertical_scrollbar, event)
        if at is not None:
            self.jump(at)

    @work(thread=True, group="more", exit_on_error=False)
    def _read(self, read: Callable[[], Message]) -> None:
        try:
            self.post_message(read())
        except RagError as error:
            self.post_message(self.Failed(error))

    @on(Failed)
    def _give_up(self) -> None:
        self._busy = False

    @on(WindowRead)
    def _take_window(self, event: WindowRead) -> None:
        if event.opened is self._opened:
            self._open(event.excerpt, event.at)

    @on(MoreRead)
    def _take_more(self, event: MoreRead) -> None:
        """Put text before or after what is held; what no longer goes there is left."""
        if event.opened is not self._opened:
            return
        self._busy = False
        if not event.excerpt.text:
            self._ended[event.side] = True
        elif event.side > 0:
            self._held.append(event.excerpt)
            self._let_go(len(self._held) - MOST_LINES, -1)
        else:
            self._resized(self._held.prepend(event.excerpt))
            self._let_go(len(self._held) - MOST_LINES, 1)

    def _let_go(self, many: int, side: int) -> None:
        """Hold fewer lines, none of which is near."""
        top = round(self.scroll_y)
        if side < 0:
            far = max(0, min(many, top - NEAR * self.size.height))
            self._resized(-self._held.drop_first(far))
        else:
            near = top + (NEAR + 1) * self.size.height
            self._held.keep_first(max(len(self._held) - max(0, many), near))
            self._resized(0)
        if many > 0:
            self._ended[side] = False

    def _lay_out(self) -> None:
        """Cut the text for the width there is, and keep or reach the place that is wanted."""
        at = self.top() if self._wanted_at is None else self._wanted_at
        width = self.scrollable_content_region.width
        if not width:
            return  # not shown yet: a resize comes
        kept = self._wanted_at is None
        self._held.cut(width)
        self._resized(0)
        self._wanted_at = None
        self._show_line(self._held.line_of(at), above=0 if kept else None)

    def _resized(self, added: int) -> None:
        """Take note of other lines, `added` above what is seen, which stays in its place."""
        if added and (selection := self.text_selection):
            self.screen.selections = {**self.screen.selections, self: _moved(selection, added)}
        self.virtual_size = Size(self._held.width, len(self._held))
        if added:
            self.scroll_to(y=self.scroll_y + added, animate=False, force=True)
        self.vertical_scrollbar.refresh()
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Cut the text for another width."""
        if self.scrollable_content_region.width != self._held.width:
            self._lay_out()

    # Places

    def top(self) -> int:
        """Give which character is at the top of what is seen."""
        line = min(round(self.scroll_y), len(self._held) - 1)
        return self._held[line].start if self._held else 0

    def place_in_text(self) -> Place:
        """Give which characters are seen of how many there are."""
        length = self._opened.entry.length if self._opened else self.excerpt.end
        if not self._held:
            return Place(0, length, length)
        last = min(round(self.scroll_y) + self.size.height, len(self._held))
        # Lines of one block may begin at one place: what follows them is told by their own ends.
        behind = self._held[last].start if last < len(self._held) else self.excerpt.end
        return Place(self.top(), max(behind, self.top()), length)

    def sees(self, at: int) -> bool:
        """Tell whether a character is on the screen."""
        line = self._held.line_of(at)
        return self._held.holds(at) and 0 <= line - self.scroll_y < self.size.height

    def _bring_into_view(self, at: int) -> bool:
        """Scroll to a character, a little below the top; tells whether it is held."""
        if not (self._held and self._held.holds(at)):
            return False
        self._show_line(self._held.line_of(at))
        return True

    def _show_line(self, line: int, above: int | None = None) -> None:
        height = self.size.height
        high = max(min(2, height // 3), height // 4) if above is None else above
        self.scroll_to(y=max(0, line - high), animate=False, force=True)
        self.post_message(self.Scrolled())
        self._ask_for_more()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell where it is, and ask for more in time."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())
        self._ask_for_more()

    def _ask_for_more(self) -> None:
        if self._busy or not self._held:
            return
        near = NEAR * self.size.height
        below = len(self._held) - self.scroll_y - self.size.height
        if below < near and not self._ended[1]:
            self._read_more(1, self.excerpt.end)
        elif self.scroll_y < near and not self._ended[-1]:
            self._read_more(-1, self.excerpt.start)

    def _read_more(self, side: int, edge: int) -> None:
        self._busy = True
        if opened := self._opened:
            self._read(lambda: MoreRead(opened, opened.more(edge, side), side))

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
        if self._opened:
            self.jump(0 if side < 0 else max(0, self._opened.entry.length - 1))

    # What is marked, drawn and selected

    def mark(self, marks: Marks) -> None:
        """Mark other places."""
        self.marks = marks
        self.refresh()

    def highlighted(self) -> str:
        """Give the words that are marked, as the source has them."""
        return self._held.text(*self.marks.span)

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is seen."""
        number, width = round(self.scroll_y) + y, self.size.width
        style = self.visual_style
        if number >= len(self._held):
            return Strip.blank(width, style.rich_style)
        line = self._held[number]
        content = line_content(line, self.marks)
        if (selection := self.text_selection) and (chosen := selection.get_span(number)):
            stop = len(content) if chosen[1] < 0 else chosen[1]
            colours = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            content = content.stylize(colours, chosen[0], stop)
        parts = content.render(style, parse_style=self.app.stylesheet.parse_style)
        strip = Strip([Segment(text, part.rich_style) for text, part in parts])
        return strip.crop_extend(0, width, style.rich_style).apply_offsets(0, number)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give what is selected, as the source has it: lines broken for the screen are whole."""
        if not self._held:
            return None
        start, end = self._held[0].start, self._held[-1].end
        if selection.start:
            start = self._held.place(selection.start.y, selection.start.x)
        if selection.end:
            end = self._held.place_behind(selection.end.y, selection.end.x)
        return self._held.text(start, end), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected."""
        self.refresh()


def _moved(selection: Selection, lines: int) -> Selection:
    """Give a selection for when lines came or went above it."""
    step = Offset(0, lines)
    start, end = (at if at is None else at + step for at in selection)
    return Selection(start, end)
