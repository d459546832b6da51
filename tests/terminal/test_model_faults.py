"""A model's server that fails, or is left waiting: the person is told, and goes on."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_replies import Answer, Events, Script, Silence, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.terminal.conftest import Opener, quit_program, use_model

BAD_JSON = Events(("{this is no JSON",))


@dataclass(frozen=True, slots=True)
class Case:
    """What the server does, and the words by which a person learns of it."""

    script: Script
    cause: str


CASES = [
    Case(Status(500, error("The card is out of memory.")), "500"),
    Case(Status(401, error("Bad key.")), "401"),
    Case(Status(404, error("No such model.")), "404"),
    Case(Answer("Some words. ", then="cut"), "broke off"),
    Case(BAD_JSON, "cannot be read"),
]


@pytest.mark.soak
def test_every_fault_names_host_and_cause_and_the_next_question_works(
    home: Path, opened: Opener
) -> None:
    """If it fails, a person sees a traceback, or nothing, or has to type the question again."""

    def answer(request: SeenRequest) -> Script:
        if "Finally?" in request.text():
            return Answer("All is well.")
        return CASES[int(request.text().rpartition("Question ")[2][0])].script

    with ScriptedServer(answer) as server:
        use_model(home, server)
        terminal = opened()
        for number, case in enumerate(CASES):
            terminal.enter(f"Question {number}?")
            seen = terminal.sees(f"Question {number}?", server.host, case.cause)
            assert "Traceback" not in seen
            terminal.misses("s, Esc", "Esc stops")  # the line may break within
            terminal.enter("/edit")
            terminal.sees(f"│  Question {number}?")
            terminal.press("C-c")
            terminal.sees("Ask your documents")
        terminal.enter("Finally?")
        terminal.sees("All is well.")
        quit_program(terminal)


@pytest.mark.soak
def test_a_server_that_stalls_can_be_stopped_and_is_let_go(home: Path, opened: Opener) -> None:
    """If it fails, Esc leaves a request running that costs money, or loses what was written."""
    stalls = Answer("The partial words.", then="stall")
    with ScriptedServer(stalls, Silence(), Answer("Again all is well.")) as server:
        use_model(home, server)
        terminal = opened()
        terminal.enter("A long question?")
        terminal.sees("The partial words.", "Esc stops")
        terminal.press("Escape")
        terminal.until(server.requests[0].hung_up.is_set, "the end of the connection")
        terminal.sees("The partial words.", "stopped", "Ask your documents")
        terminal.enter("Another question?")
        terminal.until(lambda: len(server.requests) == 2, "the second request")
        terminal.press("Escape")
        terminal.until(server.requests[1].hung_up.is_set, "the end of the second connection")
        terminal.enter("A third question?")
        terminal.sees("Again all is well.")
        quit_program(terminal)


@pytest.mark.soak
def test_silence_is_told_as_such(home: Path, opened: Opener) -> None:
    """If it fails, a server that never answers looks like one that is still thinking."""
    with ScriptedServer(Answer("Begun.", then="stall"), Answer("Done.")) as server:
        use_model(home, server, timeout_seconds=1.0)
        terminal = opened()
        terminal.enter("Are you there?")
        terminal.sees("Begun.", server.host, "silent")
        terminal.enter("And now?")
        terminal.sees("Done.")
        quit_program(terminal)


@pytest.mark.soak
def test_escape_elsewhere_stops_no_answer(home: Path, opened: Opener) -> None:
    """If it fails, closing a list or the sources costs the answer that was being written."""
    with ScriptedServer(Answer("The partial words.", then="stall")) as server:
        use_model(home, server)
        terminal = opened(size=(80, 24))
        terminal.enter("A long question?")
        terminal.sees("The partial words.", "Esc stops")
        opens = {"C-p": "what do you want", "F1": "Anywhere", "C-t": "What an answer cites"}
        for key, there in opens.items():
            terminal.press(key)
            terminal.sees(there)
            terminal.press("Escape")
            terminal.misses(there)
            terminal.sees("The partial words.", "Esc stops")
        assert not server.requests[0].hung_up.is_set()
        quit_program(terminal)
        terminal.until(server.requests[0].hung_up.is_set, "the end of the connection")
