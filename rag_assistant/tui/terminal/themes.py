"""Themes of our own, beside those that Textual brings. NO_COLOR goes before any of them."""

from typing import Any

from textual.app import App
from textual.theme import Theme

PAPER_AND_INK = Theme(
    name="rag-assistant",
    primary="#7aa2c8",
    secondary="#9db4a0",
    accent="#e3b65c",
    success="#8fb573",
    warning="#e0a458",
    error="#d9736a",
    foreground="#d7d5cf",
    background="#16181c",
    surface="#1c1f24",
    panel="#24282f",
    dark=True,
)
"""One warm accent, for what is cited, on a quiet ground."""

HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#66d9ff",
    secondary="#ffffff",
    accent="#ffe100",
    success="#5dff5d",
    warning="#ffb000",
    error="#ff8080",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    dark=True,
)
"""White on black; every colour of a text is at least 7:1 against the ground (WCAG AAA)."""


def use_theme(app: App[Any], name: str) -> bool:
    """Take a theme by name; one that is not there leaves the colours as they are."""
    if HIGH_CONTRAST.name not in app.available_themes:
        app.register_theme(HIGH_CONTRAST)
    if name in app.available_themes:
        app.theme = name
        return True
    return False
