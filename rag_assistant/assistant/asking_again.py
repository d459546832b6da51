"""A kept question asked again, and how its answer differs from the one before.

It is asked after what was said before it, and not after its old answer, which a model might repeat.
The new answer is kept as a branch; the old one stays.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from rag_assistant.assistant.assistant import Assistant
from rag_assistant.assistant.past import without_markers
from rag_assistant.history.kept import KeptExchange
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.tools.permission import Permit, deny
from rag_assistant.values.events import Event, RunStarted
from rag_assistant.values.evidence import Answer, Citation
from rag_assistant.values.scope import Wanted, wanted_of
from rag_assistant.verification.word_changes import WordChange, word_changes


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """How a new answer differs from an old one: words, and citations that only one of them has."""

    words: tuple[WordChange, ...]
    gone: tuple[Citation, ...]
    new: tuple[Citation, ...]

    @property
    def is_none(self) -> bool:
        """Whether both say the same, by the same sources."""
        return not (self.gone or self.new or any(one.kind != "same" for one in self.words))


def answer_difference(before: str, cited: tuple[Citation, ...], answer: Answer) -> AnswerDifference:
    """Compare an old answer and what it cited with a new one; numbers of citations do not count."""
    words = word_changes(without_markers(before).strip(), without_markers(answer.text).strip())
    old, new = {_key(one): one for one in cited}, {_key(one): one for one in answer.citations}
    return AnswerDifference(
        words,
        tuple(one for key, one in old.items() if key not in new),
        tuple(one for key, one in new.items() if key not in old),
    )


def _key(citation: Citation) -> tuple[str, int, str]:
    item = citation.item
    return item.database, item.entry_id, " ".join(item.quote.split())


class AskedAgain:
    """A kept question to be asked again; `recorder` tells where it is kept.

    It goes to the databases, or parts of them, that it went to, unless others are given. To make
    one blocks.
    """

    def __init__(
        self,
        store: ConversationStore,
        conversation: int,
        exchange: KeptExchange,
        databases: tuple[Wanted, ...] = (),
    ) -> None:
        before = exchange.ordinal - 1
        self.exchange = exchange
        self.recorder = Recorder(store, Follows(conversation, before))
        self._past = store.resume(conversation, before)
        events = store.replay(conversation, exchange.ordinal).events
        asked = next((event for event in events if isinstance(event, RunStarted)), None)
        self._databases = databases or _wanted(asked) or exchange.databases
        # The one that was asked, which may be another than the one that answered in its place.
        self.model = asked.model if asked else exchange.model

    async def events(
        self, assistant: Assistant, model: str | None = None, permit: Permit = deny
    ) -> AsyncGenerator[Event, None]:
        """Ask it, and keep the run. `model` answers, the one that did before by default."""
        conversation = assistant.conversation(self._past.exchanges, self._past.evidence)
        answering = conversation.ask(
            self.exchange.question,
            databases=self._databases,
            model=model or self.model,
            permit=permit,
        )
        try:
            async with aclosing(self.recorder.recorded(answering, conversation)) as events:
                async for event in events:
                    yield event
        finally:
            await conversation.aclose()


def _wanted(asked: RunStarted | None) -> tuple[Wanted, ...]:
    return wanted_of(asked.databases, asked.scope) if asked else ()
