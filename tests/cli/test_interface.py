"""`rag-assistant FOLDER`: what is a folder, and what is a command."""

from pathlib import Path

import pytest

from rag_assistant.cli.parser import build_parser
from tests.cli.program import Program


@pytest.mark.parametrize("before", [[], ["--debug"], ["--home", "x"]])
def test_a_path_is_a_folder_to_open(tmp_path: Path, before: list[str]) -> None:
    """If it fails, the shortest way to begin is refused as an unknown command."""
    arguments = [*before, str(tmp_path)]
    options = build_parser(arguments).parse_args(arguments)
    assert (options.module, options.folder) == ("interface", str(tmp_path))


def test_a_folder_named_as_a_command_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a folder called search makes a command disappear."""
    (tmp_path / "search").mkdir()
    monkeypatch.chdir(tmp_path)
    options = build_parser(["search", "x"]).parse_args(["search", "x"])
    assert options.module == "search"
    options = build_parser(["./search"]).parse_args(["./search"])
    assert (options.module, options.folder) == ("interface", "./search")


def test_without_a_terminal_it_names_the_command(tmp_path: Path) -> None:
    """If it fails, a script that opens a folder hangs, or prints escape sequences."""
    done = Program(tmp_path / "home").run(str(tmp_path))
    assert done.code == 1
    assert f"rag-assistant index {tmp_path}" in done.err


def test_a_terminal_that_cannot_draw_is_shown_the_way_in_lines(tmp_path: Path) -> None:
    """If it fails, such a terminal is filled with the escape sequences of a screen."""
    done = Program(tmp_path / "home").run_in_terminal(term="dumb")
    assert done.code == 1
    assert "rag-assistant chat" in done.out
    assert "\x1b" not in done.out


def test_a_path_that_is_no_folder_is_one_line(tmp_path: Path) -> None:
    """If it fails, a slip in a path prints all commands instead of what is wrong."""
    done = Program(tmp_path / "home").run(str(tmp_path / "nowhere"))
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "There is no folder" in done.err


def test_a_misspelt_command_is_still_told(tmp_path: Path) -> None:
    """If it fails, a slip in a command is taken for a folder."""
    done = Program(tmp_path / "home").run("serch", "x")
    assert done.code == 2
    assert "there is no command 'serch'. Did you mean search?" in done.err


def test_a_file_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it fails, a file given as the folder prints the usage of all commands."""
    (tmp_path / "notes.md").write_text("One line.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    options = build_parser(["notes.md"]).parse_args(["notes.md"])
    assert (options.module, options.folder) == ("interface", "notes.md")
    done = Program(tmp_path / "home").run("notes.md")
    assert done.code == 1
    assert "is a file, not a folder" in done.err
    assert done.err.count("\n") == 1
