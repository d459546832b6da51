"""Kept answers checked against their sources as these are now, citation by citation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.history.kept import KeptConversation, KeptExchange
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.library.source_check import SourceCheck, check_source
from rag_assistant.values.evidence import Citation
from rag_assistant.values.json_shapes import Json, citation_json


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation, and what became of its source."""

    citation: Citation
    check: SourceCheck


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A kept answer with its citations checked. `started` is when it was asked for, ISO 8601."""

    conversation: int
    exchange: KeptExchange
    citations: tuple[CheckedCitation, ...]

    @property
    def place(self) -> str:
        """How a person names it."""
        return f"{self.conversation}:{self.exchange.ordinal}"

    @property
    def changed(self) -> tuple[CheckedCitation, ...]:
        """The citations that do not stand as they did."""
        return tuple(one for one in self.citations if not one.check.state.stands)

    @property
    def stands(self) -> bool:
        """Whether all of its sources are as they were, as far as it rests on them."""
        return not self.changed


def recheck(
    library: Library,
    store: ConversationStore,
    conversations: Sequence[int],
    ordinal: int | None = None,
) -> Iterator[CheckedAnswer]:
    """Check the answers that cite something, of some conversations, or one question of them.

    It blocks. Raises HistoryError where there is no such conversation.
    """
    for number in conversations:
        kept = store.show(number)
        for exchange in _wanted(kept, ordinal):
            checked = tuple(
                CheckedCitation(one.citation, check_source(library, one.citation.item))
                for one in exchange.citations
            )
            yield CheckedAnswer(number, exchange, checked)


def _wanted(kept: KeptConversation, ordinal: int | None) -> Iterator[KeptExchange]:
    for exchange in kept.exchanges:
        if exchange.citations and ordinal in (None, exchange.ordinal):
            yield exchange


def checked_json(answer: CheckedAnswer) -> Json:
    """Give a checked answer for scripts."""
    exchange = answer.exchange
    return {
        "conversation": answer.conversation,
        "exchange": exchange.ordinal,
        "question": exchange.question,
        "started": exchange.started,
        "stands": answer.stands,
        "citations": [_citation_json(one) for one in answer.citations],
    }


def _citation_json(checked: CheckedCitation) -> Json:
    check = checked.check
    return {
        **citation_json(checked.citation),
        "state": check.state.name.lower(),
        "stands": check.state.stands,
        "now": check.now,
        "span": check.span,
        "path_now": check.path,
        "why": check.why,
    }
