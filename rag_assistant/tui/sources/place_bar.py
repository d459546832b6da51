"""The bar beside a source: its thumb stands where the view is in the whole text, not in the part
of it that is held.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from textual.geometry import Offset
from textual.scrollbar import ScrollBar, ScrollBarRender, ScrollTo

_FINE = 8
"""Parts of a cell that a thumb can begin and end at."""


class Place(NamedTuple):
    """The characters `top` to `bottom` of `length`."""

    top: int
    bottom: int
    length: int

    @property
    def share(self) -> int:
        """How much of the text is seen or above what is seen, in percent; 100 at its end alone."""
        if self.bottom >= self.length:
            return 100
        return min(99, 100 * self.bottom // self.length)


class PlaceBar:
    """Has a bar drawn by the `place` in a text, and tells where its thumb is drawn to."""

    def __init__(self, place: Callable[[], Place]) -> None:
        self._place = place
        self._grabbed: Offset | None = None
        self._top = 0

    def draw(self, bar: ScrollBar) -> None:
        """Draw a bar from now on."""
        bar.renderer = self._render  # type: ignore[misc,assignment]  # Textual's way for one bar

    def _render(self, **given: Any) -> ScrollBarRender:
        top, bottom, length = self._place()
        if not given.get("window_size") or bottom - top >= length:
            return ScrollBarRender(**{**given, "window_size": 0})
        sizes = {"virtual_size": length, "window_size": bottom - top, "position": top}
        fine = {name: max(1, value) * _FINE for name, value in sizes.items()}
        return ScrollBarRender(**{**given, **fine, "position": top * _FINE})

    def drawn_to(self, bar: ScrollBar, event: ScrollTo) -> int | None:
        """Give the character that a bar is drawn to; None where it is not held."""
        if bar.grabbed is None or event.y is None:
            return None
        top, _, length = self._place()
        if self._grabbed is not bar.grabbed:
            self._grabbed, self._top = bar.grabbed, top
        share = (event.y - bar.grabbed_position) / max(1, bar.window_virtual_size)
        return max(0, min(length - 1, self._top + round(share * length)))
