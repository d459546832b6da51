"""The one door by which text reaches the screen: cleaned, literal, never markup.

No other module of the interface makes a `Content` from a string, or uses a widget that would
parse a string; a test holds them to it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from textual.app import App
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from rag_assistant.text.safe_text import clean, clean_line

EMPTY = Content()
NEWLINE = Content("\n")
TOAST_SECONDS = 12.0
"""How long something stands that is said over a screen: a line or two, and a path."""


def plain(text: str, style: str | Style = "") -> Content:
    """Give any text for showing as it is, over as many lines as it has. `style` is ours alone."""
    return Content.styled(clean(text), style)


def one_line(text: str, style: str | Style = "") -> Content:
    """Give any text for showing on a single line."""
    return Content.styled(clean_line(text), style)


def joined(parts: Iterable[Content], separator: Content = EMPTY) -> Content:
    """Put contents one after another."""
    return separator.join(parts)


def clickable(content: Content, meta: Mapping[str, Any]) -> Content:
    """Mark content with values that a `Click` on it carries; never an action to run."""
    return content.stylize(Style.from_meta(meta))


class ContentLine(Static):
    """A widget that shows a content, and takes no strings."""

    def __init__(self, content: Content = EMPTY, *, id: str | None = None) -> None:
        super().__init__(content, id=id, markup=False)

    def show(self, content: Content) -> None:
        """Show something else."""
        self.update(content)


def toast(app: App[Any], said: Content) -> None:
    """Say something over whatever screen is shown, for a while."""
    app.notify(said.plain, severity="warning", timeout=TOAST_SECONDS, markup=False)
