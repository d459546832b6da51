"""Coming back to the terminal is no answer to what a tool asks."""

import json
from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_replies import Answer, Call
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import Opener, quit_program, use_model

FOCUS_OUT = (0x1B, 0x5B, ord("O"))
FOCUS_IN = (0x1B, 0x5B, ord("I"))


@pytest.mark.soak
def test_focus_and_the_first_click_answer_nothing(home: Path, opened: Opener) -> None:
    """If it fails, a click that was meant for the window, or a key meant for another, runs code."""
    code = "print('it', 'ran')"
    run = Call("run_python", json.dumps({"code": code}))
    with ScriptedServer(Answer(calls=(run,)), Answer("It is done.")) as server:
        use_model(home, server)
        config = home / "config.toml"
        config.write_text(config.read_text() + "\n[tools]\nrun_python = true\n", encoding="utf-8")
        terminal = opened()
        terminal.enter("Run it?")
        seen = terminal.sees("Run Python?", "y once")
        row = next(n for n, line in enumerate(seen.splitlines(), 1) if "y once" in line)
        for click in ("0;8", "0;60"):
            place = f"\x1b[<{click};{row}".encode()
            terminal.send(*FOCUS_OUT)
            # In one write, as a terminal does: the focus, the click that gave it, and a key.
            terminal.send(*FOCUS_IN, *place, ord("M"), *place, ord("m"), ord("y"))
            terminal.sees("Run Python?", "y once")
            assert len(server.requests) == 1
        terminal.press_until("y", lambda: len(server.requests) == 2, "the run")
        assert "it ran" in server.requests[-1].text()
        terminal.sees("It is done.")
        terminal.press("C-c")
        quit_program(terminal)
