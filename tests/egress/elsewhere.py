"""Servers of this machine that count as another: at 0.0.0.0, which leads to the loopback here."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.conversation import Conversation
from rag_assistant.config import Config, DatabaseSettings, EgressPolicy, ModelSettings
from rag_assistant.library.library import Library
from rag_assistant.values.events import Answered, Event, Note
from rag_assistant.values.evidence import Answer
from scripts.benchmarks.shared import model_replies as script
from scripts.benchmarks.shared.model_replies import Call, Script
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.conftest import settle, write_files

CANARY = "zebrafinch"
"""A word of the database `diary`, which stands nowhere else."""

DIARY = {
    "march.md": "# March\n\nThe parental leave talk with the zebrafinch group was on 14 March.\n",
    "april.md": "# April\n\nNothing of parental leave, but the zebrafinch group met again.\n",
}


def elsewhere(address: str) -> str:
    """Give the same server's address as that of another machine."""
    return address.replace("127.0.0.1", "0.0.0.0")


def far(server: ScriptedServer, **changed: Any) -> ModelSettings:
    """Give settings that reach a server as on another machine; a helper condenses all it reads."""
    settings = server.settings(**{"helper": "always", **changed})
    return replace(settings, base_url=elsewhere(settings.base_url))


def with_diary(library: Library, folder: Path) -> Library:
    """Add the database `diary`, which holds the canary."""
    settle(write_files(folder / "diary", DIARY))
    library.index(folder / "diary")
    return library


def policies(**named: EgressPolicy) -> dict[str, DatabaseSettings]:
    """Give what databases allow, by their names."""
    return {name: DatabaseSettings(policy) for name, policy in named.items()}


def player(*databases: str) -> Any:
    """A server's script that searches and reads databases in turn, and then answers.

    As a helper it quotes the first sentence of what it is given.
    """

    def play(request: SeenRequest) -> Script:
        said = request.body["messages"]
        if "response_format" in request.body:
            return script.Answer('{"relevant": [], "source": [], "confidence": 3}')
        done = sum(message["role"] == "tool" for message in said)
        asked = [
            Call(f"{what}_{name}_database", arguments)
            for name in databases
            for what, arguments in (
                ("search", '{"keyword": "parental leave"}'),
                ("query", '{"query": "parental leave", "ids": "1,2"}'),
            )
        ]
        since = next(n for n in range(len(said) - 1, -1, -1) if said[n]["role"] == "user")
        done = sum(message["role"] == "tool" for message in said[since:])
        if done < len(asked) and request.body.get("tools"):
            return script.Answer(calls=(replace(asked[done], id=f"c{len(said)}"),))
        return script.Answer("Sixteen weeks [1].")

    return play


def text_of(server: ScriptedServer) -> str:
    """Everything that a server was sent."""
    return "\n".join(request.text() for request in server.requests)


async def ask(asked: Assistant | Conversation, question: str, **more: Any) -> list[Event]:
    """Ask, and give the events."""
    running: AsyncGenerator[Event, None] = asked.ask(question, **more)
    async with aclosing(running) as run:
        return [event async for event in run]


def notes(events: list[Event]) -> str:
    """Give what a person was told beside the answer."""
    return "\n".join(event.text for event in events if isinstance(event, Note))


def answer_of(events: list[Event]) -> Answer:
    """Give the answer that a run ended with."""
    last = events[-1]
    assert isinstance(last, Answered)
    return last.answer


def configured(models: dict[str, ModelSettings], **more: Any) -> Config:
    """Give settings with models; the first of them answers and helps."""
    return Config(**{"model": next(iter(models)), "models": models, **more})
