"""The box a question is typed into. It never locks and loses nothing that was typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from rag_assistant.tui.drawing.suggestion_keys import SUGGESTION_KEYS
from rag_assistant.tui.question.attaching import is_image_path
from rag_assistant.tui.question.choices import Completion
from rag_assistant.tui.question.completion import CompletionOffer, offer
from rag_assistant.tui.question.scope_names import ScopeNames

PLACEHOLDER = "Ask your documents…   / commands   @ one document"
ELSEWHERE = "The keys act above. Esc: back to typing here"

NTH = ("second", "third")


class EarlierPrompts:
    """Walks from the first question over the draft to the `suggestions`; none of it gets lost."""

    def __init__(self) -> None:
        self.suggestions: tuple[str, ...] = ()
        self._asked: list[str] = []
        self._place = 0
        self._draft = ""

    def add(self, text: str) -> None:
        """Remember a question, and go back to an empty draft."""
        if self._asked[-1:] != [text]:
            self._asked.append(text)
        self._place, self._draft = len(self._asked), ""

    def before(self, current: str) -> str | None:
        """Give what stands before; None at the first one. `current` is kept if the draft."""
        return self._go(current, self._place - 1)

    def after(self, current: str) -> str | None:
        """Give what stands after; None at the last one. Suggestions follow an empty draft only."""
        return self._go(current, self._place + 1)

    def _go(self, current: str, place: int) -> str | None:
        if self._place == len(self._asked):
            self._draft = current
        row = [*self._asked, self._draft, *(() if self._draft else self.suggestions)]
        if not 0 <= place < len(row):
            return None
        self._place = place
        return row[place]


class QuestionBox(TextArea):
    """A text of several lines; Enter sends it.

    `commands` and `names` are offered while a word is typed; `earlier` comes with ↑ and ↓.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "Send"),
        Binding("ctrl+j,shift+enter", "newline", "New line, as \\ and Enter do", show=False),
        Binding("escape", "stop", "Stop the answer", show=False),
        Binding("up", "before", "Earlier question, on the first line", show=False),
        Binding("down", "after", "Later or suggested question, on the last line", show=False),
        *(
            Binding(key, f"suggested({place})", f"Ask the {nth} suggested question", show=False)
            for place, (key, nth) in enumerate(zip(SUGGESTION_KEYS[1:], NTH, strict=True), 1)
        ),
    ]

    class Sent(Message):
        """A question, or a command, was sent."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    @dataclass
    class SuggestionWanted(Message):
        """The suggested question at this place is to be asked."""

        place: int

    class StopWanted(Message):
        """The running answer is to stop."""

    class KeyPressed(Message):
        """The person is typing."""

    class NamesWanted(Message):
        """What `@` may name is wanted, and may have to be read first."""

    class Offered(Message):
        """Words are offered, with one of them marked."""

        def __init__(self, choices: tuple[Completion, ...], cursor: int) -> None:
            super().__init__()
            self.choices = choices
            self.cursor = cursor

    class Pasted(Message):
        """The path of an image was pasted, or dropped on the terminal."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class DeletedNothing(Message):
        """Backspace was pressed where nothing is written."""

    def __init__(self) -> None:
        super().__init__(
            id="question",
            placeholder=PLACEHOLDER,
            compact=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
        )
        self.commands: Sequence[Completion] = ()
        self.names = ScopeNames()
        self.earlier = EarlierPrompts()
        self._offered = CompletionOffer()
        self._cursor = 0
        self._closed_at = ""

    def on_focus(self) -> None:
        """Invite to type."""
        self.placeholder = PLACEHOLDER

    def on_blur(self) -> None:
        """Say where the keys act, unless the terminal itself is left."""
        if self.app.app_focus:
            self.placeholder = ELSEWHERE

    def on_key(self, event: events.Key) -> None:
        """Send on Enter, begin a line; act on the list of offered words while there is one.

        Bindings cannot do this: TextArea takes Enter for a newline, a binding with priority runs
        before the keys typed just before it have arrived here, and one without runs after the
        keys that follow it.
        """
        self.post_message(self.KeyPressed())
        if event.key == "backspace" and not self.text:
            self.post_message(self.DeletedNothing())
        acts = self._key_of_list(event.key)
        if event.key == "enter" and not acts and not self._goes_on():
            self.action_send()
        if event.key in ("ctrl+j", "shift+enter"):
            self.action_newline()
        if acts or event.key in ("enter", "ctrl+j", "shift+enter"):
            event.stop()
            event.prevent_default()

    async def action_suggested(self, place: int) -> None:
        """Ask what is suggested where nothing is written; with a draft, edit it as ever."""
        if not self.text:
            self.post_message(self.SuggestionWanted(place))
        elif place == 1:
            self.action_cursor_line_end()
        else:
            await self.action_delete_to_end_of_line_or_delete_line()

    def _goes_on(self) -> bool:
        """Begin a line in place of a backslash before the cursor; tells whether there is one."""
        row, column = self.cursor_location
        if not self.document.get_line(row)[:column].endswith("\\"):
            return False
        self.replace("\n", (row, column - 1), (row, column))
        return True

    def _key_of_list(self, key: str) -> bool:
        """Do what a key means to the list of offered words; tells whether it means anything."""
        found = self._offer()
        if not found.choices:
            return False
        if key in ("up", "down"):
            self._show(found, (self._cursor + (1 if key == "down" else -1)) % len(found.choices))
        elif key == "escape":
            self._closed_at = self.text
            self._show(CompletionOffer(), 0)
        elif key in ("enter", "tab"):
            chosen = found.choices[min(self._cursor, len(found.choices) - 1)]
            return self._complete(found, chosen, sends=key == "enter")
        else:
            return False
        return True

    def _complete(self, found: CompletionOffer, chosen: Completion, *, sends: bool) -> bool:
        """Write the chosen word; a command that needs nothing more is sent with it."""
        row, column = self.cursor_location
        if found.typed == chosen.word and sends:
            return False  # it is written already: Enter means what it always does
        self.replace(f"{chosen.word} ", (row, found.start), (row, column))
        if sends and not chosen.takes_more:
            self.action_send()
        return True

    def _offer(self) -> CompletionOffer:
        row, column = self.cursor_location
        if self.text == self._closed_at:
            return CompletionOffer()
        line = self.document.get_line(row)[:column]
        found = offer(line, row, self.commands, self.names)
        if found.choices != self._offered.choices:
            self._cursor = 0
        return found

    def _show(self, found: CompletionOffer, cursor: int) -> None:
        self._offered, self._cursor = found, cursor
        self.post_message(self.Offered(found.choices, cursor))

    def on_text_area_changed(self) -> None:
        """Offer what may be meant by the word that is being typed."""
        if self.text != self._closed_at:
            self._closed_at = ""
        if "@" in self.text:
            self.post_message(self.NamesWanted())
        self.offer_again()

    def offer_again(self) -> None:
        """Offer what may be meant by now."""
        found = self._offer()
        self._show(found, self._cursor)

    async def _on_paste(self, event: events.Paste) -> None:
        self.post_message(self.KeyPressed())
        if is_image_path(event.text):
            event.prevent_default()
            event.stop()
            self.post_message(self.Pasted(event.text))
        else:
            await super()._on_paste(event)

    def action_send(self) -> None:
        """Send what is written, if anything is."""
        written = self.text.strip()
        if written:
            self.earlier.add(written)
            self.clear()
            self.post_message(self.Sent(written))

    def take_back(self, written: str) -> None:
        """Put a question back that could not be taken, before what was typed since."""
        self.insert(f"{written} " if self.text else written, (0, 0))

    def write(self, written: str) -> None:
        """Write something else; what stood there comes back with ↑."""
        self.forget()
        self.text = written
        self.move_cursor(self.document.end)

    def forget(self) -> None:
        """Clear the box; ↑ brings back what stood there."""
        if self.text.strip():
            self.earlier.add(self.text.strip())
        self.clear()

    def action_newline(self) -> None:
        """Begin another line."""
        self.insert("\n")

    def action_stop(self) -> None:
        """Stop the running answer."""
        self.post_message(self.StopWanted())

    def action_before(self) -> None:
        """Go a line up; on the first one, to the question asked before."""
        if not self.navigator.is_first_wrapped_line(self.cursor_location):
            self.action_cursor_up()
        else:
            self._put(self.earlier.before(self.text))

    def action_after(self) -> None:
        """Go a line down; on the last one, to a later question, then to those suggested."""
        if not self.navigator.is_last_wrapped_line(self.cursor_location):
            self.action_cursor_down()
        else:
            self._put(self.earlier.after(self.text))

    def _put(self, text: str | None) -> None:
        if text is not None:
            self._closed_at = text  # an earlier question is not being typed: nothing to offer
            self.text = text
            self.move_cursor(self.document.end)
