"""Output in an encoding that lacks what documents say: a pipe of Windows, or PYTHONIOENCODING."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import COMMAND
from tests.conftest import write_files

TEXT = "# 牡丹 notes\n\nThe peony — 牡丹 🌸 — costs “12 €” in May… and no more.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    write_files(folder, {"peony.md": TEXT})
    Library(tmp_path / "home").index(folder)
    return tmp_path / "home"


def run(home: Path, encoding: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, "RAG_ASSISTANT_HOME": str(home), "PYTHONIOENCODING": encoding}
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, env=environment, timeout=60, check=False
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "shift_jis"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "牡丹"),
        ("get", "1"),
        ("ask", "What does the peony cost?"),
        ("databases", "info", "docs"),
    ],
)
def test_no_command_ends_in_an_internal_error(
    home: Path, encoding: str, arguments: tuple[str, ...]
) -> None:
    """Any Chinese or emoji hit would end a command on Windows whose output goes to a file."""
    done = run(home, encoding, *arguments)
    assert done.returncode == 0, done.stderr
    assert b"Internal error" not in done.stderr
    done.stdout.decode(encoding)
    done.stderr.decode(encoding)


def test_what_is_missing_is_written_readably_and_said(home: Path) -> None:
    """A person would read question marks, and not learn how to have the characters."""
    done = run(home, "cp1252", "get", "1")
    text = done.stdout.decode("cp1252")
    assert "\\u7261\\u4e39 notes" in text
    assert "costs “12 €” in May… and" in text, "what the encoding has stays"
    assert "\\U0001f338" in text
    assert b"Set PYTHONIOENCODING=utf-8" in done.stderr
    plain = run(home, "ascii", "get", "1").stdout.decode("ascii")
    assert 'costs "12 \\u20ac" in May... and' in plain


def test_all_is_said_as_it_is_where_it_can_be(home: Path) -> None:
    """Terminals of today would be given escapes, or a note about nothing."""
    done = run(home, "utf-8", "get", "1")
    assert "牡丹 🌸" in done.stdout.decode("utf-8")
    assert b"PYTHONIOENCODING" not in done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_json_holds_every_character(home: Path, encoding: str) -> None:
    """A program that reads --json would find half a character, or bytes that are no UTF-8."""
    done = run(home, encoding, "get", "1", "--json")
    assert "牡丹 🌸 — costs “12 €”" in json.loads(done.stdout)["text"]


def test_what_the_person_chose_is_kept(home: Path) -> None:
    """PYTHONIOENCODING may say itself what is to become of such characters."""
    done = run(home, "ascii:replace", "get", "1")
    assert "?? notes" in done.stdout.decode("ascii")
