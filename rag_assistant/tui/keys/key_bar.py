"""The line at the bottom: the keys that act now, as many as there is room for."""

from dataclasses import dataclass
from typing import Any

from textual.content import Content
from textual.screen import Screen

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.safe_widgets import joined, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.keys.help_screen import shown_key

_GAP = plain("   ")


@dataclass(frozen=True, slots=True)
class Fitting:
    """Parts side by side on one line; those that do not fit are left out."""

    parts: tuple[Content, ...]

    def lines(self, width: int) -> list[Content]:
        """Give the line."""
        fitting: list[Content] = []
        used = 0
        for part in self.parts:
            used += part.cell_length + (len(_GAP) if fitting else 0)
            if used > width:
                break
            fitting.append(part)
        return [joined(fitting, _GAP)]


@dataclass(frozen=True, slots=True)
class Flowing:
    """Parts side by side on as many lines as they need; none is broken but one too wide."""

    parts: tuple[Content, ...]

    def lines(self, width: int) -> list[Content]:
        """Give the lines."""
        rows: list[Content] = []
        for part in self.parts:
            if rows and rows[-1].cell_length + len(_GAP) + part.cell_length <= width:
                rows[-1] = joined([rows[-1], _GAP, part])
            else:
                rows.append(part.truncate(width, ellipsis=True))
        return rows


class KeyBar(LaidText):
    """Shows the keys of the widget that has the focus first, then those that act anywhere; Enter
    is the first, and the way out the second at the latest.

    Of keys that do the same it shows the first; the help lists all.
    """

    _waits_for: Screen[Any] | None = None
    """The screen that it draws its keys after; what a screen was asked for goes with it."""

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._draw_soon())
        self._draw_soon()

    def _draw_soon(self) -> None:
        """Draw them once, however often they change until then: it asks what each key would do."""
        if self._waits_for is not self.app.screen:
            self._waits_for = self.app.screen
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._waits_for = None
        if not (self.is_attached and self.screen.is_current):
            return
        shown: dict[str, str] = {}
        for binding in self.screen.active_bindings.values():
            if binding.binding.show and binding.enabled:
                shown.setdefault(binding.binding.description, binding.binding.key)
        parts = [
            joined([plain(shown_key(key), "bold"), plain(f" {description}", QUIET)])
            for description, key in _telling_first(list(shown.items()))
        ]
        self.blocks = (Fitting(tuple(parts)),)


def _telling_first(shown: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put Enter first, and Esc second where it comes later: there may be room for no more."""
    ordered = sorted(shown, key=lambda pair: pair[1] != "enter")
    back = next((pair for pair in ordered[2:] if pair[1] == "escape"), None)
    if back:
        ordered.remove(back)
        ordered.insert(1, back)
    return ordered
