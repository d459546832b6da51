"""The list of all that can be done here, by group, each with its key: typing finds it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.keys.help_screen import shown_key
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.lists.pick_list import FactRow, PickItem, PickList
from rag_assistant.tui.main.commands import GROUPS
from rag_assistant.tui.main.main_keys import APP_KEYS, MAIN_KEYS


@dataclass(frozen=True, slots=True)
class Listed:
    """Something that can be done: what it is called by, its words, its key, its group.

    `node` is what has the action `name`, where that is no command's word.
    """

    name: str
    words: str
    key: str
    group: str
    node: DOMNode | None = None


def listed_commands() -> tuple[Listed, ...]:
    """Give all commands with their keys."""
    keys = {
        binding.action: shown_key(binding.key.partition(",")[0])
        for binding in [*MAIN_KEYS, *APP_KEYS]
        if isinstance(binding, Binding)
    }
    return tuple(
        Listed(one.word, one.help, keys.get(f"do('{one.word}')", keys.get(one.word, "")), group)
        for group, commands in GROUPS
        for one in commands
    )


def listed_keys(screen: Screen[object]) -> tuple[Listed, ...]:
    """Give what the keys of another screen do."""
    found: dict[str, Listed] = {}
    for node, binding, enabled, _ in screen.active_bindings.values():
        if enabled and binding.description and binding.action != "command_palette":
            key = shown_key(binding.key)
            one = Listed(binding.action, binding.description, key, "Here", node)
            found.setdefault(binding.description, one)
    return tuple(found.values())


class CommandBox(Input):
    """Where a part of a command is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Run"),
        Binding("down", "screen.move(1)", "Down", show=False),
        Binding("up", "screen.move(-1)", "Up", show=False),
        Binding("pagedown", "screen.page(1)", "Page down", show=False),
        Binding("pageup", "screen.page(-1)", "Page up", show=False),
    ]


class CommandList(ModalScreen[Listed | None]):
    """Gives one of `listed`, or None."""

    CSS_PATH = Path(__file__).with_name("command_list.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+p", "cancel", "Back")]

    def __init__(self, listed: Sequence[Listed]) -> None:
        super().__init__()
        self._listed = listed

    def compose(self) -> ComposeResult:
        """Make the parts."""
        with Vertical(id="command-list"):
            yield CommandBox(placeholder="what do you want to do?", compact=True)
            yield PickList(id="commands")
            yield KeyBar(id="command-keys")

    def on_mount(self) -> None:
        """List everything."""
        self.query_one(CommandBox).focus()
        self._show("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, text: str) -> None:
        words = text.casefold().removeprefix("/").split()
        items: list[PickItem] = []
        group = ""
        for place, one in enumerate(self._listed):
            said = f"{one.words} {one.name} {one.group}".casefold()
            if not all(word in said for word in words):
                continue
            if one.group != group:
                group = one.group
                items += [PickItem(Text())] if items else []
                items.append(PickItem(Text(one_line(group, "bold $text-secondary"))))
            word = "" if one.node else f"/{one.name}"
            facts = (one_line(word, QUIET), plain(f"{one.key:>8}", "bold"))
            items.append(PickItem(FactRow(one_line(one.words), facts), str(place)))
        listing = self.query_one(PickList)
        listing.show(tuple(items), plain("No command has that name.", QUIET))
        listing.action_end(-1)

    def action_move(self, step: int) -> None:
        """Move the cursor of the list, while the keys go on writing."""
        self.query_one(PickList).action_move(step)

    def action_page(self, direction: int) -> None:
        """Move it by a page."""
        self.query_one(PickList).action_page(direction)

    @on(Input.Submitted)
    @on(PickList.Chosen)
    def _take(self) -> None:
        key = self.query_one(PickList).key
        if key:
            self.dismiss(self._listed[int(key)])

    def action_cancel(self) -> None:
        """Do nothing."""
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Leave on a click beside the list."""
        if event.widget is self:
            self.action_cancel()
