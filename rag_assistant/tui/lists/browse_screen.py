"""What the screens of lists share: a heading, a filter, a list, what is at its cursor, a remark.

Typing filters; Down or Tab goes to the list, where letters act; Esc clears the filter, then leaves.
"""

from pathlib import Path
from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Event, Key
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from rag_assistant.errors import in_full
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, plain
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.lists.edit_line import EditLine
from rag_assistant.tui.lists.pick_list import PickList

FILTER_SECONDS = 0.08
"""How long after a key the filter waits for another one."""

BROWSE_KEYS: list[BindingType] = [
    Binding("slash", "to_filter", "Filter"),
    Binding("escape", "back", "Back"),
    Binding("f1", "help", "Help"),
]
"""Keys of every such screen, which stand behind its own."""

TO_LIST = ("down", "tab")
"""Keys that go from the filter to the list."""

_ALWAYS = ("back", "help", "to_list")
"""What acts while something is typed as well."""

Result = TypeVar("Result")


class FilterBox(Input):
    """Where the filter is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Choose the first"),
        Binding(",".join(TO_LIST), "screen.to_list", "To the list"),
    ]

    async def on_event(self, event: Event) -> None:
        """Go to the list at once, and pass on the keys that were pressed before it had them."""
        now = self.screen.focused
        if not isinstance(event, Key) or now is None:
            await super().on_event(event)
        elif now is not self:
            now.post_message(event)
        elif event.key in TO_LIST:
            await self.run_action("screen.to_list")
        else:
            await super().on_event(event)


class BrowseScreen(Screen[Result]):
    """A list to look through. What it lists and what its keys do is told by its subclasses."""

    CSS_PATH = Path(__file__).with_name("browse_screen.tcss")  # subclasses are elsewhere
    NAME: ClassVar[str] = ""
    PLACEHOLDER: ClassVar[str] = "type to filter"
    STARTS_IN_LIST: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.listing = self.make_list()  # whether a key acts is asked before the parts are made
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="browse-head")
        yield FilterBox(placeholder=self.PLACEHOLDER, compact=True, id="browse-filter")
        with Horizontal(id="browse-columns"):
            yield self.listing
            with VerticalScroll(id="browse-side"):
                yield LaidText(id="browse-detail")
        yield EditLine()
        yield LaidText(id="browse-remark")
        yield KeyBar(id="keys")

    def make_list(self) -> PickList:
        """Make the list, with the id `browse-list`."""
        return PickList(id="browse-list")

    def on_mount(self) -> None:
        """Begin where the keys are wanted first."""
        self.add_class("browse")
        self.head()
        self._home()
        self.reload()

    def reload(self) -> object:
        """Read what is listed; subclasses do it in a thread."""
        raise NotImplementedError

    def filter_changed(self, text: str) -> object:
        """List what fits the filter."""
        raise NotImplementedError

    def choose(self) -> None:
        """Do what Enter does with the item at the cursor."""
        raise NotImplementedError

    # What subclasses show

    @property
    def filter_text(self) -> str:
        """What stands in the filter."""
        return self.query_one(FilterBox).value.strip()

    @property
    def edit(self) -> EditLine:
        """The line that asks for a value."""
        return self.query_one(EditLine)

    def head(self, told: Content = EMPTY) -> None:
        """Say at the top what is listed."""
        title = plain(self.NAME, "bold $text-primary")
        self.query_one("#browse-head", LaidText).blocks = (Row(title, told),)

    def detail(self, *blocks: LayoutBlock) -> None:
        """Show what is at the cursor."""
        self.query_one("#browse-detail", LaidText).blocks = blocks
        self.query_one("#browse-side", VerticalScroll).scroll_home(animate=False)

    def remark(self, said: Content = EMPTY) -> None:
        """Say something at the bottom, or nothing more."""
        shown = self.query_one("#browse-remark", LaidText)
        shown.blocks = (Text(said),) if said else ()
        shown.display = bool(said)

    def complain(self, reason: str, hint: str = "") -> None:
        """Say what went wrong, where a value is being asked for or else at the bottom."""
        if self.edit.display:
            self.edit.complain(in_keys(in_full(reason, hint)))
        else:
            self.remark(problem(reason, hint))

    # Keys

    def action_to_list(self) -> None:
        """Let the letters act on the list."""
        self.set_focus(self.listing)

    def action_to_filter(self) -> None:
        """Let typing filter."""
        self.query_one(FilterBox).focus()

    def action_choose(self) -> None:
        """Do what Enter does."""
        if self.listing.key:
            self.choose()

    def action_back(self) -> None:
        """Clear the filter, or leave."""
        if self.query_one(FilterBox).value:
            self.query_one(FilterBox).value = ""
        else:
            self.dismiss(None)

    def action_help(self) -> None:
        """List the keys."""
        groups = [
            (self.NAME, self.BINDINGS),
            ("Filter", FilterBox.BINDINGS),
            ("List", self.listing.all_bindings),
        ]
        self.app.push_screen(HelpScreen(groups))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the letters to what is typed, as long as something is."""
        own = any(isinstance(b, Binding) and b.action == action for b in self.BINDINGS)
        return not (own and action not in _ALWAYS and isinstance(self.focused, Input))

    def _home(self) -> None:
        (self.listing if self.STARTS_IN_LIST else self.query_one(FilterBox)).focus()

    @on(EditLine.Closed)
    def _edited(self) -> None:
        self.listing.focus()

    @on(PickList.LeftUpwards)
    def _left_upwards(self) -> None:
        self.action_to_filter()

    @on(PickList.Chosen)
    def _clicked_twice(self) -> None:
        self.action_choose()

    @on(Input.Submitted, "#browse-filter")
    def _submitted(self) -> None:
        self.action_choose()

    @on(Input.Changed, "#browse-filter")
    def _typed(self) -> None:
        if self._waiting:
            self._waiting.stop()
        self._waiting = self.set_timer(FILTER_SECONDS, self._filter_now)

    def _filter_now(self) -> None:
        self.filter_changed(self.filter_text)
