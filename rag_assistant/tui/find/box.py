"""The box of the find screen: words, and filters that are completed by Tab."""

from datetime import date
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from rag_assistant.tui.find.filters import is_filter, offer_filters
from rag_assistant.tui.question.choices import Completion
from rag_assistant.tui.question.completion import CompletionOffer
from rag_assistant.tui.question.scope_names import ScopeNames


class FindBox(Input):
    """Where the words are typed. `names` are offered in filters; it asks for them when needed.

    `can_fold` says that ← behind the last word hides passages that are shown.

    ↑ and ↓ choose among the values of a filter as long as these are offered, and else among what
    was found; → behind the last word shows more of it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open"),
        Binding("ctrl+s", "screen.ask", "Ask about these"),
        Binding("escape", "leave", "Back"),
        # Not shown: they are keys of every box, and would stand before the others.
        Binding("right", "right", "Passages", show=False),
        Binding("ctrl+e", "screen.explain", "Explain", show=False),  # the line's end is at End
        Binding("tab", "tab", "Complete, or keyword or semantic search", show=False),
        Binding("up", "choose(-1)", "Up", show=False),
        Binding("down", "choose(1)", "Down", show=False),
        Binding("left", "left", "Fewer passages", show=False),
    ]

    class Offered(Message):
        """Words are offered, with one of them marked."""

        def __init__(self, choices: tuple[Completion, ...], cursor: int) -> None:
            super().__init__()
            self.choices = choices
            self.cursor = cursor

    class NamesWanted(Message):
        """A filter is being typed: what there is to fill it with may have to be read first."""

    def __init__(self, value: str) -> None:
        super().__init__(
            value,
            placeholder='words "a phrase" -without path:… type:…',
            compact=True,
            id="find-query",
        )
        self.names = ScopeNames()
        self.can_fold = False
        self._offered = CompletionOffer()
        self._cursor = 0
        self._closed_at = ""
        self._asked = False

    def watch_selection(self) -> None:
        """Offer what may be meant where the cursor is."""
        self.offer_again()

    def watch_value(self, value: str) -> None:
        """Offer what may be meant by now."""
        self.offer_again()

    def offer_again(self) -> None:
        """Offer what may be meant by now."""
        if not self.is_mounted:
            return
        found = CompletionOffer()
        if self.value != self._closed_at:
            found = offer_filters(self.value[: self.cursor_position], self.names, date.today())
        if is_filter(found) and not self._asked:
            self._asked = True
            self.post_message(self.NamesWanted())
        self._cursor = self._cursor if found.choices == self._offered.choices else 0
        self._show(found)

    def _show(self, found: CompletionOffer) -> None:
        self._offered = found
        self.post_message(self.Offered(found.choices, self._cursor))

    @property
    def _choosing(self) -> bool:
        return bool(self._offered.choices) and is_filter(self._offered)

    async def action_tab(self) -> None:
        """Write what is offered, or search in the other way."""
        found = self._offered
        chosen = found.choices[self._cursor].word if found.choices else found.typed
        if chosen == found.typed:
            await self.screen.run_action("switch")
            return
        end = "" if chosen.endswith((":", "/")) else " "
        self.replace(f"{chosen}{end}", found.start, self.cursor_position)

    async def action_choose(self, step: int) -> None:
        """Mark another value of a filter, or choose another document."""
        if self._choosing:
            self._cursor = (self._cursor + step) % len(self._offered.choices)
            self._show(self._offered)
        else:
            await self.screen.run_action(f"move({step})")

    async def action_right(self) -> None:
        """Go right, or show other passages of the document."""
        if self.cursor_position < len(self.value):
            self.action_cursor_right()
        else:
            await self.screen.run_action("passages(True)")

    async def action_left(self) -> None:
        """Show fewer passages of the document, or go left."""
        if self.cursor_position < len(self.value) or not self.can_fold:
            self.action_cursor_left()
        else:
            await self.screen.run_action("passages(False)")

    async def action_leave(self) -> None:
        """Take back what is offered, or leave."""
        if self._choosing:
            self._closed_at = self.value
            self.offer_again()
        else:
            await self.screen.run_action("back")
