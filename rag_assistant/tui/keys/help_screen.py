"""The keys, listed from the bindings themselves so that the list is never out of date."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import plain
from rag_assistant.tui.drawing.signs import QUIET, hint_lines
from rag_assistant.tui.drawing.unsupported import HARD_SIGN, SIGN

ANSWER_MARKS = (
    ("[1]", "a quote that was found in its source; its number opens it"),
    ("[1~]", "close: the source says almost the same"),
    ("[1!]", "not found in the source, or the source has changed since"),
    ("[1?]", "a number that the model made up: no quote has it"),
    (HARD_SIGN, "the sentence before it: the sources say otherwise"),
    (SIGN, "not confirmed word for word by what was read; it may be right"),
)
"""The signs in an answer, and what they mean."""

KeyGroup = tuple[str, Sequence[BindingType]]
"""Where keys act, and their bindings."""

_NAMES = {
    "escape": "Esc",
    "space": "Space",
    "enter": "Enter",
    "tab": "Tab",
    "up": "↑",
    "down": "↓",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "right": "→",
    "left": "←",
    "delete": "Del",
    "slash": "/",
    "question_mark": "?",
}


class HelpScreen(ModalScreen[None]):
    """Lists the keys of each group."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "close", "Close")]

    def __init__(self, groups: Sequence[KeyGroup], marks: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._groups = groups
        self._marks = marks

    def compose(self) -> ComposeResult:
        """Make the list."""
        with VerticalScroll(id="help"):
            yield LaidText()

    def on_mount(self) -> None:
        """Fill the list."""
        listed = [(title, _keys(bindings)) for title, bindings in self._groups]
        widest = max(len(key) for _, keys in listed for key, _ in keys)
        blocks: list[LayoutBlock] = []
        for title, keys in listed:
            heading = Text(plain(title, "bold $text-primary"))
            blocks += [heading, *hint_lines(keys, widest), Text()]
        if self._marks:
            heading = Text(plain("Marks in an answer", "bold $text-primary"))
            blocks += [heading, *hint_lines(self._marks, widest), Text()]
        blocks.append(Text(plain("Esc closes this", QUIET)))
        self.query_one(LaidText).blocks = tuple(blocks)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()


def _keys(bindings: Sequence[BindingType]) -> list[tuple[str, str]]:
    """Give keys with what they do; keys that do the same share a line."""
    keys: dict[str, list[str]] = {}
    for binding in bindings:
        if isinstance(binding, Binding) and binding.description:
            shown = [shown_key(key) for key in binding.key.split(",")]
            keys.setdefault(binding.description, []).extend(shown)
    return [
        (f"{names[0]}–{names[-1]}" if len(names) > 3 else " / ".join(names), description)
        for description, names in keys.items()
    ]


def shown_key(key: str) -> str:
    """Give a key as a keyboard names it."""
    *modifiers, last = key.split("+")
    name = _NAMES.get(last, last.upper() if modifiers or len(last) > 1 else last)
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])
