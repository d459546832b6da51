"""A list of single lines with a cursor, of any length: only what is seen is laid out.

It takes items in and posts what the cursor is on; it knows nothing of what the items are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from rag_assistant.tui.drawing.layout import Laid, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, plain

_MARKER = plain("❯ ", "bold $text-accent")
_NO_MARKER = plain("  ")
FACTS_APART = 2
"""Cells between two facts of a row, and before the first."""
_GAP = plain(" " * FACTS_APART)


@dataclass(frozen=True, slots=True)
class PickItem:
    """A line; one without a `key` is a heading, which the cursor passes over."""

    block: LayoutBlock
    key: str = ""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One line: `left`, and at the right edge as many `facts` as there is room for.

    The first ones are left out first, so the most telling comes last; that one is cut off at most.
    """

    left: Content
    facts: tuple[Content, ...] = ()

    def lines(self, width: int) -> list[Content]:
        """Give the line."""
        facts = [fact for fact in self.facts if fact]
        most = room_for_facts(width)
        while len(facts) > 1 and _width(facts) > most:
            facts.pop(0)
        facts = [fact.truncate(most, ellipsis=True) for fact in facts]
        room = max(1, width - (_width(facts) + FACTS_APART if facts else 0))
        left = self.left.truncate(room, ellipsis=True)
        if not facts:
            return [left]
        space = plain(" " * max(0, width - left.cell_length - _width(facts)))
        return [joined([left, space, joined(facts, _GAP)]).truncate(width, ellipsis=True)]


def room_for_facts(width: int) -> int:
    """Give how many cells of a row's width its facts may take."""
    return max(12, width * 3 // 5 - 2)


def _width(facts: list[Content]) -> int:
    return sum(fact.cell_length for fact in facts) + FACTS_APART * (len(facts) - 1)


class PickList(ScrollView, can_focus=True):
    """Shows `items`, one of which has the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "end(-1)", "First", show=False),
        Binding("end", "end(1)", "Last", show=False),
    ]

    cursor: reactive[int] = reactive(-1)

    class Moved(Message):
        """The cursor is on another item, or on the same that now says something else."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Chosen(Message):
        """An item was clicked that had the cursor already."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class LeftUpwards(Message):
        """The person went up from the first item."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: tuple[PickItem, ...] = ()
        self._nothing: LayoutBlock = Text()

    @property
    def all_bindings(self) -> Sequence[BindingType]:
        """Its keys, for the list of them."""
        own = type(self).BINDINGS
        return own if own is PickList.BINDINGS else [*own, *PickList.BINDINGS]

    @property
    def key(self) -> str:
        """The key of the item with the cursor; empty where there is none."""
        return self._items[self.cursor].key if 0 <= self.cursor < len(self._items) else ""

    def show(self, items: tuple[PickItem, ...], nothing: Content = EMPTY) -> None:
        """List other items; the cursor stays on its key, or near where it was.

        `nothing` is what stands there when there are no items.
        """
        key, before = self.key, max(0, self.cursor)
        self._items, self._nothing = items, Text(nothing)
        self.virtual_size = Size(0, max(1, len(items)))
        there = next((n for n, item in enumerate(items) if key and item.key == key), -1)
        here = there if there >= 0 else self._nearest(min(before, len(items) - 1))
        if here == self.cursor:
            self._tell()
        self.cursor = here
        self.refresh()

    def go_to(self, key: str) -> None:
        """Put the cursor on an item, if it is there."""
        found = next((n for n, item in enumerate(self._items) if item.key == key), -1)
        if found >= 0:
            self.cursor = found

    def _nearest(self, index: int) -> int:
        """Give the item that can be chosen at or after an index, else the last before it."""
        after = [n for n in range(max(0, index), len(self._items)) if self._items[n].key]
        before = [n for n in range(min(index, len(self._items) - 1), -1, -1) if self._items[n].key]
        return next(iter([*after[:1], *before[:1]]), -1)

    def watch_cursor(self) -> None:
        """Mark another item, and bring it into view with the heading above it."""
        self.refresh()
        if self.cursor >= 0:
            above = 1 if self.cursor and not self._items[self.cursor - 1].key else 0
            self.scroll_to_region(
                Region(0, self.cursor - above, 1, 1 + above), animate=False, force=True
            )
        self._tell()

    def _tell(self) -> None:
        self.post_message(self.Moved(self.key))

    def watch_has_focus(self, focus: bool) -> None:
        """Show the cursor while the keys act here."""
        super().watch_has_focus(focus)
        self.refresh()

    def action_move(self, step: int) -> None:
        """Move the cursor to the next item up or down."""
        index = self.cursor + step
        while 0 <= index < len(self._items) and not self._items[index].key:
            index += step
        if 0 <= index < len(self._items):
            self.cursor = index
        elif step < 0:
            self.scroll_home(animate=False)
            self.post_message(self.LeftUpwards())

    def action_page(self, direction: int) -> None:
        """Move the cursor by what is seen at once."""
        step = max(1, self.size.height - 1) * direction
        self.cursor = self._nearest(max(0, min(self.cursor + step, len(self._items) - 1)))

    def action_end(self, direction: int) -> None:
        """Move the cursor to the first or the last item."""
        self.cursor = self._nearest(0 if direction < 0 else len(self._items) - 1)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on what was clicked; a click on what has it already chooses it."""
        index = event.y + round(self.scroll_y)
        if (item := self.item_at(event.y)) and item.key:
            if index == self.cursor and event.chain > 1:
                self.post_message(self.Chosen(self.key))
            self.cursor = index

    def item_at(self, y: int) -> PickItem | None:
        """Give what is shown in a line."""
        index = y + round(self.scroll_y)
        return self._items[index] if 0 <= index < len(self._items) else None

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is seen."""
        index = y + round(self.scroll_offset.y)
        width = self.scrollable_content_region.width
        if not self._items:
            lines = self._nothing.lines(max(1, width - 2))
            line = joined([_NO_MARKER, lines[y]]) if y < len(lines) else EMPTY
        elif index < len(self._items):
            line = self._line(index, width)
        else:
            line = EMPTY
        strips = Visual.to_strips(self, Laid((Text(line),)), width, 1, self.visual_style)
        return strips[0] if strips else Strip.blank(width)

    def _line(self, index: int, width: int) -> Content:
        item = self._items[index]
        here = index == self.cursor
        marker = _MARKER if here else _NO_MARKER if item.key else EMPTY
        (line, *_) = item.block.lines(max(1, width - marker.cell_length))
        whole = joined([marker, line])
        if here:
            whole = joined([whole, plain(" " * (width - whole.cell_length))])
            return whole.stylize("on $primary 30%" if self.has_focus else "on $primary 15%")
        return whole
