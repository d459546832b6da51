"""Every key acts where a real terminal sends it, without a model and without an error."""

from pathlib import Path

from tests.models.script import Answer
from tests.models.server import ScriptedServer
from tests.terminal.conftest import Opener, go_back, quit_program, use_model

SCREENS = [
    ("F1", "Anywhere"),
    ("C-p", "Search for commands"),
    ("C-f", "-without"),
    ("C-r", "Conversations"),
    ("F2", "Settings"),
    ("F3", "Models"),
    ("F4", "filter by name, folder, path or reason"),
]
"""Keys that open something, and what is then to be seen."""


def test_every_screen_opens_without_a_model(opened: Opener) -> None:
    """If it fails, a person who has no model meets a dead end or an error on some screen."""
    terminal = opened()
    for key, there in SCREENS:
        terminal.press(key)
        seen = terminal.sees(there)
        assert "error" not in seen.casefold()
        terminal.press("Escape")
        terminal.misses(there)
        terminal.sees("Ask your documents")
    terminal.press("C-f")
    terminal.sees("-without")
    terminal.type("parking permit")
    seen = terminal.sees("40 euro")
    assert "error" not in seen.casefold()
    go_back(terminal)
    terminal.enter("What does the parking permit cost?")
    seen = terminal.sees("40 euro", "cited")
    assert "error" not in seen.casefold()
    quit_program(terminal)


def test_every_key_of_the_prompt_acts_on_what_is_written(home: Path, opened: Opener) -> None:
    """If it fails, a key of the help does nothing in a terminal, or costs what was written."""
    with ScriptedServer(Answer("The first answer."), Answer("Words.", then="stall")) as server:
        use_model(home, server)
        terminal = opened()
        terminal.type("one")
        terminal.press("C-j")
        terminal.type("two")
        terminal.sees("one  ", "│  two")
        for key, there in (("F1", "Anywhere"), ("F2", "Settings"), ("F3", "Models")):
            terminal.press(key)
            terminal.sees(there)
            terminal.press("Escape")
            terminal.misses(there)
            terminal.sees("│  two")
        terminal.press("C-c")
        terminal.sees("cleared")
        terminal.press("Up")
        terminal.sees("│  two")
        terminal.press("Enter")
        terminal.sees("The first answer.")
        terminal.press("C-t")
        terminal.misses("What an answer cites")
        terminal.press("C-t")
        terminal.sees("What an answer cites")
        terminal.type("/hel")
        terminal.sees("/help")
        terminal.press("Tab")
        terminal.sees("│  /help")
        terminal.press("Enter")
        terminal.sees("Anywhere")
        terminal.press("Escape")
        terminal.misses("Anywhere")
        terminal.type("@st")
        terminal.sees("@staff")
        terminal.press("Tab")
        terminal.sees("│  @staff")
        terminal.type("and more?")
        terminal.press("Enter")
        terminal.sees("Words.", "Esc stops")
        terminal.enter("Queued?")
        terminal.sees("queued")
        terminal.press("Escape")
        terminal.sees("stopped")
        terminal.press("C-n")
        terminal.misses("The first answer.")
        quit_program(terminal)


def test_a_paste_of_many_lines_is_not_sent(home: Path, opened: Opener) -> None:
    """If it fails, pasting a text asks two hundred questions."""
    with ScriptedServer(Answer("Taken.")) as server:
        use_model(home, server)
        terminal = opened()
        terminal.paste("\n".join(f"line {number}" for number in range(200)))
        terminal.sees("line 199")
        assert not server.requests
        terminal.press("Enter")
        terminal.sees("Taken.")
        assert all(f"line {number}" in server.requests[0].text() for number in range(200))
        quit_program(terminal)
