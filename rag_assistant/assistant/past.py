"""Earlier exchanges as a model reads them again, and the numbers of their quotes."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rag_assistant.agents.citations import References, numbered_words
from rag_assistant.agents.context import whole
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    PastExchange,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

GO_ON = "Go on with your answer to this question, which broke off: {}"
"""What is asked to have the rest of an answer."""

STOPPED = "the person stopped it here"

_MARKER = re.compile(r"\s?\[\d+\??\]")


def without_markers(text: str) -> str:
    """Take the citation markers out of a shown answer: they number its citations, not quotes."""
    return _MARKER.sub("", text)


def with_databases_before(exchanges: Sequence[PastExchange]) -> tuple[PastExchange, ...]:
    """Let each exchange name the databases of those before it as well: a model that had read these
    may have written their words into a later answer."""
    names: dict[str, None] = {}
    known: list[PastExchange] = []
    for exchange in exchanges:
        names |= dict.fromkeys(exchange.databases)
        known.append(replace(exchange, databases=tuple(names)))
    return tuple(known)


def messages_of(exchanges: Sequence[PastExchange]) -> tuple[Message, ...]:
    """Give what was said, in order; where only the words were kept, question and answer."""
    messages: list[Message] = []
    for past in exchanges:
        said = whole([m for m in past.messages if not isinstance(m, SystemMessage)])
        if not said:
            answer = AssistantMessage(without_markers(past.answer_text))
            said = (UserMessage(past.question), answer)
        messages += said
    return tuple(messages)


def references_of(exchanges: Sequence[PastExchange], evidence: Sequence[Evidence]) -> References:
    """Let the numbers in `exchanges` mean what they meant there, by the evidence that has it.

    Whatever the order of `evidence`, a number never comes to stand for other words than the model
    read; one whose words are not there stands for nothing.
    """
    known = {
        (item.database, item.entry_id, item.quote): item
        for found in evidence
        for item in found.items
    }
    references = References()
    for message in messages_of(exchanges):
        if isinstance(message, ToolMessage):
            for number, words in numbered_words(message.text).items():
                references.put(number, known.get(words))
    return references


def withheld(said: Sequence[Message], text: str) -> tuple[Message, ...]:
    """Give what was said for a question whose answer was withheld, ending with what was said so."""
    kept = [*said]
    if kept and isinstance(kept[-1], AssistantMessage) and not kept[-1].tool_calls:
        kept.pop()
    return (*kept, AssistantMessage(text))


def ended(said: Sequence[Message], text: str, reason: str) -> tuple[Message, ...]:
    """Give what was said for a question that was stopped, with an end that says so."""
    last = said[-1]
    mark = f"({reason})"
    if isinstance(last, AssistantMessage) and not last.tool_calls:
        return (*said[:-1], replace(last, text=f"{last.text}\n\n{mark}".strip(), opaque=()))
    return (*said, AssistantMessage(f"{without_markers(text)}\n\n{mark}".strip()))
