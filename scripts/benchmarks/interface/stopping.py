"""How long Esc takes to end an answer: until the model's server sees the connection closed, and
until the prompt says that it was stopped. And how long Ctrl+Q takes to end the program meanwhile.

The server streams on a loopback connection, and looks every 10 ms whether it was closed.
"""

import argparse
import asyncio
import time
from pathlib import Path

from rag_assistant.api.opening import config_file
from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from scripts.benchmarks.shared.figures import Figure, Report, percentile
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from scripts.benchmarks.shared.on_a_terminal import OnATerminal
from scripts.benchmarks.shared.places import CORPORA
from scripts.benchmarks.shared.program import PROGRAM

LOOK_SECONDS = 0.002
PATIENCE_SECONDS = 20.0


async def _until(condition: object, what: str) -> None:
    begun = time.perf_counter()
    assert callable(condition)
    while not condition():
        if time.perf_counter() - begun > PATIENCE_SECONDS:
            raise TimeoutError(f"never came: {what}")
        await asyncio.sleep(LOOK_SECONDS)


async def stop(home: Path) -> tuple[float, float]:
    """Ask, press Esc while words come; give the seconds to the closed connection and the words."""
    with ScriptedServer(Answer("The words that come. " * 20, then="stall")) as server:
        config = Config(model="m", models={"m": server.settings()})
        app = AssistantApp(Assistant(Library(home), config, {}))
        async with app.run_test(size=(140, 40)) as pilot:
            await pilot.pause()
            await pilot.press(*"why?", "enter")

            def asked() -> Exchange | None:
                return next(iter(app.screen.query(Exchange)), None)

            await _until(lambda: (one := asked()) and one.state.text.strip(), "the first words")
            exchange, request = asked(), server.requests[-1]
            assert exchange
            begun = time.perf_counter()
            app.simulate_key("escape")
            await _until(lambda: exchange.state.phase is Phase.STOPPED, "the stop")
            told = time.perf_counter() - begun
            await _until(request.hung_up.is_set, "the end of the connection")
            return time.perf_counter() - begun, told


def leave(home: Path) -> float:
    """Ask, press Ctrl+Q while words come; give the seconds until the shell has the terminal."""
    with ScriptedServer(Answer("The words that come. " * 20, then="stall")) as server:
        config_file(home).write_text(
            f'model = "m"\n[models.m]\nmodel = "scripted-model"\nbase_url = "{server.base_url}"\n',
            encoding="utf-8",
        )
        with OnATerminal(PROGRAM, home, NO_PROXY="127.0.0.1") as program:
            program.shows(b"Ask your documents")
            program.type(b"why?\r")
            program.shows(b"The words that come")
            begun = time.perf_counter()
            program.type(b"\x11")
            program.ends()
            return time.perf_counter() - begun


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the number of answers be chosen."""
    parser.add_argument("--rounds", type=int, default=15)


def measured(options: argparse.Namespace) -> Report:
    """Stop answers, and leave the program, one after another."""
    home = options.scratch / "home"
    Library(home).index(CORPORA / "handbook")
    times = [asyncio.run(stop(home)) for _ in range(options.rounds)]
    left = [leave(home) * 1000 for _ in range(options.rounds)]
    closed, told = ([one[n] * 1000 for one in times] for n in (0, 1))
    return Report(
        [
            Figure("Esc to the closed connection, p95", percentile(closed, 0.95), "ms", "<= 300"),
            Figure("Esc to the word that it stopped, p95", percentile(told, 0.95), "ms", "<= 100"),
            Figure(
                "Ctrl+Q to the shell, an answer coming, p95",
                percentile(left, 0.95),
                "ms",
                "<= 1500",
            ),
        ]
    )
