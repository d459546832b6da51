"""Small, colourless and old terminals: everything is there, and can be told apart."""

import re
from functools import partial
from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import Opener, go_back, quit_program, use_model
from tests.terminal.terminal import Terminal, style_of

SIZES = [(80, 24), (60, 18), (38, 9), (60, 18), (80, 24), (140, 40)]
MARKED = re.compile(r"\x1b\[(?:4|7|48;5;2[45]\d)m")
"""Underlined, reversed, or drawn on light grey, which is what Textual makes of reversed."""

GREYS = {0, 7, 8, 15, 16, 59, 102, 145, 188, *range(231, 256)}
"""The colours of the 256 that have none."""


def _is_drawn_for(terminal: Terminal, width: int) -> bool:
    """Whether the frame of the question's box ends at the right edge."""
    return any(len(line) == width and line.endswith("╮") for line in terminal.text().splitlines())


@pytest.mark.soak
def test_resizing_while_an_answer_streams_keeps_everything(home: Path, opened: Opener) -> None:
    """If it fails, a narrower window costs the draft, the answer or the program."""
    with ScriptedServer(Answer("The partial words.", then="stall")) as server:
        use_model(home, server)
        # A shell that exports its size exports the one it had when the program began.
        terminal = opened(COLUMNS="140", LINES="40")
        terminal.enter("A long question?")
        terminal.sees("The partial words.")
        terminal.type("a draft")
        for width, height in SIZES:
            terminal.resize(width, height)
            if width < 40:
                terminal.sees(f"{width}×{height}")
            else:
                drawn = partial(_is_drawn_for, terminal, width)
                terminal.until(drawn, f"the width {width}")
                seen = terminal.sees("The partial words.", "│  a draft")
                assert "Traceback" not in seen
            assert terminal.told("#{pane_width}x#{pane_height}") == f"{width}x{height}"
        terminal.type(" goes on")
        terminal.sees("│  a draft goes on")
        quit_program(terminal)


@pytest.mark.soak
def test_without_colour_everything_is_told_by_text_or_reverse(home: Path, opened: Opener) -> None:
    """If it fails, who sees no colours does not see what is chosen, ticked, cited or marked."""
    (home / "config.toml").write_text("mouse = false\n", encoding="utf-8")
    terminal = opened(NO_COLOR="1")
    assert terminal.told("#{mouse_any_flag}") == "0", "the terminal's own selection works"
    terminal.enter("What does the parking permit cost?")
    terminal.sees("[1]", "1 cited", "✓ quote found")
    terminal.press("C-g")
    quote = "The parking permit costs 40 euro a month and is paid"
    terminal.sees(quote)
    assert MARKED.search(style_of(terminal.styled(), quote))
    assert not MARKED.search(style_of(terminal.styled(), "source's own words"))
    used = re.findall(r"[34]8;5;(\d+)", terminal.styled())
    assert {int(colour) for colour in used} <= GREYS
    go_back(terminal)
    terminal.press("F4")
    terminal.sees("❯ staff")
    go_back(terminal)
    terminal.press("C-l")
    terminal.sees("[x] staff", "[x] leave.md", "3 of 3 documents")
    for _ in range(2):  # from the filter to the database, and to its first file
        terminal.press("Down")
    terminal.press("Space")
    seen = terminal.sees("[-] staff", "[ ] leave.md", "[x] parking.md", "2 of 3 documents")
    (chosen,) = (line for line in seen.splitlines() if "❯" in line)
    assert "leave.md" in chosen
    terminal.press("n")
    terminal.sees("[ ] staff", "[ ] parking.md", "Nothing is chosen yet.")
    go_back(terminal)
    quit_program(terminal)


@pytest.mark.soak
def test_the_mouse_is_left_to_the_terminal_where_it_is_switched_off(
    home: Path, opened: Opener
) -> None:
    """If it fails, words cannot be selected as in every other program of the terminal."""
    for said, taken in (("true", "1"), ("false", "0")):
        (home / "config.toml").write_text(f"mouse = {said}\n", encoding="utf-8")
        terminal = opened()
        assert terminal.told("#{mouse_any_flag}") == taken
        quit_program(terminal)


@pytest.mark.soak
def test_ascii_on_a_terminal_of_sixteen_colours(opened: Opener) -> None:
    """If it fails, an old terminal shows question marks for frames, or columns that jump."""
    terminal = opened("--ascii", term="xterm")
    terminal.enter("What does the parking permit cost?")
    terminal.sees("1 cited")
    for key, there in (("", "1 cited"), ("C-p", "what do you want to do?"), ("F1", "Anywhere")):
        if key:
            terminal.press(key)
        seen = terminal.sees(there)
        assert seen.isascii(), [character for character in seen if not character.isascii()]
        if key:
            terminal.press("Escape")
            terminal.misses(there)
    assert "38;" not in terminal.styled()
    quit_program(terminal)
