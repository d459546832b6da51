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


LIGHT = Theme(
    name="rag-assistant-light",
    primary="#2f5f8a",
    secondary="#4a6350",
    accent="#8a5a00",
    success="#3d6b22",
    warning="#8a5200",
    error="#a8322a",
    foreground="#22252a",
    background="#faf8f3",
    surface="#f1eee6",
    panel="#e6e2d8",
    dark=False,
)
"""The same on paper: dark ink on a light ground."""

MONOCHROME = Theme(
    name="monochrome",
    primary="#c8c8c8",
    secondary="#b0b0b0",
    accent="#ffffff",
    success="#d8d8d8",
    warning="#ffffff",
    error="#ffffff",
    foreground="#d8d8d8",
    background="#101010",
    surface="#181818",
    panel="#262626",
    dark=True,
)
"""Greys alone: signs and words say everything that a colour says elsewhere."""

OWN_THEMES = (PAPER_AND_INK, LIGHT, HIGH_CONTRAST, MONOCHROME)
"""Our themes, in the order that they are offered in."""


def offer_themes(app: App[Any]) -> None:
    """Let all of our themes be chosen."""
    for theme in OWN_THEMES:
        if theme.name not in app.available_themes:
            app.register_theme(theme)


def begin_with_theme(app: App[Any], name: str) -> None:
    """Begin with a theme, ours where there is none of the name, without making all styles twice.

    To be called before styles are read: Textual has taken the colours of its own theme by now.
    """
    offer_themes(app)
    known = name in app.available_themes
    app.set_reactive(App.theme, name if known else PAPER_AND_INK.name)
    app.stylesheet.set_variables(app.get_css_variables())
    is_dark = app.current_theme.dark
    app.set_class(is_dark, "-dark-mode", update=False)
    app.set_class(not is_dark, "-light-mode", update=False)


def use_theme(app: App[Any], name: str) -> bool:
    """Take a theme by name; one that is not there leaves the colours as they are."""
    offer_themes(app)
    if name in app.available_themes:
        app.theme = name
        return True
    return False
