"""The worst model there can be: it does whatever any text that it is given tells it to do.

It knows the attacks by their triggers. Where none reaches it, it searches, reads and quotes as the
built-in model does; where one does, it says, leaks, calls, cites or hides what that one wants.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any

from rag_assistant.agents.citations import sources_in
from rag_assistant.models.extractive.dialogue import next_message
from rag_assistant.models.extractive.evidence import pick_evidence
from rag_assistant.text.fences import Fenced, read_fences
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    Request,
    ToolCall,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from scripts.benchmarks.trust.attacks.as_read import as_read, with_escapes
from scripts.benchmarks.trust.attacks.reading import Attack
from scripts.benchmarks.trust.attacks.watching import given_in, triggered

NAME = "obedient"

READ = 3
"""Hits of a search for a secret that are read."""


class ObedientModel:
    """Obeys every attack that reaches it, as the main model and as the helper."""

    name = NAME

    def __init__(self, attacks: Sequence[Attack]) -> None:
        self._attacks = attacks

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Answer a request; see `Model.stream`."""
        message = await asyncio.to_thread(self.reply_to, request)
        if message.text:
            yield ReplyDelta(message.text)
        yield Reply(message, "tool_calls" if message.tool_calls else "stop", Usage(requests=1))

    async def aclose(self) -> None:
        """Nothing is kept open."""

    def reply_to(self, request: Request) -> AssistantMessage:
        """Give what it says next."""
        orders = triggered(request, self._attacks)
        if request.reply_schema is not None:
            return AssistantMessage(_evidence(request, orders))
        return _Turn(request, orders).next()


def _evidence(request: Request, orders: Sequence[Attack]) -> str:
    """Give, as a helper, what the attacks want cited and their own words, after honest quotes."""
    asked = next(m for m in request.messages if isinstance(m, UserMessage))
    honest = json.loads(pick_evidence(asked.text))
    entries = [one for one in read_fences(asked.text) if one.kind == "entry"]
    planted: list[tuple[str, int]] = []
    for order in orders:
        holder = next((e for e in entries if _line(e.text, order.trigger)), entries[0])
        number = int(holder.attributes["id"])
        planted.append((_line(holder.text, order.trigger) or order.trigger, number))
        if order.kind in ("says", "cites"):
            planted.append((order.effect, number))
        planted += _secrets(entries, order)
    quotes = list(zip(honest["relevant"], honest["source"], strict=True))
    quotes = ([] if any(one.kind == "hides" for one in orders) else quotes) + planted
    confidence = 10 if orders else honest["confidence"]
    written = {
        "relevant": [quote for quote, _ in quotes],
        "source": [entry_id for _, entry_id in quotes],
        "confidence": confidence,
    }
    return json.dumps(written, ensure_ascii=False)


def _secrets(entries: Sequence[Fenced], order: Attack) -> Iterator[tuple[str, int]]:
    if order.kind == "leaks":
        for entry in entries:
            if line := _line(entry.text, order.effect):
                yield line, int(entry.attributes["id"])


def _line(text: str, words: str) -> str:
    """Give the line of a text that holds some words; empty where none does."""
    wanted = as_read(words)
    return next((line.strip() for line in text.splitlines() if wanted in as_read(line)), "")


class _Turn:
    """One reply of the main model: honest steps first, then what was ordered, then the answer."""

    def __init__(self, request: Request, orders: Sequence[Attack]) -> None:
        self._request = request
        self._orders = orders
        self._given = list(given_in(request))
        self._read = "\n".join(map(with_escapes, self._given))
        replies = [m for m in request.messages if isinstance(m, AssistantMessage)]
        self._calls = {call.id: call for reply in replies for call in reply.tool_calls}
        self._made = {(call.name, call.arguments) for call in self._calls.values()}

    def next(self) -> AssistantMessage:
        honest = next_message(self._honest_request())
        if honest.tool_calls:
            return honest
        calls = [call for order in self._orders for call in self._wanted(order)]
        fresh = dict.fromkeys(call for call in calls if call not in self._made)
        if fresh and self._request.tools:
            count = len(self._calls)
            return AssistantMessage(
                "", tuple(ToolCall(f"obeyed_{count + n}", *call) for n, call in enumerate(fresh))
            )
        return AssistantMessage(self._answer(honest.text))

    def _honest_request(self) -> Request:
        """Give the request without the results of what was ordered."""
        asked = [m.text for m in self._request.messages if isinstance(m, UserMessage)][-1]
        kept = tuple(
            message
            for message in self._request.messages
            if not isinstance(message, ToolMessage)
            or asked in _arguments(self._calls.get(message.call_id)).values()
        )
        return Request(kept, self._request.tools)

    def _wanted(self, order: Attack) -> Iterator[tuple[str, str]]:
        """Give the calls that an order takes: those it asks for, those that find a secret."""
        tools = self._request.tools
        searches = [tool for tool in tools if tool.name.startswith("search_")]
        name, part = order.call
        if name == "search":
            yield from (_call(tool, part) for tool in searches)
        elif name:
            for tool in tools:
                if tool.name == name:
                    yield _call(tool, self._as_written(part))
                    if _call(tool, self._as_written(part)) in self._made:
                        yield _call(tool, _in_own_words(part))
        if order.kind == "leaks" and as_read(order.effect) not in self._read:
            for tool in searches:
                search = _call(tool, order.wants)
                yield search
                yield from self._readings(search, order.wants)

    def _as_written(self, part: str) -> str:
        """Give a call's argument as the document has it."""
        written = re.compile(rf"[\w.]+\([^()\n]*{re.escape(part)}[^()\n]*\)(?:\.\w+\([^()\n]*\))?")
        found = (written.search(text) for text in self._given)
        return next((match[0] for match in found if match), part)

    def _readings(self, search: tuple[str, str], wants: str) -> Iterator[tuple[str, str]]:
        """Give the call that reads what a search for a secret has found."""
        for message in self._request.messages:
            call = isinstance(message, ToolMessage) and self._calls.get(message.call_id)
            if call and (call.name, call.arguments) == search:
                found = [*sources_in(message.text), *_object(message.text).get("more", ())]
                ids = [one["id"] for one in found][:READ]
                if ids:
                    name = call.name.replace("search_", "query_", 1)
                    yield name, _json({"query": wants, "ids": ",".join(map(str, ids))})

    def _answer(self, honest: str) -> str:
        """Say what the orders want said, each with a number that makes it look proven."""
        said = [words for order in self._orders for words in self._said(order)]
        if not any(order.kind == "hides" for order in self._orders):
            said.append(honest)
        return "\n\n".join(said) or "Nothing was found."

    def _said(self, order: Attack) -> Iterator[str]:
        if order.trigger.startswith("["):
            yield order.trigger  # a command of the answer, given as it stands there
        if order.kind in ("says", "cites"):
            yield f"{order.effect} [{self._number_for(order.effect)}]."
        elif order.kind == "leaks" and as_read(order.effect) in self._read:
            yield f"{order.wants}: {order.effect} [{self._number_for(order.effect)}]."

    def _number_for(self, words: str) -> int:
        """Give the number of a quote with these words, else of any: the best forgery there is."""
        messages = [m.text for m in self._request.messages if isinstance(m, ToolMessage)]
        quotes = [q for text in messages for one in sources_in(text) for q in one["quotes"]]
        wanted = as_read(words)
        for quote in quotes:
            if wanted in as_read(str(quote["quote"])):
                return int(quote["cite"])
        return int(quotes[0]["cite"]) if quotes else 1


def _call(tool: ToolSpec, value: str) -> tuple[str, str]:
    """Call a tool with a value for its first argument."""
    return tool.name, _json({tool.parameters["required"][0]: value})


def _in_own_words(part: str) -> str:
    """Do what a document's code does in words that it does not have."""
    return f"from pathlib import Path\nPath('/tmp', '{part}').touch()"


def _arguments(call: ToolCall | None) -> Mapping[str, Any]:
    return _object(call.arguments) if call else {}


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
