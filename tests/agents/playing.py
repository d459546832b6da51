"""Two small tools, and runs of scripted models over them."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from rag_assistant.agents.loop import Run
from rag_assistant.agents.setting import AgentSpec, RunOptions, RunQuestion
from rag_assistant.config import Limits
from rag_assistant.errors import ToolFailed
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.protocol import Model
from rag_assistant.tools.toolkit import Tool, Toolkit, ToolOutput
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import Answered, Event, Note, Stopped, TextDelta, ToolFinished
from rag_assistant.values.evidence import Answer, Evidence, EvidenceItem
from rag_assistant.values.messages import (
    JsonObject,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    Usage,
)
from tests.scripted import Scripted, ScriptedModel

SEARCH, READ = "search_handbook_database", "query_handbook_database"
QUESTION = "How long is parental leave?"
QUOTE = "Parental leave is sixteen weeks long."
ITEM = EvidenceItem("handbook", 12, "Leave", "leave.md", QUOTE, Location(3, 40), True)
HITS = json.dumps({"database": "handbook", "more": [{"id": 12, "title": "Leave"}]})


def schema(*names: str) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
        "additionalProperties": False,
    }


@dataclass(slots=True)
class Desk:
    """The tools, and what they were asked."""

    asked: list[str] = field(default_factory=list)

    async def search(self, arguments: JsonObject) -> ToolOutput:
        self.asked.append(arguments["keyword"])
        if arguments["keyword"] == "explode":
            raise RuntimeError("a defect")
        if arguments["keyword"] == "nothing":
            raise ToolFailed("Nothing there.", hint="Try other words.")
        return ToolOutput(HITS, "1 entry")

    async def read(self, arguments: JsonObject) -> ToolOutput:
        self.asked.append(arguments["query"])
        usage = Usage(100, 20, 1)
        evidence = Evidence("handbook", arguments["query"], (ITEM,), 8, (12,), usage=usage)
        return ToolOutput("", "1 quote", evidence=evidence)

    def toolkit(self, *more: Tool) -> Toolkit:
        searching = Tool(ToolSpec(SEARCH, "Search.", schema("keyword")), self.search, "search")
        reading = Tool(ToolSpec(READ, "Read.", schema("query", "ids")), self.read, "read")
        return Toolkit([searching, reading, *more])


def slow_tool() -> Tool:
    """A tool that never ends by itself."""

    async def wait(_: JsonObject) -> ToolOutput:
        await asyncio.sleep(60)
        return ToolOutput("", "")

    return Tool(ToolSpec("slow", "Waits.", schema()), wait)


def call(name: str, number: int = 1, **arguments: object) -> ToolCall:
    return ToolCall(f"c{number}", name, json.dumps(arguments))


def search(keyword: str = "leave", number: int = 1) -> ToolCall:
    return call(SEARCH, number, keyword=keyword)


def read(query: str = "How long?", number: int = 1) -> ToolCall:
    return call(READ, number, query=query, ids="12")


@dataclass(slots=True)
class Played:
    """What came of a run: its events, the requests of the model, what the tools were asked."""

    run: Run
    requests: list[Request]
    desk: Desk
    events: list[Event] = field(default_factory=list)

    @property
    def answer(self) -> Answer:
        """The answer of a run that has one."""
        last = self.events[-1]
        assert isinstance(last, Answered), last
        return last.answer

    @property
    def stopped(self) -> Stopped:
        """The end of a run that was stopped."""
        last = self.events[-1]
        assert isinstance(last, Stopped), last
        return last

    @property
    def notes(self) -> list[str]:
        """What was said beside the answer."""
        return [e.text for e in self.events if isinstance(e, Note) and not e.was_streamed]

    @property
    def shown(self) -> str:
        """The text as it streamed."""
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def finished(self) -> list[ToolFinished]:
        """How the tool calls ended."""
        return [event for event in self.events if isinstance(event, ToolFinished)]

    def results(self, request: int = -1) -> list[str]:
        """The tool results that the model read in a request."""
        return [m.text for m in self.requests[request].messages if isinstance(m, ToolMessage)]

    def remark(self, request: int) -> str:
        """What the model was told at the end of a request, after the conversation."""
        last = self.requests[request].messages[-1]
        return last.text if isinstance(last, SystemMessage) else ""


async def play(
    script: Sequence[Scripted] | Model,
    limits: Limits | None = None,
    *tools: Tool,
    fallback: bool = False,
    options: RunOptions | None = None,
    window: int = 0,
) -> Played:
    """Let a model answer a question; with `fallback` the built-in one takes over from it."""
    model = script if not isinstance(script, Sequence) else ScriptedModel(script)
    desk = Desk()
    kit = desk.toolkit(*tools)
    options = options or RunOptions()
    if fallback:
        options = replace(
            options, fallback=AgentSpec(ExtractiveModel(), kit, "extractive", (), is_free=True)
        )
    question = RunQuestion(QUESTION, Coverage(("handbook",), 5, 1))
    run = Run(question, AgentSpec(model, kit, "helper", window=window), limits or Limits(), options)
    requests = model.requests if isinstance(model, ScriptedModel) else []
    played = Played(run, requests, desk)
    async with aclosing(run.events()) as events:
        async for event in events:
            played.events.append(event)
    return played
