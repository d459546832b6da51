"""`chat` in a real terminal: answers as they come, Ctrl-C, what was typed before, leaving."""

from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_replies import Answer, Script
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.terminal.conftest import START, Opener, use_model
from tests.terminal.terminal import PROMPT, Terminal, style_of

PARKING = "What does the parking permit cost?"


def chat(shell: Opener, *options: str, **more: object) -> Terminal:
    """Start it, and wait until it asks."""
    terminal = shell(size=(80, 40), **more)
    terminal.enter(" ".join([START, *options]))
    terminal.until(lambda: terminal.text().rstrip().endswith("\n>"), "what asks for a line")
    return terminal


def test_a_conversation_is_led_kept_and_gone_on_with(shell: Opener, home: Path) -> None:
    """If it fails, a terminal without a screen has no conversations, or loses them."""
    terminal = chat(shell, "chat")
    terminal.sees("staff · extractive", "/help")
    terminal.enter(PARKING)
    terminal.sees("40 euro a month", "Sources", "[1] Parking", "Conversation 1.")
    terminal.enter("/1")
    terminal.sees("Parking (parking.md · line")
    assert "# Parking" not in terminal.text(), "the Markdown of a source is laid out"
    terminal.enter("/search permit")
    terminal.sees("1. What does the parking permit cost?")
    terminal.press("Up", "Up", "Up")
    terminal.sees(f"> {PARKING}")  # readline holds it
    terminal.press("C-u")
    terminal.enter("exit")
    terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")
    terminal.enter(f"clear; {START} chat --continue last")
    terminal.sees(f"1. {PARKING}", "40 euro a month")
    terminal.press("Up")
    terminal.sees(f"> {PARKING}")
    terminal.press("C-u", "C-d")
    terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")


def test_ctrl_c_stops_an_answer_and_not_the_program(shell: Opener, home: Path) -> None:
    """If it fails, a person loses the conversation, or waits for an answer nobody wants."""

    def answer(request: SeenRequest) -> Script:
        if "broke off" in request.text():
            return Answer("And this is the rest.")
        return Answer("It begins **well**, and then ", "it goes on.\n\nMore ", then="stall")

    with ScriptedServer(answer) as server:
        use_model(home, server)
        terminal = chat(shell, "chat")
        terminal.enter("Tell me everything.")
        terminal.sees("It begins well, and then it goes on.", "More")
        terminal.press("C-c")
        terminal.sees("Stopped; what was written is kept.")
        assert "\x1b[1m" in style_of(terminal.styled(), "well")
        terminal.enter("/continue")
        terminal.sees("And this is the rest.", "Conversation 1.")
        terminal.until(lambda: terminal.text().rstrip().endswith("\n>"), "what asks for a line")
        terminal.press("C-c")
        terminal.sees("Ctrl-C again")
        terminal.press("C-c")
        terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")


def test_what_streams_is_shown_once_and_wrapped(shell: Opener, home: Path) -> None:
    """If it fails, blocks that were drawn anew stand there twice, or words are cut in two."""
    words = " ".join(f"word{number}" for number in range(60))
    table = "| a | b |\n|---|---|\n| one | two |\n"
    pieces = [f"{piece} " for piece in words.split()]
    with ScriptedServer(lambda _: Answer("# Head\n\n", *pieces, "\n\n", table, "\nThe end.")) as it:
        use_model(home, it)
        terminal = chat(shell, "chat")
        terminal.enter("Say it.")
        seen = terminal.sees("The end.", "Conversation 1.").partition("! Not confirmed")[0]
    for number in range(60):
        assert seen.split().count(f"word{number}") == 1, seen
    assert seen.count("Head") == 1
    assert "# Head" not in seen
    assert "one  two" in seen
    assert "|" not in seen


def test_slash_commands_are_those_of_the_interface(shell: Opener) -> None:
    """If it fails, a person who knows the interface finds other words here."""
    terminal = chat(shell, "chat")
    terminal.enter("/databasse")
    terminal.sees("There is no command /databasse.", "Did you mean /databases?")
    terminal.enter("/add")
    terminal.sees("/add needs a folder.")
    terminal.enter("/databases")
    terminal.sees("[x] staff")
    terminal.enter("/scope parking")
    terminal.sees("staff: 1 document")
    terminal.enter("/every\t")
    terminal.sees("/everything")
    terminal.press("Enter")
    terminal.sees("All documents are asked.")
    terminal.enter("/quit")
    terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")


@pytest.mark.parametrize("options", [("--plain",), ("chat", "--plain")])
def test_plain_is_read_in_order(shell: Opener, home: Path, options: tuple[str, ...]) -> None:
    """If it fails, a screen reader is read colours, frames, or lines that were drawn over."""
    with ScriptedServer(lambda _: Answer("# Head\n\n", "It is ", "so.\n")) as server:
        use_model(home, server)
        terminal = shell(size=(80, 40))
        terminal.enter(f"script -qc '{START} {' '.join(options)}' {home}/all")
        terminal.until(lambda: terminal.text().rstrip().endswith("\n>"), "what asks for a line")
        terminal.enter("Say it.")
        terminal.sees("# Head", "It is so.", "Conversation 1.")
        terminal.enter("exit")
        terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")
    written = (home / "all").read_text()
    for mode in ("\x1b[?2004h", "\x1b[?2004l"):  # readline's own: what is pasted is no typing
        written = written.replace(mode, "")
    assert "\x1b" not in written
