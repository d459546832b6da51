"""A column of questions with their answers and of notices, in order.

It keeps to its end while an answer grows, until the person scrolls up. Questions far from the view
are folded, and come back as the person comes near.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from textual import on
from textual.content import Content
from textual.message import Message

from rag_assistant.library.library import Library
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.folded_scroll import FoldedItem
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.chat.searched_scroll import SearchedScroll
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Block, Indented, Text
from rag_assistant.tui.drawing.safe_widgets import plain
from rag_assistant.tui.drawing.signs import MARGIN, QUIET, hint_lines
from rag_assistant.tui.sources.passage import check_citations
from rag_assistant.values.evidence import EvidenceItem, QuoteState
from rag_assistant.verification.nearest import nearest_passages

FIRST_STEPS = [
    ("Ctrl+O", "add a folder: its files are indexed here and stay where they are"),
    ("F1", "all keys"),
    ("Ctrl+Q", "quit"),
]
HINTS = [
    ("Enter", "asks what you have written"),
    ("Ctrl+G", "opens the next source at the quoted words"),
    ("F1", "all keys"),
]


@dataclass(eq=False, slots=True, kw_only=True)
class QuestionItem(FoldedItem):
    """A question with all that has happened to it, whether it is folded or not."""

    state: RunState


class ExchangeColumn(SearchedScroll):
    """Holds the exchanges and notices. With a library at hand it looks up what an answer rests on.

    `at` is the question that keys act on, where one was chosen.
    """

    class Followed(Message):
        """The end of the conversation is in view, or there is new text below what is."""

        def __init__(self, *, at_end: bool) -> None:
            super().__init__()
            self.at_end = at_end

    def __init__(self, library: Library | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._library = library
        self.at: FoldedItem | None = None
        self._newest: FoldedItem | None = None
        self._unknown: deque[Exchange] = deque()
        self._looks = False

    # What there is

    def add(self, exchange: Exchange) -> None:
        """Show another question, and the end of the conversation."""
        self.resume([exchange.state], exchange)

    def resume(self, states: Sequence[RunState], last: Exchange | None = None) -> None:
        """Show questions that were asked, and the end of the conversation."""
        self.query("#welcome").remove()
        items = [self._item(state) for state in states]
        items[-1].widget = last
        self.anchor(self.is_anchored)
        self.put(items)

    def _item(self, state: RunState) -> FoldedItem:
        item = QuestionItem(partial(Exchange, state), state=state, is_question=True)
        item.words = lambda: f"{state.question}\n{state.text}"
        item.stays = lambda: not state.over or item in (self.at, self._newest)
        self._newest = item
        return item

    @property
    def last_cited(self) -> Exchange | None:
        """The newest question in reach that has citations."""
        for item in reversed(self.items):
            if isinstance(item.widget, Exchange) and item.widget.state.citations:
                return item.widget
        return None

    def notice(self, *lines: Content) -> None:
        """Show something that is no answer, in the place where it happened."""
        self.query("#welcome").remove()

        def make() -> LaidText:
            widget = LaidText(classes="notice")
            widget.blocks = tuple(Indented(Text(line), MARGIN) for line in lines)
            return widget

        self.put([FoldedItem(make)])

    def remove_question(self, exchange: Exchange) -> None:
        """Take a question out."""
        if item := self.item_of(exchange):
            self.take_out(item)

    async def empty(self) -> None:
        """Begin anew."""
        self.at = self._newest = None
        await self.clear()
        await self.query("#welcome").remove()

    def welcome(self, *, has_databases: bool) -> None:
        """Say what to do, as long as nothing was said."""
        found = self.query("#welcome")
        if self.items:
            found.remove()
            return
        title = "Ask your documents." if has_databases else "There is no database yet."
        more = (
            "Every answer cites its sources, and every citation opens at the quoted words."
            if has_databases
            else "A database is a folder of yours, indexed for questions."
        )
        keys = hint_lines(HINTS if has_databases else FIRST_STEPS)
        blocks: tuple[Block, ...] = (
            Text(plain(title, "bold")),
            Text(plain(more, QUIET)),
            Text(),
            *keys,
        )
        if found:
            found.only_one(LaidText).blocks = blocks
            return
        widget = LaidText(id="welcome")
        widget.blocks = blocks
        self.mount(widget)

    # What is looked up

    @on(Exchange.Ended)
    def _look_up_soon(self, event: Exchange.Ended) -> None:
        """Look up what an answer rests on, as it is now."""
        state = event.exchange.state
        if self._library and (state.citations or state.answer):
            self._unknown.append(event.exchange)
            if not self._looks:
                self._looks = True
                looking = self._look_up(self._library)
                self.run_worker(looking, group="facts", exit_on_error=False)

    async def _look_up(self, library: Library) -> None:
        try:
            while self._unknown:
                exchange = self._unknown.popleft()
                state = exchange.state
                known = state.marks, state.closest
                facts = await asyncio.to_thread(look_up, library, state)
                state.quotes, state.closest = facts.quotes, facts.closest
                if (state.marks, state.closest) != known:
                    exchange.draw()
        finally:
            self._looks = False

    def check_again(self) -> None:
        """Look anew how quotes stand to their sources."""
        for item in self.items:
            if isinstance(item.widget, Exchange):
                item.widget.post_message(Exchange.Ended(item.widget))
            elif isinstance(item, QuestionItem):
                item.state.quotes = {}

    # What is in view

    def watch_virtual_size(self) -> None:
        """Keep to the end from when there is more than fits; until then begin at the top."""
        overflows = self.virtual_size.height > self.size.height
        if overflows != self.is_anchored:
            self.anchor(overflows)
            if not overflows:
                self.scroll_to(y=0, animate=False)
        self.moved()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell whether the end is in view."""
        super().watch_scroll_y(old_value, new_value)
        self.moved()

    def moved(self) -> None:
        """Tell whether the end is in view."""
        at_end = self.scroll_offset.y >= self.max_scroll_y - 1
        self.post_message(self.Followed(at_end=at_end))


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """The state of each quote by its number, and what comes nearest where nothing is cited."""

    quotes: Mapping[int, QuoteState]
    closest: tuple[EvidenceItem, ...]


def look_up(library: Library, state: RunState) -> AnswerFacts:
    """Look up what there is to know of an answer. It blocks: call it in a thread."""
    closest = state.closest
    if state.answer and state.answer.unsupported and not closest:
        closest = nearest_passages(library, state.question, state.databases)
    return AnswerFacts(check_citations(library, tuple(state.citations)), closest)
