"""A short list to choose from, over the screen that it is about, which may show each choice."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from rag_assistant.tui.drawing.safe_widgets import ContentLine, one_line
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.lists.pick_list import FactRow, PickItem, PickList

_KEY = "choice "
"""What stands before each key in the list: an empty one is a heading there."""


class ChoiceDialog(ModalScreen[str | None]):
    """Gives one of `choices`, which are pairs of a value and its words; None for none of them.

    `preview` is called with each value that the cursor comes to.
    """

    CSS_PATH = Path(__file__).with_name("choice_dialog.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "take", "Choose"),
        Binding("escape", "cancel", "Cancel"),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[tuple[str, str]],
        now: str,
        preview: Callable[[str], object] = str,
    ) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._now = now
        self._preview = preview

    def compose(self) -> ComposeResult:
        """Make the parts."""
        with Vertical(id="choice-dialog"):
            yield ContentLine(one_line(self._title, "bold"))
            yield PickList(id="choices")
            yield KeyBar(id="choice-keys")

    def on_mount(self) -> None:
        """Begin at what is chosen now."""
        listing = self.query_one(PickList)
        listing.styles.height = min(len(self._choices), 14)
        listing.show(
            tuple(
                PickItem(FactRow(one_line(words)), f"{_KEY}{value}")
                for value, words in self._choices
            )
        )
        listing.go_to(f"{_KEY}{self._now}")
        listing.focus()

    @property
    def _value(self) -> str:
        return self.query_one(PickList).key.removeprefix(_KEY)

    @on(PickList.Moved)
    def _moved(self) -> None:
        if self.query_one(PickList).key:
            self._preview(self._value)

    def action_take(self) -> None:
        """Give what is at the cursor."""
        self.dismiss(self._value)

    @on(PickList.Chosen)
    def _clicked_twice(self) -> None:
        self.action_take()

    def action_cancel(self) -> None:
        """Give nothing."""
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Leave on a click beside the list."""
        if event.widget is self:
            self.action_cancel()
