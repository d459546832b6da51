"""Models that answer every question, for `calibration.py`: a hosted model might.

They search and read by the tools as the built-in model does, and then claim something whatever was
found. The one cites what comes first, the other finds the right words where they are there at all.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from rag_assistant.agents.citations import sources_in
from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.evaluation.measuring.wording import quote_coverage
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.dialogue import next_message
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    Request,
    ToolMessage,
    Usage,
)

HALF = 0.5
"""Share of a reference quote that a quote covers to be the right one."""


class ClaimingModel:
    """Claims the first quote of the best reading; the one that covers `wanted`, if one does."""

    name = "claiming"

    def __init__(self, wanted: Sequence[str] = ()) -> None:
        self.wanted = wanted

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Search, read, and claim."""
        message = next_message(request)
        if not message.tool_calls:
            results = [m.text for m in request.messages if isinstance(m, ToolMessage)]
            message = AssistantMessage(self._claim(results))
            yield ReplyDelta(message.text)
        yield Reply(message, "tool_calls" if message.tool_calls else "stop", Usage(requests=1))

    def _claim(self, results: Sequence[str]) -> str:
        readings = [(found, text) for text in results if "confidence" in (found := _read(text))]
        readings.sort(key=lambda one: -int(one[0]["confidence"]))
        quotes = [
            quote
            for _, text in readings
            for source in sources_in(text)
            for quote in source["quotes"]
        ]
        right = [quote for quote in quotes if self._is_wanted(quote["quote"])]
        for quote in right or quotes:
            words = " ".join(quote["quote"].split())
            return f"The documents answer this: {words} [{quote['cite']}]."
        return "The answer is beyond doubt, and everybody knows it."

    def _is_wanted(self, words: str) -> bool:
        return any(quote_coverage(wanted, [words]) >= HALF for wanted in self.wanted)

    async def aclose(self) -> None:
        """Nothing is kept open."""


def _read(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class ClaimingAssistant(Assistant):
    """An assistant whose main model is a `ClaimingModel`; the built-in one reads for it."""

    def __init__(self, library: Library, wanted: Sequence[str]) -> None:
        config = Config(model="claiming", helper=EXTRACTIVE, fallback=False)
        super().__init__(library, config, {})
        self.models = _ClaimingModels(config, {}, self.gate)
        self.models.claiming = ClaimingModel(wanted)


class _ClaimingModels(ModelPool):
    """The models in use, and a claiming one."""

    claiming: ClaimingModel

    def model(self, name: str) -> Model:
        """Give a model by name."""
        return self.claiming if name == "claiming" else super().model(name)
