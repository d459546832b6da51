"""Faults of the table, met by a model alone and by the whole agent."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.library.library import Library
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.patience import Patience
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.models.text_protocol import TextProtocolModel
from rag_assistant.values.events import Answered, Event, Note, Stopped, ToolFinished
from rag_assistant.values.evidence import Answer
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer
from scripts.benchmarks.trust.fault_scripts import KEY, Fault

Protocol = Literal["responses", "chat", "text"]
PROTOCOLS: tuple[Protocol, ...] = ("responses", "chat", "text")
"""Both wire formats, and calls written into the text of the second."""

QUICK = Patience(first=0.01)
ENVIRON = {"TEST_KEY": KEY}
NAME = "tested"

_TLS_ALERT = b"\x15\x03\x03\x00\x02\x02\x32"
"""A fatal decode_error (RFC 8446, 6): what a TLS server says to what is no handshake."""


@contextmanager
def place_of(fault: Fault) -> Iterator[tuple[str, str]]:
    """Give the base_url where the fault is met, and what messages call the host."""
    match fault.place:
        case "server" | "https to http":
            with ScriptedServer(*fault.scripts) as server:
                scheme = "http" if fault.place == "server" else "https"
                yield f"{scheme}://{server.host}/v1", server.host
        case "closed port":
            with socket.socket() as bound:
                bound.bind(("127.0.0.1", 0))  # bound, not listening: the connection is refused
                host = f"127.0.0.1:{bound.getsockname()[1]}"
                yield f"http://{host}/v1", host
        case "http to https":
            with _tls_server() as host:
                yield f"http://{host}/v1", host
        case "unknown host":
            yield "http://no-such-host.invalid/v1", "no-such-host.invalid"


@contextmanager
def _tls_server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_answer_with_an_alert, args=(listening,))
        thread.start()
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _answer_with_an_alert(listening: socket.socket) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            connection.recv(65_536)
            connection.sendall(_TLS_ALERT)


def settings_for(fault: Fault, protocol: Protocol, base_url: str) -> ModelSettings:
    """Give the settings of a model at the place of a fault."""
    return ModelSettings(
        MODEL,
        base_url,
        "responses" if protocol == "responses" else "chat",
        api_key_env="TEST_KEY",
        native_tools=protocol != "text",
        timeout_seconds=fault.silence,
        local="//127.0.0.1" in base_url,
    )


def model_for(
    settings: ModelSettings, patience: Patience | None, gate: Gate | None = None
) -> Model:
    """Make the model as the assistant does, with the patience of the test."""
    model = OpenAIModel(NAME, settings, ENVIRON, patience, gate)
    return model if settings.native_tools else TextProtocolModel(model)


class PatientModels(ModelPool):
    """Models that wait as long as the test says."""

    def __init__(self, assistant: Assistant, patience: Patience | None) -> None:
        super().__init__(assistant.config, ENVIRON, assistant.gate)
        self._patience = patience

    def _made(self, name: str) -> Model:
        return model_for(self.config.models[name], self._patience, self._gate)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the agent gave, HOST standing for host and port again."""

    host: str
    events: tuple[Event, ...]

    def _told(self, text: str) -> str:
        return text.replace(self.host, "HOST")

    @property
    def lines(self) -> list[str]:
        """What a person read beside the answer."""
        last = self.events[-1]
        notes = [event for event in self.events if isinstance(event, Note)]
        told = [note.text for note in notes if not (note.was_streamed or note.is_plan)]
        told += [f"{last.reason} {last.hint}"] if isinstance(last, Stopped) else []
        return [self._told(line) for line in told]

    @property
    def failed_calls(self) -> list[str]:
        """What was said of calls that could not be run."""
        finished = (event for event in self.events if isinstance(event, ToolFinished))
        return [self._told(event.summary) for event in finished if not event.ok]

    @property
    def answer(self) -> Answer | None:
        """The answer, None where the run was stopped."""
        last = self.events[-1]
        return last.answer if isinstance(last, Answered) else None


async def run_agent(
    library: Library,
    question: str,
    fault: Fault,
    protocol: Protocol,
    patience: Patience | None = None,
) -> Outcome:
    """Ask the whole assistant a question while its model has the fault."""
    with place_of(fault) as (base_url, host):
        settings = settings_for(fault, protocol, base_url)
        config = Config(model=NAME, models={NAME: settings}, egress="any")
        assistant = Assistant(library, config, ENVIRON)
        assistant.models = PatientModels(assistant, patience)
        try:
            return Outcome(host, tuple([event async for event in assistant.ask(question)]))
        finally:
            await assistant.aclose()
