"""The line at the bottom: the keys that act now, as many as there is room for."""

from dataclasses import dataclass

from textual.content import Content

from rag_assistant.tui.exchange_blocks import QUIET
from rag_assistant.tui.help_screen import shown_key
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.safe_widgets import joined, plain

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


class KeyBar(LaidText):
    """Shows the keys of the widget that has the focus first, then those that act anywhere."""

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._draw())
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        if not self.screen.is_current:
            return
        shown = [
            (binding.binding.key, binding.binding.description)
            for binding in self.screen.active_bindings.values()
            if binding.binding.show and binding.enabled
        ]
        parts = [
            joined([plain(shown_key(key), "bold"), plain(f" {description}", QUIET)])
            for key, description in shown
        ]
        self.blocks = (Fitting(tuple(parts)),)
