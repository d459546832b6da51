"""Models of known kinds, played through the whole assistant for `judge.py`: no network, no luck.

Each searches with the question, reads the entry that it means to cite round the place of its words,
and writes what its kind writes. What is right about its answer is known beforehand.
"""

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Literal

from rag_assistant.agents.citations import sources_in
from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.evidence import pick_evidence
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.text.fences import read_fences
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    Request,
    ToolCall,
    ToolMessage,
    Usage,
    UserMessage,
)

Kind = Literal["perfect", "rewording", "altering", "beside", "refusing"]
KINDS: tuple[Kind, ...] = ("perfect", "rewording", "altering", "beside", "refusing")
RIGHT: frozenset[Kind] = frozenset(("perfect", "rewording"))
"""Whose answers are right."""

MAIN, HELPER = "scripted", "scripted-helper"


@dataclass(frozen=True, slots=True)
class Script:
    """What a model is to do: read entry `entry_id` of a database round character `at`, quote
    `evidence` from it, and say `text`, with "[#]" for the number of the quote.

    Without an entry it reads what comes first, and `text` has "{quote}" for what the helper quotes
    there.
    """

    database: str
    question: str
    text: str
    entry_id: int = 0
    at: int = 0
    evidence: str = ""


class ScriptedMain:
    """Plays a script as the model that answers."""

    name = MAIN

    def __init__(self, script: Script) -> None:
        self._script = script

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Search, read, and say what stands in the script."""
        message = self._next(request)
        if not message.tool_calls:
            yield ReplyDelta(message.text)
        yield Reply(message, "tool_calls" if message.tool_calls else "stop", Usage(requests=1))

    def _next(self, request: Request) -> AssistantMessage:
        results = _results(request)
        tools = [spec.name for spec in request.tools]
        if not results:
            searches = [name for name in tools if name.startswith("search_")]
            return AssistantMessage("", _calls(searches, {"keyword": self._script.question}))
        readings = [message for message in results if message.name.startswith("query_")]
        if not readings and (calls := self._reads(results)):
            return AssistantMessage("", calls)
        return AssistantMessage(self._said(readings))

    def _reads(self, results: list[ToolMessage]) -> tuple[ToolCall, ...]:
        script = self._script
        if script.entry_id:
            given = {"query": script.question, "ids": str(script.entry_id), "at": script.at}
            return _calls([f"query_{_slug(script.database)}_database"], given)
        calls: list[ToolCall] = []
        for message in results:
            found = sources_in(message.text)
            if found:
                given = {"query": script.question, "ids": str(found[0]["id"])}
                calls += _calls([message.name.replace("search_", "query_", 1)], given)
        return tuple(calls[:1])

    def _said(self, readings: list[ToolMessage]) -> str:
        quotes = [
            quote
            for message in readings
            for source in sources_in(message.text)
            for quote in source["quotes"]
        ]
        if not quotes:
            return self._script.text.replace("[#]", "").replace("{quote}", "Nothing at all.")
        words = " ".join(quotes[0]["quote"].split())
        text = self._script.text.replace("[#]", f"[{quotes[0]['cite']}]")
        return text.replace("{quote}", words)

    async def aclose(self) -> None:
        """Nothing is kept open."""


class ScriptedHelper:
    """Quotes the words of the script where an entry has them, or else what comes first.

    How sure it is, it judges for all kinds by one rule, the built-in model's: it does not know
    which kind it plays.
    """

    name = HELPER

    def __init__(self, script: Script) -> None:
        self._script = script

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Answer a retrieval prompt."""
        prompt = next(m.text for m in reversed(request.messages) if isinstance(m, UserMessage))
        words = self._script.evidence
        holders = [
            int(fenced.attributes["id"])
            for fenced in read_fences(prompt)
            if fenced.kind == "entry" and words and words in fenced.text
        ]
        reply = pick_evidence(prompt)
        if holders:
            sure = json.loads(reply)["confidence"]
            reply = json.dumps({"relevant": [words], "source": holders[:1], "confidence": sure})
        yield ReplyDelta(reply)
        yield Reply(AssistantMessage(reply), "stop", Usage(requests=1))

    async def aclose(self) -> None:
        """Nothing is kept open."""


class ScriptedAssistant(Assistant):
    """An assistant whose models play a script."""

    def __init__(self, library: Library, script: Script) -> None:
        config = Config(
            model=MAIN, helper=HELPER if script.evidence else EXTRACTIVE, fallback=False
        )
        super().__init__(library, config, {})
        pool = _ScriptedModels(config, {}, self.gate)
        pool.played = {MAIN: ScriptedMain(script), HELPER: ScriptedHelper(script)}
        self.models = pool


class _ScriptedModels(ModelPool):
    """The models in use, two of them scripted."""

    played: dict[str, Model]

    def model(self, name: str) -> Model:
        """Give a model by name."""
        return self.played.get(name) or super().model(name)


def _slug(database: str) -> str:
    return re.sub(r"\W", "_", database)


def _results(request: Request) -> list[ToolMessage]:
    """Give the tool results since the last question."""
    found: list[ToolMessage] = []
    for message in request.messages:
        if isinstance(message, UserMessage):
            found = []
        elif isinstance(message, ToolMessage):
            found.append(message)
    return found


def _calls(names: list[str], given: dict[str, Any]) -> tuple[ToolCall, ...]:
    written = json.dumps(given, ensure_ascii=False)
    return tuple(ToolCall(f"call_{name}_{n}", name, written) for n, name in enumerate(names, 1))
