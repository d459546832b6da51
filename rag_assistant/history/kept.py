"""The frozen values of kept conversations, as they are listed, shown, resumed and replayed."""

from dataclasses import dataclass
from typing import Literal

from rag_assistant.values.coverage import Coverage
from rag_assistant.values.events import Event
from rag_assistant.values.evidence import Citation, Evidence, ModelUsage
from rag_assistant.values.messages import Carried, Message, PastExchange, Usage

State = Literal["running", "answered", "stopped", "interrupted"]
"""What became of a question: `interrupted` when its process ended without saying so."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list. Times are ISO 8601 in UTC.

    `state` is that of the last exchange. A branch names its `parent`, 0 for none.
    """

    id: int
    title: str
    started: str
    updated: str
    databases: tuple[str, ...]
    model: str
    parent: int
    exchanges: int
    citations: int
    state: State


@dataclass(frozen=True, slots=True)
class KeptCitation:
    """A citation, with the hash that its entry's text had then, empty where it was not known.

    `wrong` says that the person has marked it so.
    """

    citation: Citation
    text_hash: str
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class KeptExchange:
    """A question with what came of it.

    `reason` says why it has no whole answer, or why another model than the one asked gave it.
    `messages` are there when the conversation went on from them. `coverage` is None where the run
    did not come to its end. `carried` is what may be in it beside that of `databases` and
    `evidence`.
    """

    ordinal: int
    question: str
    answer: str
    state: State
    reason: str
    started: str
    elapsed_ms: int
    databases: tuple[str, ...]
    model: str
    usage: Usage
    usage_by_model: tuple[ModelUsage, ...]
    cost: float | None
    citations: tuple[KeptCitation, ...]
    evidence: tuple[Evidence, ...]
    messages: tuple[Message, ...]
    coverage: Coverage | None = None
    carried: Carried = Carried()


@dataclass(frozen=True, slots=True)
class KeptConversation:
    """A whole conversation."""

    summary: Summary
    exchanges: tuple[KeptExchange, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """What a conversation goes on from: what was said, and all that was found for it, in order.

    An exchange that did not come to its end has no messages, and its evidence is not there.
    """

    exchanges: tuple[PastExchange, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundExchange:
    """An exchange that matched a search, with the words around the match in its answer."""

    conversation: Summary
    ordinal: int
    question: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The events of a kept run, in order, and the text that they left behind.

    `skipped` names events that this version does not know. A run that was interrupted ends
    without `Answered` or `Stopped`.
    """

    conversation: int
    events: tuple[Event, ...]
    state: State
    text: str
    skipped: tuple[str, ...] = ()


def past_of(exchange: KeptExchange) -> PastExchange:
    """Give what a conversation goes on from, with whose words may be in it."""
    carried, found = exchange.carried, exchange.evidence
    names = (*exchange.databases, *(one.database for one in found), *carried.databases)
    quoted = ((one.database, item.entry_id) for one in found for item in one.items)
    entries = (*quoted, *carried.entries)
    return PastExchange(
        exchange.question,
        exchange.messages,
        exchange.answer,
        tuple(dict.fromkeys(names)),
        tuple(dict.fromkeys(entries)),
    )
