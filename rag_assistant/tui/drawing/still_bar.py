"""A scrollbar that is drawn when it looks otherwise, and not for each line that is added."""

from math import ceil
from typing import Any

from textual.geometry import Offset
from textual.scrollbar import ScrollBar

_FINE = 8
"""Parts of a cell that a thumb can begin and end at."""


class StillBar:
    """Keeps `bar` from being drawn as it stands already.

    Textual draws it with each layout of what it scrolls, and before that the screen once for it
    alone, which has all parts of the screen looked up. Here it comes after what is drawn anyhow,
    and beside a long text its thumb stays where it is for many lines.
    """

    def __init__(self, bar: ScrollBar) -> None:
        self._bar = bar
        self._refresh = bar.refresh
        self._seen: tuple[object, ...] = ()
        self._waits = False
        bar.refresh = self.refresh  # type: ignore[method-assign]  # as its renderer: for one bar

    def refresh(self, *regions: Any, **how: bool) -> ScrollBar:
        """Draw the bar after the rest, if it looks otherwise than before."""
        if how.get("layout"):
            return self._refresh(*regions, **how)
        if not self._waits:
            self._waits = self._bar.call_after_refresh(self._draw)
        return self._bar

    def _draw(self) -> None:
        self._waits = False
        if (look := self._look()) != self._seen:
            self._seen = look
            self._refresh()

    def _look(self) -> tuple[object, ...]:
        bar = self._bar
        over: tuple[bool, Offset | None] = (bar.mouse_over, bar.grabbed)
        return (*self._thumb(), bar.size, *over, *self._colours())

    def _thumb(self) -> tuple[int, int]:
        """Give where the thumb begins, and how long it is, in the finest parts that are drawn."""
        bar = self._bar
        whole, window, length = bar.window_virtual_size, bar.window_size, bar.size.height
        if not (window and length and whole > window):
            return 0, 0
        long = max(1.0, length * window / whole)
        return int((length - long) * bar.position / (whole - window) * _FINE), ceil(long * _FINE)

    def _colours(self) -> tuple[object, ...]:
        if (scrolled := self._bar.parent) is None:
            return ()
        styles = scrolled.styles
        return styles.scrollbar_color, styles.scrollbar_background, *scrolled.background_colors
