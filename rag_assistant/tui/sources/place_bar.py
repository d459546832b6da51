"""The bar beside a source: its thumb stands where the view is in the whole text, not in the part
of it that is held.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from textual.scrollbar import ScrollBar, ScrollBarRender

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


def place_bar(bar: ScrollBar, place: Callable[[], Place]) -> None:
    """Have a bar drawn by the place in a text."""

    def render(**given: Any) -> ScrollBarRender:
        top, bottom, length = place()
        if not given.get("window_size") or bottom - top >= length:
            return ScrollBarRender(**{**given, "window_size": 0})
        return ScrollBarRender(
            **{
                **given,
                "virtual_size": max(1, length) * _FINE,
                "window_size": max(1, bottom - top) * _FINE,
                "position": top * _FINE,
            }
        )

    bar.renderer = render  # type: ignore[misc,assignment]  # Textual's own way for a single bar
