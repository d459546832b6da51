"""What commands print: drawn in a terminal, plain everywhere else."""

import re
import sqlite3
import subprocess
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from rag_assistant.cli.drawn import has_links, wrapped
from rag_assistant.cli.drawn_markdown import markdown_lines
from rag_assistant.cli.ledger_words import cause_and_mend
from tests.cli.program import COMMAND, Program

SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LINK = re.compile(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\")

LONG = "The boiler is serviced every year by somebody who knows how that is done. " * 3


@pytest.fixture
def program(tmp_path: Path) -> Program:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "boiler.md").write_text(f"# Boiler\n\n{LONG}\n", encoding="utf-8")
    made = Program(tmp_path / "home")
    assert made.run("index", str(folder)).code == 0
    return made


def lines(shown: str) -> list[str]:
    return SEQUENCE.sub("", LINK.sub("", shown)).splitlines()


def test_a_terminal_gets_whole_words_titles_and_colours(program: Program) -> None:
    """If it fails, words are cut at the edge, or a title looks like the rest."""
    shown = program.run_in_terminal("search", "boiler").out
    assert "\x1b[1mBoiler\x1b[0m" in shown
    assert all(cell_len(line) <= 80 for line in lines(shown)), shown
    assert " ".join(" ".join(lines(shown)).split()).count("somebody who knows how") >= 1


def test_a_pipe_gets_the_same_words_plain(program: Program) -> None:
    """If it fails, scripts that read the output break with each terminal."""
    piped = program.run("search", "boiler")
    assert "\x1b" not in piped.out
    assert piped.out.splitlines()[0] == "1. Boiler  [notes 1]"
    forced = program.run("search", "boiler", COLUMNS="20", FORCE_HYPERLINK="1", TERM="xterm")
    assert forced.out == piped.out


@pytest.mark.parametrize("arguments", [("--plain", "search"), ("search", "--plain")])
def test_plain_draws_nothing_on_a_terminal(program: Program, arguments: tuple[str, ...]) -> None:
    """If it fails, --plain is colours for somebody who cannot see them."""
    shown = program.run_in_terminal(*arguments, "boiler").out
    assert "\x1b" not in shown
    assert shown.replace("\r\n", "\n") == program.run("search", "boiler").out


def test_no_color_leaves_titles_bold(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it fails, NO_COLOR is not honoured, or takes what tells titles from the rest."""
    monkeypatch.setenv("NO_COLOR", "1")
    shown = program.run_in_terminal("doctor").out
    assert "\x1b[1mprogram\x1b[0m" in shown
    assert not re.search(r"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7])(?:;\d+)*m", shown), shown


def test_links_lead_to_files_of_the_folder_alone(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a click opens what a document names, or a name steers the terminal."""
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    shown = program.run_in_terminal("search", "boiler").out
    boiler = (tmp_path / "notes" / "boiler.md").as_uri()
    assert [found for found in LINK.findall(shown) if found] == [boiler]
    (tmp_path / "secret.md").write_text("x", encoding="utf-8")
    with sqlite3.connect(program.home / "notes.db") as database:
        database.execute("UPDATE files SET path = '../secret.md'")
    shown = program.run_in_terminal("search", "boiler").out
    assert "../secret.md" in shown
    assert not [found for found in LINK.findall(shown) if found]


def test_file_names_do_not_steer_the_terminal(program: Program, tmp_path: Path) -> None:
    """If it fails, a file's name ends a link, or writes the title of the window."""
    name = "evil\x1b]0;gone\x07\x1b]8;;mailto:evil\x1b\\.md"
    (tmp_path / "notes" / name).write_text("# Pump\n\nThe pump is blue.\n", encoding="utf-8")
    shown = program.run_in_terminal("index", str(tmp_path / "notes")).out
    shown += program.run_in_terminal("search", "pump").out
    assert "mailto:evil" in shown
    assert "\x1b]" not in shown


def test_links_are_for_terminals_that_have_them() -> None:
    """If it fails, others print what belongs to the link, or open a file of another machine."""
    assert has_links({"TERM_PROGRAM": "WezTerm"})
    assert has_links({"VTE_VERSION": "7200"})
    assert not has_links({"VTE_VERSION": "4800"})
    assert not has_links({"TERM": "xterm-256color"})
    assert not has_links({"TERM_PROGRAM": "WezTerm", "SSH_CONNECTION": "1"})
    assert not has_links({"KITTY_WINDOW_ID": "1", "TMUX": "/tmp/tmux"})
    assert not has_links({"KITTY_WINDOW_ID": "1", "FORCE_HYPERLINK": "0"})


def test_failures_are_grouped_with_what_mends_them(program: Program, tmp_path: Path) -> None:
    """If it fails, the same reason is read once for each file."""
    for name in ("a.pdf", "b.pdf", "c.pdf", "d.pdf"):
        (tmp_path / "notes" / name).write_bytes(b"%PDF-1.7 broken")
    told = lines(program.run_in_terminal("index", str(tmp_path / "notes")).out)
    start = told.index("  4 failed: broken PDF: data format error")
    assert told[start + 1] == "    → Open it and save it anew."
    assert told[start + 2] == "    a.pdf, b.pdf, c.pdf and 1 more"
    assert sum("Open it and save it anew" in line for line in told) == 1


def test_an_error_has_its_step_on_a_line_of_its_own(program: Program) -> None:
    """If it fails, the next step is lost at the end of a long line."""
    told = lines(program.run_in_terminal("search", "x", "-d", "nothing").out)
    assert told[0].startswith("rag-assistant: ")
    assert told[1].startswith("  → ")


def test_databases_are_a_table_within_the_width(program: Program) -> None:
    """If it fails, rows break where the terminal ends."""
    told = lines(program.run_in_terminal("databases").out)
    assert told[0].split() == ["database", "entries", "state", "folder"]
    assert told[1].split()[:3] == ["notes", "1", "ready"]
    assert all(cell_len(line) <= 80 for line in told)


def test_a_quote_is_printed_once(program: Program, tmp_path: Path) -> None:
    """If it fails, an answer is read twice over."""
    (tmp_path / "notes" / "pump.md").write_text(
        "# Pump\n\n| What | When |\n|---|---|\n| The pump is oiled | every third Monday |\n",
        encoding="utf-8",
    )
    program.run("index", str(tmp_path / "notes"))
    for question in ("When is the pump oiled?", "Who services the boiler?"):
        shown = " ".join(" ".join(lines(program.run_in_terminal("ask", question).out)).split())
        assert "Sources [1]" in shown
        assert not re.search(r"(every third Monday|serviced every year).*Sources.*\1", shown)
        assert "“" not in shown.partition("Sources")[2]


def test_a_pipe_without_the_characters_gets_ascii(program: Program) -> None:
    """If it fails, a pipe on Windows ends a command at the first dash."""
    for arguments in (("ask", "boiler serviced?"), ("databases",), ("doctor",), ("history",)):
        done = subprocess.run(
            [*COMMAND, *arguments], env=program.environment(PYTHONIOENCODING="cp1252"),
            capture_output=True, encoding="cp1252", timeout=60, check=True,
        )  # fmt: skip
        assert "Internal error" not in done.stderr


def test_reasons_are_parted_from_what_mends_them() -> None:
    """If it fails, a reason is cut at a full stop within it."""
    assert cause_and_mend("broken PDF. Save it anew.") == ("broken PDF", "Save it anew.")
    assert cause_and_mend("no loader for .bin files") == ("no loader for .bin files", "")
    assert cause_and_mend("table of 3.5 MB is too long") == ("table of 3.5 MB is too long", "")


def test_long_words_stay_whole_and_writing_without_blanks_breaks() -> None:
    """If it fails, a path or a command cannot be copied, or Chinese runs over the edge."""
    path = "/a/very/long/path/that/is/longer/than/the/line.md"
    laid = [line.plain for line in wrapped(Text(f"in {path} it is"), 20)]
    assert laid == ["in", path, "it is"]
    chinese = "这是一个没有空格的很长的句子需要换行才能读"
    assert all(cell_len(line.plain) <= 20 for line in wrapped(Text(chinese), 20))


def test_no_character_of_an_answer_is_lost() -> None:
    """If it fails, HTML, cells beyond the heads, or addresses are not shown."""
    text = "a<br>b\n\n<div>x</div>\n\n[1]: http://evil\n\n| a |\n|---|\n| one | two |\n\n[w](b.md)"
    shown = "\n".join(line.plain for line in markdown_lines(text, Console(width=60)))
    for part in ("a<br>b", "<div>x</div>", "[1]: http://evil", "two", "w (b.md)"):
        assert part in shown
