"""How a conversation that outgrows the model's window is kept short: policies over its messages.

Whatever a policy does, a tool call keeps its result and a result its call, and the system message
and the question being answered stay as they are. Policies see the messages of one request; the
conversation itself keeps all of them.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from rag_assistant.agents.citations import cited_numbers, keep_quotes
from rag_assistant.config import ContextSettings
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)

CHARACTERS_PER_TOKEN = 4
TOKENS_PER_MESSAGE = 4
TOKENS_PER_IMAGE = 1_000
"""Rules of thumb, rather too high than too low."""

BRIEF_CHARACTERS, BRIEF_QUOTES = 400, 3
"""What is left of an old result of the question being answered: its beginning, its best quotes."""

LEFT_OUT = "(left out to keep the conversation short)"

_WIDE = re.compile(r"[\u2e80-\U0010ffff]")
_OTHER_ALPHABETS = re.compile(r"[\u0370-\u1fff]")


@dataclass(frozen=True, slots=True)
class FittedContext:
    """What is sent of a conversation, and how many of its earlier questions are not."""

    messages: tuple[Message, ...]
    left_out: int = 0


class ContextPolicy(Protocol):
    """Decides what of a conversation is sent."""

    def fit(self, messages: Sequence[Message], tokens: int) -> FittedContext:
        """Give the messages to send in a request that may have `tokens` tokens of them.

        `messages` begin with system messages; the last user message is the question being answered.
        Where all is done that can be done, the result may still be longer.
        """
        ...


def policy_of(settings: ContextSettings) -> ContextPolicy:
    """Give the policy that was configured."""
    return ShrinkingContext() if settings.policy == "shrink" else CircularContext(settings.items)


def estimate(text: str) -> int:
    """Estimate the tokens of a text: four Latin characters each, two of other alphabets, one wide.

    Wide are Chinese, Japanese, Korean, and signs such as emoji.
    """
    wide = other = 0
    if not text.isascii():
        wide, other = len(_WIDE.findall(text)), len(_OTHER_ALPHABETS.findall(text))
    # Of the others two make a token, so each counts twice.
    return wide + -(-(len(text) - wide + other) // CHARACTERS_PER_TOKEN)


def message_tokens(message: Message) -> int:
    """Estimate the tokens of a message."""
    tokens = TOKENS_PER_MESSAGE + estimate(message.text)
    if isinstance(message, UserMessage):
        tokens += TOKENS_PER_IMAGE * len(message.images)
    if isinstance(message, AssistantMessage):
        tokens += sum(estimate(call.name + call.arguments) for call in message.tool_calls)
        tokens += sum(estimate(json.dumps(item, default=str)) for item in message.opaque)
    return tokens


def tool_tokens(tools: Sequence[ToolSpec]) -> int:
    """Estimate the tokens of the tools' descriptions."""
    return sum(
        estimate(tool.name + tool.description + json.dumps(tool.parameters)) for tool in tools
    )


def whole(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Leave out tool calls without their results, and results without their calls."""
    kept: list[Message] = []
    for group in _groups(messages):
        first, results = group[0], [m.call_id for m in group if isinstance(m, ToolMessage)]
        calls = first.tool_calls if isinstance(first, AssistantMessage) else ()
        if sorted(call.id for call in calls) == sorted(results):
            kept += group
        elif not (calls or isinstance(first, ToolMessage)):
            kept.append(first)
    return tuple(kept)


def _groups(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """Give each message, tool calls together with the results that follow them."""
    group: list[Message] = []
    for message in messages:
        if not isinstance(message, ToolMessage) and group:
            yield group
            group = []
        group.append(message)
    if group:
        yield group


@dataclass(slots=True)
class _Talk:
    """A conversation in parts: standing instructions, earlier exchanges, the present question."""

    system: list[Message]
    earlier: list[list[Message]]
    present: list[Message]

    @classmethod
    def of(cls, messages: Sequence[Message]) -> "_Talk":
        start = next(
            (i for i, m in enumerate(messages) if not isinstance(m, SystemMessage)), len(messages)
        )
        exchanges: list[list[Message]] = []
        for message in messages[start:]:
            if isinstance(message, UserMessage) or not exchanges:
                exchanges.append([])
            exchanges[-1].append(message)
        present = exchanges.pop() if exchanges else []
        return cls(list(messages[:start]), exchanges, present)

    @property
    def messages(self) -> tuple[Message, ...]:
        return (*self.system, *(m for part in self.earlier for m in part), *self.present)

    @property
    def tokens(self) -> int:
        return sum(map(message_tokens, self.messages))


class ShrinkingContext:
    """Sends a conversation without what was found and not used; less of it where it does not fit.

    Results of earlier questions shrink to what was cited since; but those of the last question that
    found anything stay, as "it" and "the other one" may be among them. Where that does not fit, the
    oldest first, these shrink as well; earlier exchanges shrink to question and answer, then go;
    last, older results of the present question shrink. `is_eager` false changes only what must be.
    """

    def __init__(self, *, is_eager: bool = True) -> None:
        self._is_eager = is_eager

    def fit(self, messages: Sequence[Message], tokens: int) -> FittedContext:
        """See `ContextPolicy.fit`."""
        talk = _Talk.of(messages)
        cited = set[int]().union(*map(_cited_in, talk.earlier))
        for place in range(_last_found(talk.earlier) if self._is_eager else 0):
            talk.earlier[place] = [_with_cited(one, cited) for one in talk.earlier[place]]
        excess = talk.tokens - tokens
        for change in (partial(_to_cited, cited=cited), _to_answer):
            excess = _change_each(talk.earlier, change, excess)
        dropped = 0
        while excess > 0 and talk.earlier:
            excess -= sum(map(message_tokens, talk.earlier.pop(0)))
            dropped += 1
        groups = list(_groups(talk.present))
        for shrink in (_to_brief_results, _to_brief_evidence):
            excess = _change_each(groups, shrink, excess, but_last=1)
        _change_each(groups, _to_brief_results, excess)
        talk.present = [message for group in groups for message in group]
        return FittedContext(talk.messages, dropped)


class CircularContext:
    """Sends the last `items` messages, whole groups of calls and results, and the question.

    What it begins with is always a question. If even that is too long, it shrinks.
    """

    def __init__(self, items: int) -> None:
        self.items = items

    def fit(self, messages: Sequence[Message], tokens: int) -> FittedContext:
        """See `ContextPolicy.fit`."""
        talk = _Talk.of(messages)
        earlier, room = talk.earlier, self.items
        talk.present, talk.earlier = _tail(talk.present, max(room, 2)), []
        room -= len(talk.present)
        for exchange in reversed(earlier):
            kept = _tail(exchange, room)
            if kept:
                talk.earlier.insert(0, kept)
            room -= len(kept)
            if len(kept) < len(exchange):
                break
        return ShrinkingContext(is_eager=False).fit(talk.messages, tokens)


def _tail(exchange: list[Message], room: int) -> list[Message]:
    """Give the question and the last groups of an exchange, `room` messages of it at most.

    The last group comes along whatever its size where there is room for two messages.
    """
    if room < min(2, len(exchange)):
        return []
    question, *groups = _groups(exchange) if exchange else [[]]
    kept: list[Message] = []
    for group in reversed(groups):
        if kept and len(question) + len(group) + len(kept) > room:
            break
        kept = [*group, *kept]
    return [*question, *kept]


Change = Callable[[list[Message]], list[Message]]


def _change_each(parts: list[list[Message]], change: Change, excess: int, but_last: int = 0) -> int:
    """Change the parts from the first on until nothing is in excess; give what still is."""
    for index in range(len(parts) - but_last):
        if excess <= 0:
            break
        before = sum(map(message_tokens, parts[index]))
        parts[index] = change(parts[index])
        excess -= before - sum(map(message_tokens, parts[index]))
    return excess


def _cited_in(exchange: list[Message]) -> set[int]:
    """Give the numbers that the answer of an exchange cites."""
    last = exchange[-1]
    return cited_numbers(last.text) if isinstance(last, AssistantMessage) else set()


def _last_found(exchanges: Sequence[Sequence[Message]]) -> int:
    """Give the place of the last exchange with results; 0 where there is none."""
    found = (any(isinstance(m, ToolMessage) for m in exchange) for exchange in exchanges)
    return max((place for place, has in enumerate(found) if has), default=0)


def _to_cited(exchange: list[Message], cited: set[int]) -> list[Message]:
    """Shrink the results of an exchange to the quotes that were cited; drop its images."""
    return [_with_cited(_without_images(message), cited) for message in exchange]


def _without_images(message: Message) -> Message:
    if isinstance(message, UserMessage) and message.images:
        return UserMessage(f"{message.text}\n(with {len(message.images)} images, {LEFT_OUT[1:]}")
    return message


def _with_cited(message: Message, cited: set[int]) -> Message:
    if not isinstance(message, ToolMessage):
        return message
    kept = keep_quotes(message.text, lambda _, number: number in cited) if cited else None
    return replace(message, text=min(kept or LEFT_OUT, message.text, key=len))


def _to_answer(exchange: list[Message]) -> list[Message]:
    """Shrink an exchange to its question and its answer."""
    said = [m for m in exchange if isinstance(m, UserMessage | AssistantMessage)]
    return [m for m in said if not (isinstance(m, AssistantMessage) and m.tool_calls)]


def _to_brief_results(group: list[Message]) -> list[Message]:
    """Shrink results that are no evidence to their beginning."""
    return [
        replace(message, text=f"{message.text[:BRIEF_CHARACTERS]} … {LEFT_OUT}")
        if isinstance(message, ToolMessage)
        and len(message.text) > BRIEF_CHARACTERS + len(LEFT_OUT) + 3
        and keep_quotes(message.text, lambda _, __: True) is None
        else message
        for message in group
    ]


def _to_brief_evidence(group: list[Message]) -> list[Message]:
    """Shrink evidence to its best quotes."""
    return [
        replace(message, text=kept)
        if isinstance(message, ToolMessage)
        and (kept := keep_quotes(message.text, lambda place, _: place < BRIEF_QUOTES)) is not None
        else message
        for message in group
    ]
