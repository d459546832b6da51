"""Every key acts where a real terminal sends it, without a model and without an error."""

from pathlib import Path

import pytest
from textual.binding import Binding

from rag_assistant.tui.main.main_keys import APP_KEYS, MAIN_KEYS
from rag_assistant.tui.question.question_box import QuestionBox
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import Opener, go_back, quit_program, use_model
from tests.terminal.terminal import Terminal

SCREENS = {
    "f1": "Anywhere",
    "ctrl+p": "what do you want to do?",
    "ctrl+f": "Nothing found",  # what was written is looked for
    "ctrl+r": "Conversations",
    "ctrl+o": "never changed",
    "ctrl+l": "type to find folders and files",
    "f2": "Settings",
    "f3": "Models",
    "f4": "filter by name, folder, path or reason",
    "f9": "filter question sets by name",
}
"""Keys that open something, and what is then to be seen."""

ACTING = {
    "ctrl+g", "ctrl+t", "ctrl+n", "ctrl+s", "f5", "f8", "ctrl+c", "tab", "shift+tab", "ctrl+q",
    "enter", "ctrl+j", "escape", "up", "down", "ctrl+e", "ctrl+k",
}  # fmt: skip
"""Keys that do something else; each is pressed in one of these tests."""

NEVER = {"ctrl+i", "ctrl+m", "ctrl+h", "ctrl+b", "ctrl+a", "ctrl+[", "ctrl+z"}
NEVER |= {"alt+enter", "ctrl+tab", "f6", "f7", "f10", "f11", *(f"alt+{n}" for n in range(10))}
"""Keys that terminals and programs around this one keep, or send as others."""


def tmux_name(key: str) -> str:
    """Give what tmux calls a key."""
    return f"C-{key[-1]}" if key.startswith("ctrl+") else key.upper()


@pytest.mark.soak
def test_no_key_is_left_out_here() -> None:
    """If it fails, a key was bound that nobody tried in a terminal, or that never arrives there."""
    given = [*MAIN_KEYS, *APP_KEYS, *QuestionBox.BINDINGS]
    bound = {key for one in given if isinstance(one, Binding) for key in one.key.split(",")} - {
        "shift+enter"
    }  # which few terminals tell from Enter: Ctrl+J does the same
    assert bound == {*SCREENS, *ACTING}
    assert not bound & NEVER


@pytest.mark.soak
def test_every_screen_opens_without_a_model(home: Path, opened: Opener) -> None:
    """If it fails, a person who has no model meets a dead end or an error on some screen."""
    terminal = opened()
    terminal.type("a draft")
    for key, there in SCREENS.items():
        terminal.press(tmux_name(key))
        seen = terminal.sees(there)
        assert "error" not in seen.casefold()
        terminal.press("Escape")
        terminal.misses(there)
        terminal.sees("│  a draft")
    terminal.press("C-c")
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
    terminal.press("C-g")
    terminal.sees("these are the source's own words", "Read it whole")
    terminal.press("Escape")
    terminal.sees("Enter Send")
    (home.parent / "staff" / "new.md").write_text("# New\n\nThe gate is green.\n", encoding="utf-8")
    terminal.press("F5")
    terminal.sees("4 documents")
    terminal.press("BTab")
    terminal.misses("Enter Send")
    terminal.press("Tab")
    go_back(terminal)
    quit_program(terminal)


def _paste_many_lines(terminal: Terminal, server: ScriptedServer) -> None:
    """Paste two hundred lines: they are sent by Enter, all at once."""
    terminal.paste("\n".join(f"line {number}" for number in range(200)))
    terminal.sees("line 199")
    assert not server.requests
    terminal.press("Enter")
    terminal.sees("Taken.")
    assert all(f"line {number}" in server.requests[0].text() for number in range(200))


def _complete_a_command(terminal: Terminal) -> None:
    """Type the beginning of a command, complete it, run it, and come back."""
    terminal.type("/hel")
    terminal.sees("/help")
    terminal.press("Tab")
    terminal.sees("│  /help")
    terminal.press("Enter")
    terminal.sees("Anywhere")
    terminal.press("Escape")
    terminal.misses("Anywhere")


@pytest.mark.soak
def test_every_key_of_the_prompt_acts_on_what_is_written(home: Path, opened: Opener) -> None:
    """If it fails, a key of the help does nothing in a terminal, or costs what was written, or
    pasting a text asks two hundred questions."""
    pasted, first = Answer("Taken."), Answer("The first answer.")
    with ScriptedServer(pasted, first, Answer("Words.", then="stall")) as server:
        use_model(home, server)
        terminal = opened(VISUAL='sh -c \'printf "three" >> "$0"\'')
        _paste_many_lines(terminal, server)
        terminal.type("one")
        terminal.press("Home", "C-e", "C-k")  # they ask what is suggested where nothing is written
        terminal.press("C-j")
        terminal.type("two\\")
        terminal.press("Enter")
        terminal.press("F8")
        terminal.sees("one  ", "│  two", "│  three")
        assert len(server.requests) == 1
        terminal.press("C-c")
        terminal.sees("cleared")
        terminal.press("Up")
        terminal.sees("│  three")
        terminal.press("Enter")
        terminal.sees("The first answer.")
        terminal.press("Up")
        terminal.sees("│  three")
        terminal.press("Down")
        terminal.sees("Ask your documents")
        terminal.press("C-t")
        terminal.misses("What an answer cites")
        terminal.press("C-t")
        terminal.sees("What an answer cites")
        _complete_a_command(terminal)
        terminal.paste("/no/such/chart.png")
        terminal.sees("loop is not set up to see images", "chart.png")
        terminal.press("C-c")
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
