"""A column of any length that scrolls: only what is near the view is mounted, the rest is folded.

It keeps to its end while that grows, until the person scrolls up. What the person reads then stays
where it is on the screen, whatever is unfolded, grows or goes above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.layout import DockArrangeResult
from textual.message import Message
from textual.reactive import reactive
from textual.scrollbar import ScrollBar
from textual.widget import Widget

from rag_assistant.tui.chat.folded_items import FoldedItem, Gap
from rag_assistant.tui.drawing.still_bar import StillBar

AROUND = 12
"""Items that are mounted on either side of the one in view, at the least."""

LEAST_LINES = 3
"""Lines of an item; a high terminal may hold so many more of them."""

MOST = 4 * AROUND
"""Items mounted at the end before the first of them are folded."""

ANIMATION_SECONDS = 0.05
"""How often it is looked whether a scrolling has come to its end."""


@dataclass(frozen=True, slots=True)
class _Held:
    """What is first in view: `lines` of it are above the view. `size` is what it had then."""

    widget: Widget
    lines: int
    size: Size


class FoldedScroll(VerticalScroll):
    """Holds `items`, in their order."""

    # As in `LaidText`; what appears with it, the scrollbar, has the screen laid out by itself.
    virtual_size: reactive[Size] = reactive(Size(0, 0), init=False, repaint=False)

    @dataclass
    class Followed(Message):
        """The end is in view, or there is something new below what is."""

        at_end: bool

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.items: list[FoldedItem] = []
        self._gaps: list[Gap] = []
        self._held: _Held | None = None
        self._centre = 0
        self._waits = False
        self._bar: StillBar | None = None

    @property
    def follows(self) -> bool:
        """Whether the end is kept in view as it grows."""
        return self._anchored and not self._anchor_released

    def item_of(self, widget: Widget) -> FoldedItem | None:
        """Find the item that a widget shows."""
        return next((item for item in self.items if item.widget is widget), None)

    def put(self, items: Sequence[FoldedItem]) -> None:
        """Add items at the end."""
        self.items += items
        mounted = sum(item.widget is not None for item in self.items)
        if mounted + len(items) > MOST:
            at_end = self.follows or not self.is_anchored
            self.fold(len(self.items) - 1 if at_end else self.place_in_view())
        else:
            self._mount(items)

    def take_out(self, item: FoldedItem) -> None:
        """Remove an item."""
        self.items.remove(item)
        if item.widget:
            item.widget.remove()

    async def clear(self) -> None:
        """Remove all items."""
        leaving = [*self._gaps, *(item.widget for item in self.items if item.widget)]
        self.items, self._gaps, self._held = [], [], None
        await self.remove_children(leaving)

    def show(self, item: FoldedItem, line: int = 0) -> Widget:
        """Scroll to a line of an item, which is unfolded with those around it; give its widget."""
        if item.widget is None:
            self.screen.clear_selection()
        self.fold(self.items.index(item))
        assert item.widget is not None
        self.release_anchor()
        # It may not be laid out yet: it is gone to when it is.
        self._held = _Held(item.widget, line, item.widget.size)
        self.refresh(layout=True)
        return item.widget

    def fold(self, centre: int) -> None:
        """Mount the items around a place and fold those that are far from it."""
        if self._has_selection():
            return
        self._centre = centre
        around = max(AROUND, self.size.height // LEAST_LINES)
        near = range(centre - around, centre + around + 1)
        wanted, leaving = list[FoldedItem](), list[Widget]()
        for number, item in enumerate(self.items):
            if number in near or item is self.items[-1] or item.stays():
                wanted.append(item)
            elif item.widget:
                leaving.append(item.widget)
                item.widget = None
        self._mount(wanted)
        self._mark_gaps()
        if leaving:
            self.remove_children(leaving)

    def _has_selection(self) -> bool:
        """Tell whether words are selected here, which would be lost with their widget."""
        return any(self in widget.ancestors for widget in self.screen.selections)

    def _mount(self, wanted: Sequence[FoldedItem]) -> None:
        """Mount what is wanted and is not, each run of items before what follows it."""
        missing = {id(item) for item in wanted if item.widget is None}
        run: list[Widget] = []
        for item in self.items:
            if id(item) in missing:
                item.widget = item.make()
            if item.widget is None:
                continue
            if item.widget.parent is None:
                run.append(item.widget)
            elif run:
                self.mount(*run, before=item.widget)
                run = []
        if run:
            self.mount(*run)

    def _mark_gaps(self) -> None:
        """Put a line in the place of each run of items that are folded."""
        places: list[tuple[Widget, int]] = []
        folded = 0
        for item in self.items:
            if item.widget is None:
                folded += item.is_question
            elif folded:
                places.append((item.widget, folded))
                folded = 0
        while len(self._gaps) > len(places):
            self._gaps.pop().remove()
        for number, (widget, count) in enumerate(places):
            if number == len(self._gaps):
                self._gaps.append(Gap())
                self.mount(self._gaps[number], before=widget)
            else:
                self.move_child(self._gaps[number], before=widget)
            self._gaps[number].count = count

    def action_scroll_home(self) -> None:
        """Go to the first item."""
        if self.items:
            self.show(self.items[0])

    def action_scroll_end(self) -> None:
        """Go to the end, and keep to it."""
        if self.items:
            self.fold(len(self.items) - 1)
        self.scroll_end(animate=False)

    def action_page_up(self) -> None:
        """Go a page up, at once."""
        self.scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        """Go a page down, at once."""
        self.scroll_page_down(animate=False)

    # What is in view

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Leave it to a layout to have drawn what it moved: the column itself is empty ground.

        Textual asks for both when a widget is removed, which draws the whole view once more.
        """
        is_drawn = repaint and not layout
        return super().refresh(*regions, repaint=is_drawn, layout=layout, recompose=recompose)

    def watch_virtual_size(self) -> None:
        """Keep to the end from when there is more than fits; until then begin at the top."""
        overflows = self.virtual_size.height > self.size.height
        if overflows and self._bar is None:
            self._bar = StillBar(self.vertical_scrollbar)
        if overflows != self.is_anchored:
            self.anchor(overflows)
            if not overflows:
                self.scroll_to(y=0, animate=False)
        self.call_after_refresh(self._tell_of_end)  # once what is anchored has gone to its end

    def on_resize(self) -> None:
        """Tell anew whether the end is in view: a lower view may have lost it."""
        self.call_after_refresh(self._tell_of_end)

    def _tell_of_end(self) -> None:
        """Tell whether the end is in view, or comes into it with the next layout.

        An anchor scrolls as it lays out, which no watcher hears of: asked between the two, the
        place alone would say that there is more below, and nothing would take that back.
        """
        at_end = self.follows or self.scroll_offset.y >= self.max_scroll_y - 1
        self.post_message(self.Followed(at_end))

    def place_in_view(self) -> int:
        """Give the number of the first item in view."""
        for number, item in enumerate(self.items):
            if item.widget and item.widget.virtual_region.bottom > self.scroll_offset.y:
                return number
        return len(self.items) - 1

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take note of what is read now, and unfold what comes near."""
        super().watch_scroll_y(old_value, new_value)
        self._hold()
        if self._gaps and self.place_in_view() != self._centre:
            self._fold_around_view()
        self._tell_of_end()

    def _hold(self) -> None:
        """Take note of the first line in view, which is to stay where it is."""
        self._held = None
        top = self.scroll_offset.y
        for item in self.items:
            if (widget := item.widget) and widget.virtual_region.bottom > top:
                region = widget.virtual_region
                self._held = _Held(widget, top - region.y, region.size)
                return

    def _fold_around_view(self) -> None:
        if not self.app.animator.is_being_animated(self, "scroll_y"):
            self.fold(self.place_in_view())
        elif not self._waits:
            # A scrolling under way goes to a place that would be another one then.
            self._waits = True
            self.set_timer(ANIMATION_SECONDS, self._scrolled)

    def _scrolled(self) -> None:
        self._waits = False
        self._fold_around_view()

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:
        """Arrange the items so that what is in view stays in its place."""
        arranged = super().arrange(size, optimal)
        if self._held and not optimal and not self.follows:
            self._keep_place(self._held, arranged, size.height)
        return arranged

    def _keep_place(self, held: "_Held", arranged: DockArrangeResult, height: int) -> None:
        """Scroll to what is held, before anything is drawn."""
        region = next((p.region for p in arranged.placements if p.widget is held.widget), None)
        if region is None:
            return
        lines = held.lines
        if region.width != held.size.width and held.size.height and lines > 0:
            # It is wrapped at another width: about the same words.
            lines = lines * region.height // held.size.height
        most = max(0, arranged.total_region.bottom - height)
        place = max(0, min(region.y + lines, most))
        if place != round(self.scroll_y):
            # What Textual does itself for an anchor: watchers would scroll a frame too late.
            self.call_later(self._tell_of_end)
            self.set_reactive(Widget.scroll_y, float(place))
            self.set_reactive(Widget.scroll_target_y, float(place))
            self.vertical_scrollbar.set_reactive(ScrollBar.position, place)
