"""Attacks put to the assistant one after the other, each by the question that its document answers.

The assistant is the real one with all its checks. A tool `run_python` stands among its tools that
runs nothing and keeps what it was called with, so that no attack can do harm.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import ModelError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.models.text_protocol import TextProtocolModel
from rag_assistant.tools.permission import Decision, PermissionRequest
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.events import (
    Answered,
    Event,
    PermissionWanted,
    Stopped,
    Suggested,
    TitleGiven,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.values.messages import JsonObject, ToolSpec
from scripts.benchmarks.trust.attacks.obedient import NAME, ObedientModel
from scripts.benchmarks.trust.attacks.obedient_text import ObedientTextModel
from scripts.benchmarks.trust.attacks.outcome import Call, Outcome, Seen, judge
from scripts.benchmarks.trust.attacks.reading import Attack
from scripts.benchmarks.trust.attacks.watching import Watch, WatchedModel

Form = Literal["native", "text"]

OBEDIENT_TEXT = f"{NAME}, text"
"""The names by which the obedient model is asked for: with tools of its own, and without."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """All attacks on one model; `withheld` is whether suspicious passages were kept from it."""

    model: str
    helper: str
    withheld: bool
    outcomes: tuple[Outcome, ...]


class AttackedAssistant(Assistant):
    """An assistant that knows the obedient model, and whose models are all watched."""

    def __init__(
        self,
        library: Library,
        config: Config,
        environ: Mapping[str, str],
        attacks: Sequence[Attack],
    ) -> None:
        super().__init__(library, config, environ, extra_tools=lambda: [_Decoy()])
        self.attacks = attacks
        self.watch = Watch(attacks)
        self.models = _WatchedModels(config, environ, self.gate)
        self.models.watch = self.watch
        self.models.obedient = {
            NAME: ObedientModel(attacks),
            OBEDIENT_TEXT: TextProtocolModel(ObedientTextModel(attacks)),
        }


class _WatchedModels(ModelPool):
    """The models in use, the obedient ones among them, all of them watched."""

    watch: Watch
    obedient: Mapping[str, Model]

    def _made(self, name: str) -> Model:
        return WatchedModel(self.obedient.get(name) or super()._made(name), self.watch)


class _Decoy:
    """Gives `run_python`, by its name; what is called is kept by the events of the run."""

    async def tools(self, databases: Sequence[Database]) -> tuple[Sequence[Tool], Sequence[str]]:
        """Give the tool."""

        async def run(arguments: JsonObject) -> ToolOutput:
            return ToolOutput(json.dumps({"output": ""}), "ran nothing: an evaluation")

        return (Tool(_RUN_PYTHON, run, reads_only=False),), ()

    async def renew(self, session: str) -> bool:
        """There is no session to start anew."""
        return False

    async def aclose(self) -> None:
        """Nothing was started."""


_RUN_PYTHON = ToolSpec(
    "run_python",
    "Run Python, to count, compute or compare over whole databases.",
    {
        "type": "object",
        "properties": {"code": {"type": "string", "minLength": 1}},
        "required": ["code"],
        "additionalProperties": False,
    },
)


async def allows_all_but_copies(request: PermissionRequest) -> Decision:
    """Answer as a person who trusts the tools, and heeds what warns of a document's words."""
    return Decision.NO if request.from_document else Decision.ALWAYS


async def attempt(
    assistant: AttackedAssistant,
    database: str,
    *,
    withheld: bool,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Attempt:
    """Ask the question of each attack of `database`.

    Without `withheld` models may read what is suspicious in the database while this lasts.
    Raises LibraryError or ModelError when no run can start.
    """
    library, config = assistant.library, assistant.config
    await asyncio.to_thread(library.allow, database, allowed=not withheld)
    outcomes: list[Outcome] = []
    try:
        for attack in assistant.attacks:
            outcome = await _attacked(assistant, database, attack)
            if outcome.stopped and not (outcomes or outcome.reached):
                raise ModelError(
                    f"The first attack was not answered: {outcome.stopped}",
                    hint=f'See that it answers at all: rag-assistant ask "Hello" -m {config.model}',
                )
            outcomes.append(outcome)
            on_progress(len(outcomes))
    finally:
        await asyncio.to_thread(library.allow, database, allowed=False)
    main = config.model
    return Attempt(main, config.helper or main, withheld, tuple(outcomes))


async def _attacked(assistant: AttackedAssistant, database: str, attack: Attack) -> Outcome:
    assistant.watch.forget()
    asking = assistant.ask(attack.question, databases=[database], permit=allows_all_but_copies)
    seen = await _seen(asking)
    watch = assistant.watch
    reached = attack.id in watch.main, attack.id in watch.helper
    opened = assistant.library.database(database)

    def judged() -> Outcome:
        document = "\n".join(opened.text(e.id) for e in opened.entries() if e.path == attack.path)
        return judge(attack, seen, reached, document, opened.text)

    return await asyncio.to_thread(judged)


async def _seen(events: AsyncGenerator[Event, None]) -> Seen:
    """Follow a run to its end."""
    started: dict[str, ToolStarted] = {}
    calls: list[Call] = []
    named: list[str] = []
    asked: list[str] = []
    async with aclosing(events):
        async for event in events:
            match event:
                case ToolStarted():
                    started[event.call_id] = event
                case ToolFinished():
                    begun = started[event.call_id]
                    only_reads = event.tool != _RUN_PYTHON.name
                    calls.append(Call(event.tool, begun.arguments, event.ok, only_reads))
                case PermissionWanted():
                    asked.append(event.tool)
                case TitleGiven(text) | Suggested(text):
                    named.append(text)
                case Answered(answer):
                    return Seen(answer, calls, named, asked)
                case Stopped(reason, _, partial):
                    return Seen(partial, calls, named, asked, reason)
    raise ModelError("A run ended without an answer.", hint="Ask again.")


def obedient(form: Form) -> Config:
    """Give the settings that ask the obedient model, as main model and as helper."""
    name = NAME if form == "native" else OBEDIENT_TEXT
    return Config(model=name, helper=NAME, fallback=False)


def settings_for(model: str, config: Config) -> Config:
    """Give a person's settings for attacking a model of theirs.

    The documents are nobody's secret, so they may go to its endpoint without asking.
    """
    return replace(config, model=model, fallback=False, egress="any", databases={}, mcp={})
