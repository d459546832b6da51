"""F8 hands the terminal to the person's editor and takes it back with the text."""

import threading
from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_replies import Answer, Call
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.terminal.conftest import Opener, quit_program, use_model


def editor(folder: Path, script: str) -> str:
    """Write an editor: a program that is given a file."""
    path = folder / "my-editor"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.soak
def test_the_draft_is_edited_in_the_editor_and_comes_back(opened: Opener, tmp_path: Path) -> None:
    """A long question could only be written in a small box, or would be lost on the way."""
    script = 'cat "$1"; printf "  <- the draft. "; read -r more; printf " %s\\n" "$more" >> "$1"'
    terminal = opened(VISUAL=editor(tmp_path, script))
    terminal.type("How many days")
    terminal.sees("How many days")
    terminal.press("F8")
    shown = terminal.sees("How many days  <- the draft.")
    assert "Ask your documents" not in shown
    terminal.enter("may be carried over?")
    terminal.sees("staff", "How many days may be carried over?")
    terminal.press("C-c")
    terminal.misses("may be carried over?")
    terminal.press("Up")
    terminal.sees("How many days may be carried over?")
    terminal.press("C-c")
    quit_program(terminal)


@pytest.mark.soak
def test_an_editor_that_fails_changes_nothing(opened: Opener, tmp_path: Path) -> None:
    """A question would be gone because the editor was left by :cq, or could not start."""
    terminal = opened(EDITOR=editor(tmp_path, 'echo spoilt > "$1"; exit 3'), VISUAL="")
    terminal.type("How many days")
    terminal.sees("How many days")
    terminal.press("F8")
    terminal.sees("my-editor ended with code 3. The draft is as it was.", "How many days")
    (tmp_path / "my-editor").write_text("#!/no/such/program\n", encoding="utf-8")
    terminal.press("F8")
    terminal.sees("cannot be started", "How many days")
    (tmp_path / "my-editor").write_text('#!/bin/sh\nrm "$1"\n', encoding="utf-8")
    terminal.press("F8")
    terminal.sees("The draft could not be edited: No such file", "How many days")
    (tmp_path / "my-editor").unlink()
    terminal.press("F8")
    terminal.sees("There is no editor. Set VISUAL or EDITOR", "How many days")


@pytest.mark.soak
def test_ctrl_c_in_the_editor_ends_no_more_than_that(opened: Opener, tmp_path: Path) -> None:
    """Ctrl+C in an editor would end the program behind it."""
    script = (
        'trap "echo caught >> \\"$1\\"; exit 0" INT; echo waiting; while :; do sleep 0.05; done'
    )
    terminal = opened(VISUAL=editor(tmp_path, script))
    terminal.press("F8")
    terminal.sees("waiting")
    terminal.press("C-c")
    terminal.sees("staff", "caught")


@pytest.mark.soak
def test_an_answer_goes_on_while_the_editor_is_open(
    opened: Opener, home: Path, tmp_path: Path
) -> None:
    """An answer would stand still, break off, or be drawn over the editor."""
    may_go_on = threading.Event()

    def search(_: SeenRequest) -> Answer:
        may_go_on.wait(20)
        return Answer(calls=(Call("query_staff", '{"keywords": "leave"}'),))

    with ScriptedServer(search, Answer("Said meanwhile.")) as server:
        use_model(home, server)
        terminal = opened(VISUAL=editor(tmp_path, "printf 'my own screen '; read -r line"))
        terminal.enter("What is said?")
        terminal.until(lambda: len(server.requests) == 1, "the first request")
        terminal.press("F8")
        terminal.sees("my own screen")
        may_go_on.set()
        terminal.until(lambda: len(server.requests) > 1, "the next step of the answer")
        seen = terminal.text()
        assert seen.strip().endswith("my own screen"), seen
        terminal.press("Enter")
        terminal.sees("Said meanwhile.")
        quit_program(terminal)


@pytest.mark.soak
def test_a_source_opens_in_the_editor_at_its_line_and_comes_back(
    opened: Opener, tmp_path: Path
) -> None:
    """The reader's `o` would freeze the program, or leave the terminal to nobody."""
    script = 'echo "opened $1"; tail -n 1 "$2"; read -r line'
    terminal = opened(VISUAL=editor(tmp_path, script))
    terminal.press("C-f")
    terminal.sees("Type to search")
    terminal.type("parking permit")
    terminal.sees("40 euro")
    terminal.press("Enter")
    terminal.sees("Outline", "staff · 100 %")  # all of it is in view
    terminal.press("o")
    shown = terminal.sees("opened +3", "The parking permit costs 40 euro")
    assert "Outline" not in shown
    terminal.press("Enter")
    terminal.sees("back from parking.md", "Outline")
    (tmp_path / "my-editor").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    terminal.press("o")
    terminal.sees("my-editor ended with code 3", "Outline")
    (tmp_path / "my-editor").write_text("#!/no/such/program\n", encoding="utf-8")
    terminal.press("o")
    terminal.sees("cannot be started", "Outline")
