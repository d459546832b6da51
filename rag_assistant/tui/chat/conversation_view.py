"""The conversation: questions with their answers and notices, in order, and what its keys do."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from rag_assistant.library.library import Library
from rag_assistant.tui.chat.answer_copy import answer_text, with_sources
from rag_assistant.tui.chat.answer_facts import FactsQueue
from rag_assistant.tui.chat.column_search import ColumnSearch
from rag_assistant.tui.chat.exchange import AnswerAction, Exchange
from rag_assistant.tui.chat.folded_items import FoldedItem
from rag_assistant.tui.chat.folded_scroll import FoldedScroll
from rag_assistant.tui.chat.question_cursor import QuestionCursor
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.signs import MARGIN
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside

READING = "Reading: Esc to type"
"""What is said to letters that mean nothing here."""


@dataclass(eq=False, slots=True, kw_only=True)
class QuestionItem(FoldedItem):
    """A question with all that has happened to it, whether it is folded or not."""

    state: RunState


class ConversationView(FoldedScroll):
    """Exchanges and notices, with keys that act on the question that is chosen once the focus is
    here: Shift+Tab brings it, a click does not.

    With a library at hand it looks up what an answer rests on, as it is now.
    """

    FOCUS_ON_CLICK = False  # who clicks and then types means the question: letters act here

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("enter", "do('steps')", "Steps"),
        Binding("s", "do('steps')", "Steps", show=False),
        Binding("e", "do('edit')", "Edit and ask again"),
        Binding("r", "do('retry')", "Ask again"),
        Binding("y", "copy", "Copy"),
        Binding("Y", "copy_with_sources", "Copy with its sources", show=False),
        Binding("slash", "search", "Search"),
        Binding("n", "hit(1)", "Next hit", show=False),
        Binding("N", "hit(-1)", "Hit before", show=False),
        Binding("c", "do('go_on')", "Continue an answer that broke off", show=False),
        Binding("d", "details", "What an answer saw; details of an error", show=False),
        Binding("f", "do('failures')", "Files that could not be read", show=False),
        Binding("a", "do('compare')", "Ask again and compare the answers", show=False),
        Binding("w", "do('widen')", "Ask again of all documents", show=False),
        Binding("delete", "do('remove')", "Remove a queued question", show=False),
        Binding("j,down", "choose(1)", "Next question", show=False),
        Binding("k,up", "choose(-1)", "Question before", show=False),
        Binding("escape", "leave", "Back"),
        Binding("i", "leave", "To the question", show=False),
    ]

    @dataclass
    class Said(Message):
        """Something to tell the person in passing."""

        text: str

    @dataclass
    class DigitPressed(Message):
        """The citation of this number is wanted."""

        marker: int

    class Left(Message):
        """The person is done here."""

    @dataclass
    class QuestionWanted(Message):
        """Something is to be done with a question."""

        exchange: Exchange
        action: AnswerAction

    class SearchWanted(Message):
        """Words are to be looked for."""

    def __init__(self, library: Library | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = QuestionCursor(self)
        self.search = ColumnSearch(self, self._say, self.cursor.choose)
        run = partial(self.run_worker, group="facts", exit_on_error=False)
        self._facts = FactsQueue(library, run) if library else None
        self._newest: FoldedItem | None = None

    @property
    def chosen(self) -> Exchange | None:
        """The question that keys act on."""
        return self.cursor.chosen

    def _say(self, text: str) -> None:
        self.post_message(self.Said(text))

    # What there is

    @property
    def exchanges(self) -> list[Exchange]:
        """The questions that are mounted."""
        return list(self.query(Exchange))

    @property
    def writes(self) -> bool:
        """Whether an answer is being written."""
        return any(exchange.state.phase is Phase.RUNNING for exchange in self.exchanges)

    @property
    def last_cited(self) -> Exchange | None:
        """The newest question in reach that has citations."""
        for item in reversed(self.items):
            if isinstance(item.widget, Exchange) and item.widget.state.citations:
                return item.widget
        return None

    def add(self, exchange: Exchange) -> None:
        """Show another question, and the end of the conversation."""
        self.resume([exchange.state], exchange)

    def resume(self, states: Sequence[RunState], last: Exchange | None = None) -> None:
        """Show questions that were asked, and the end of the conversation."""
        items = [self._item(state) for state in states]
        items[-1].widget = last
        self.anchor(self.is_anchored)
        self._put(items)

    def _item(self, state: RunState) -> FoldedItem:
        def make() -> Exchange:
            exchange = Exchange(state)
            exchange.sought = self.search.sought_in(item)
            return exchange

        item = QuestionItem(make, state=state, is_question=True)
        item.words = lambda: f"{state.question}\n{state.text}"
        item.stays = lambda: not state.over or item in (self.cursor.at, self._newest)
        self._newest = item
        return item

    def notice(self, *lines: Content) -> None:
        """Show something that is no answer, in the place where it happened."""

        def make() -> LaidText:
            widget = LaidText(classes="notice")
            widget.blocks = tuple(Indented(Text(line), MARGIN) for line in lines)
            return widget

        self._put([FoldedItem(make)])

    def _put(self, items: Sequence[FoldedItem]) -> None:
        if any(item.is_question for item in items):
            self.query("#welcome").remove()
        self.put(items)
        self.search.mark()

    def remove_question(self, exchange: Exchange) -> None:
        """Take a question out."""
        if item := self.item_of(exchange):
            self.take_out(item)

    async def empty(self) -> None:
        """Begin anew."""
        self.cursor.at = self._newest = None
        await self.clear()
        await self.query("#welcome").remove()

    def welcome(self, blocks: tuple[LayoutBlock, ...]) -> None:
        """Say what to do, as long as nothing was asked."""
        if any(item.is_question for item in self.items):
            self.query("#welcome").remove()
            return
        widget = next(iter(self.query("#welcome").results(LaidText)), None)
        if widget is None:
            widget = LaidText(id="welcome")
            self.mount(widget)
        widget.blocks = blocks

    # What is known of it

    @on(Exchange.Ended)
    def _look_up_soon(self, event: Exchange.Ended) -> None:
        """Look up what an answer rests on, as it is now."""
        if self._facts:
            self._facts.put(event.exchange)

    def check_again(self) -> None:
        """Look anew how quotes stand to their sources."""
        for item in self.items:
            if isinstance(item.widget, Exchange):
                item.widget.post_message(Exchange.Ended(item.widget))
            elif isinstance(item, QuestionItem):
                item.state.quotes = {}

    # The question that keys act on

    def on_focus(self) -> None:
        """Mark the question that keys act on."""
        self.cursor.mark()

    def on_blur(self) -> None:
        """Take the mark away."""
        self.cursor.leave()

    def on_key(self, event: events.Key) -> None:
        """Say where letters go that mean nothing here."""
        if event.is_printable and event.key not in self._bindings.key_to_bindings:
            self._say(READING)

    def action_choose(self, step: int) -> None:
        """Go on to the next question, or the one before, once this one was read to its edge."""
        self.cursor.step(step)

    # Keys

    def action_cite(self, marker: int) -> None:
        """Open a citation by its number, or what comes nearest where nothing is cited."""
        chosen = self.chosen
        closest = chosen.state.closest if chosen and not chosen.state.citations else ()
        if marker <= len(closest):
            self.post_message(Exchange.ItemChosen(closest[marker - 1]))
        else:
            self.post_message(self.DigitPressed(marker))

    def action_do(self, action: AnswerAction) -> None:
        """Do something with the chosen question."""
        if chosen := self.chosen:
            self._do(chosen, action)
        else:
            self._say(READING)

    @on(Exchange.ActionChosen)
    def _do_clicked(self, event: Exchange.ActionChosen) -> None:
        event.stop()
        self._do(event.exchange, event.action)

    def _do(self, exchange: Exchange, action: AnswerAction) -> None:
        match action:
            case "steps" if exchange.state.steps:
                exchange.expanded = not exchange.expanded
            case "steps":
                self._say("this answer took no steps")
            case "details":
                exchange.details = not exchange.details
            case _:
                self.post_message(self.QuestionWanted(exchange, action))

    def action_details(self) -> None:
        """Show what an answer saw, or all of an error; take a question out of the queue."""
        phase = self.chosen.state.phase if self.chosen else None
        if phase in (Phase.FAILED, Phase.ANSWERED):
            self.action_do("details")
        elif phase is Phase.QUEUED:
            self.action_do("remove")
        else:
            self._say("only an answer or an error has details")

    def action_copy(self) -> None:
        """Copy what is selected, or else the chosen answer."""
        text = self.screen.get_selected_text()
        if not text and self.chosen:
            text = answer_text(self.chosen.state)
        self._copy(text or "")

    def action_copy_with_sources(self) -> None:
        """Copy the chosen answer, with a numbered line for each of its sources."""
        self._copy(with_sources(self.chosen.state) if self.chosen else "")

    def _copy(self, text: str) -> None:
        if text:
            copy_beside(self, text)
        else:
            self._say("there is no answer to copy yet")

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        event.stop()
        self._say(event.remark)

    def action_hit(self, step: int) -> None:
        """Go to the next hit of a search, or the one before."""
        self.search.step(step)

    def action_search(self) -> None:
        """Look for words in the conversation."""
        self.post_message(self.SearchWanted())

    def action_leave(self) -> None:
        """Go back to the question; nothing is looked for any more."""
        self.search.begin("")
        self.post_message(self.Left())
