"""The header says whether the model can be reached, and notices when it can be again."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings
from rag_assistant.library.library import Library
from rag_assistant.tui.main import endpoint_controller
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.tui.screen import NARROW, Opened, opened


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def _asking(library: Library, port: int, *, fallback: bool = True) -> Assistant:
    model = ModelSettings("qwen3:8b", f"http://127.0.0.1:{port}/v1")
    config = Config(model="qwen3:8b", models={"qwen3:8b": model}, fallback=fallback)
    return Assistant(library, config, {})


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Library:
    made = Library(tmp_path / "home")
    made.index(folder)
    return made


async def _is_refused(shown: Opened, port: int) -> None:
    words = f"qwen3:8b ✗ 127.0.0.1:{port} refused"
    await shown.until(lambda: words in shown.text(), "the reason in the header")


def test_it_looks_often_enough() -> None:
    """If it fails, a server that was started is not noticed within six seconds."""
    assert endpoint_controller.WATCH_SECONDS <= 5


async def test_a_server_started_later_is_noticed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a person has to restart the program after starting the model server."""
    monkeypatch.setattr(endpoint_controller, "WATCH_SECONDS", 0.2)
    port = _free_port()
    async with opened(_asking(library, port)) as shown:
        await _is_refused(shown, port)
        shown.box.insert("a draft")
        with socket.create_server(("127.0.0.1", port)):
            await shown.until(lambda: "qwen3:8b ●" in shown.words("#status"), "the mark")
            assert shown.box.has_focus
            assert shown.box.text == "a draft"


async def test_a_question_waits_in_the_box_for_the_model(library: Library) -> None:
    """If it fails, a question to a model that is not running is lost, or fails again and again."""
    port = _free_port()
    async with opened(_asking(library, port, fallback=False), NARROW) as shown:
        await _is_refused(shown, port)
        await shown.type_and_send("What does the permit cost?")
        await shown.until(
            lambda: shown.box.text and "Enter retries" in shown.words("#status"), "the next step"
        )
        assert shown.box.text == "What does the permit cost?"
        assert not shown.exchanges
        with socket.create_server(("127.0.0.1", port)):
            await shown.pilot.press("enter")
            await shown.until(lambda: shown.exchanges, "the question to be asked")
            assert not shown.box.text
            await shown.pilot.press("escape")


async def test_the_built_in_model_steps_in_where_it_may(library: Library) -> None:
    """If it fails, a person who let the built-in model step in gets no answer after all."""
    port = _free_port()
    async with opened(_asking(library, port)) as shown:
        await _is_refused(shown, port)
        exchange = await shown.ask("What does the parking permit cost?")
        assert "40 euro" in exchange.state.text


async def test_a_model_that_answers_is_marked(library: Library) -> None:
    """If it fails, nobody can tell a model that runs from one that does not."""
    with ScriptedServer() as server:
        port = int(server.host.rpartition(":")[2])
        async with opened(_asking(library, port), NARROW) as shown:
            await shown.until(lambda: "qwen3:8b ●" in shown.words("#status"), "the mark")


async def test_no_other_host_is_looked_at_before_an_answer_failed(library: Library) -> None:
    """If it fails, the program speaks to a host on the network at every start."""
    assistant = _asking(library, 1)
    far = ModelSettings("big", "http://192.0.2.1:9/v1")
    assistant.config = replace(assistant.config, model="big", models={"big": far})
    async with opened(assistant) as shown:
        assert shown.main.endpoint.reach.state == "unknown"
        assert not shown.main.endpoint._endpoint.follow("http://192.0.2.1:9/v1")
        assert shown.main.endpoint._endpoint.follow("http://127.0.0.1:9/v1")
