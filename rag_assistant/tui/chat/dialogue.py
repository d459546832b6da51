"""The conversation that is led on the screen: one after another, each kept as it goes on.

Closing a run leaves the conversation as it was; whatever cannot be kept is a note of the run.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag_assistant.assistant import Assistant
from rag_assistant.history.kept import KeptExchange, Past
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.tools.permission import Permit
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.values.events import Event
from rag_assistant.values.scope import Wanted

if TYPE_CHECKING:
    from rag_assistant.assistant.conversation import Conversation

NO_PAST = Past()
"""What a new conversation knows of."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A kept conversation to go on with: its questions for showing, and what models know of it."""

    title: str
    databases: tuple[Wanted, ...]
    states: tuple[RunState, ...]
    past: Past
    follows: Follows


class Dialogue:
    """Leads one conversation at a time with `assistant`; kept in `store`, if there is one.

    `model` answers the next question.
    """

    def __init__(self, assistant: Assistant, store: ConversationStore | None = None) -> None:
        self.model = assistant.config.model
        self._assistant = assistant
        self.store = store
        self._recorder = Recorder(store) if store else None
        self._past = NO_PAST
        self._conversation: Conversation | None = None

    @property
    def conversation(self) -> "Conversation":
        """The conversation that is led now, which begins when it is first wanted."""
        if self._conversation is None:
            past = self._past
            self._conversation = self._assistant.conversation(past.exchanges, past.evidence)
        return self._conversation

    @property
    def kept_as(self) -> int:
        """The number by which the conversation is kept; 0 where it is not."""
        return (self._recorder.conversation if self._recorder else None) or 0

    @property
    def place(self) -> Follows | None:
        """Where the latest question is kept; None as long as it is not."""
        return self._recorder.place if self._recorder else None

    def ask(self, state: RunState, permit: Permit) -> AsyncGenerator[Event, None]:
        """Ask a question of the conversation that is led now, and keep the run."""
        conversation = self.conversation
        run = conversation.ask(
            state.question,
            databases=state.databases,
            model=self.model,
            images=tuple(attached.path for attached in state.images),
            permit=permit,
        )
        return self._recorder.recorded(run, conversation) if self._recorder else run

    def begin(self, past: Past = NO_PAST, follows: Follows | None = None) -> "Conversation | None":
        """Begin another conversation; give the one before, to be closed when its run has ended."""
        before, self._conversation, self._past = self._conversation, None, past
        if self.store:
            self._recorder = Recorder(self.store, follows)
        return before

    def keep_partial(self, state: RunState) -> None:
        """Let the next question know of an answer that was stopped."""
        self.conversation.keep_partial(state.question, state.text)

    async def aclose(self) -> None:
        """Close the conversation that is led now."""
        if self._conversation:
            await self._conversation.aclose()


def read_resumed(store: ConversationStore, number: int, up_to: int | None = None) -> Resumed:
    """Read a kept conversation to go on with, or its first `up_to` questions.

    Raises HistoryError.
    """
    kept = store.show(number)
    kept = replace(kept, exchanges=kept.exchanges[:up_to])
    states = tuple(_state(store, number, exchange) for exchange in kept.exchanges)
    last = kept.exchanges[-1].ordinal if kept.exchanges else 0
    past = store.resume(number, up_to)
    summary = kept.summary
    asked = states[-1].databases if states else summary.databases
    return Resumed(summary.title, asked, states, past, Follows(number, last))


def _state(store: ConversationStore, number: int, exchange: KeptExchange) -> RunState:
    """Give an earlier question as its run left it."""
    state = RunState(exchange.question, exchange.databases, Phase.RUNNING)
    for event in store.replay(number, exchange.ordinal).events:
        state.apply(event)
    if not state.over:
        state.stop()
    else:
        # With the versions of the texts that were cited, which events of old runs do not have.
        state.citations = [kept.citation for kept in exchange.citations]
    state.kept = Follows(number, exchange.ordinal)
    state.wrong = frozenset(kept.citation.marker for kept in exchange.citations if kept.wrong)
    state.seconds = exchange.elapsed_ms / 1000
    state.suggestions.clear()  # they followed what was said then
    return state
