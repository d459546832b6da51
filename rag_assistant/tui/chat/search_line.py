"""The line where words are written that are looked for in the conversation."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class SearchLine(Input):
    """Sends its words on Enter; Escape gives none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Find in the conversation"),
        Binding("escape", "leave", "Leave"),
    ]

    class Closed(Message):
        """The person is done; `words` is empty where nothing is looked for any more."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    def __init__(self) -> None:
        super().__init__(placeholder="words in this conversation", compact=True, id="search-line")

    async def action_submit(self) -> None:
        """Look for the words."""
        self.post_message(self.Closed(self.value))

    def action_leave(self) -> None:
        """Look for nothing."""
        self.post_message(self.Closed(""))
