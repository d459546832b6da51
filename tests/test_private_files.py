"""What is kept of a person's documents is nobody else's, from the moment it is made."""

import os
import stat
from pathlib import Path

import pytest

from rag_assistant.files.private_files import (
    close_to_others,
    may_be_written_by_others,
    open_to_others,
    private_file,
    private_folder,
    write_private,
)
from tests.cli.program import Program
from tests.conftest import write_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX systems")


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o777])
def umask(request: pytest.FixtureRequest) -> object:
    """Makes files under some umask."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_files_are_made_for_their_owner_alone(umask: int, tmp_path: Path) -> None:
    """Another user would read a text between its making and its mending."""
    if umask == 0o777:
        pytest.skip("nothing can be made at all where the owner may not")
    folder = private_folder(tmp_path / "a" / "b")
    write_private(folder / "text.txt", "mine")
    assert rights(private_file(folder / "x.db")) == rights(folder / "text.txt") == 0o600
    assert rights(folder) == rights(tmp_path / "a") == 0o700


@pytest.mark.soak
def test_everything_that_a_person_makes_is_private(tmp_path: Path) -> None:
    """The text of a private document would lie open in the index, a run or a conversation."""
    before = os.umask(0o000)
    try:
        folder = tmp_path / "notes"
        write_files(folder, {"a.md": "# A\n\nThe crane fee is forty euros.\n"})
        asked = tmp_path / "asked.jsonl"
        asked.write_text('{"question": "What is the crane fee?"}\n', encoding="utf-8")
        program = Program(tmp_path / "home")
        assert program.run("index", str(folder)).code == 0
        assert program.run("ask", "What is the crane fee?").code == 0
        assert program.run("eval", str(asked), "-d", "notes").code == 0
    finally:
        os.umask(before)
    home = tmp_path / "home"
    assert rights(home) == 0o700
    made = [path for path in home.rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert {"notes.db", "conversations.db", "outcomes.jsonl"} <= {path.name for path in made}
    assert [path for path in made if rights(path) != 0o600] == []


@pytest.mark.soak
def test_an_old_home_is_mended_and_that_is_told(tmp_path: Path) -> None:
    """Homes of before would stay open to everybody."""
    program = Program(tmp_path / "home")
    write_files(tmp_path / "notes", {"a.md": "# A\n\nThe crane fee is forty euros.\n"})
    program.run("index", str(tmp_path / "notes"))
    home = tmp_path / "home"
    for path in (home, home / "notes.db"):
        path.chmod(0o755)
    told = program.run("search", "crane")
    assert "Other users of this machine could read 1 file in" in told.err
    assert (rights(home), rights(home / "notes.db")) == (0o700, 0o700)
    assert "Other users" not in program.run("search", "crane").err


def test_a_folder_with_more_than_ours_keeps_its_rights(tmp_path: Path) -> None:
    """A person's own folder would be closed to those who share it, and their files with it."""
    home = tmp_path / "shared"
    write_files(home, {"package.json": "{}", "a.db": "x", "readme.md": "# Ours"})
    home.chmod(0o755)
    assert open_to_others(home) == [home / "a.db"]
    assert close_to_others(open_to_others(home)) == []
    assert rights(home) == 0o755 and rights(home / "package.json") != 0o600


def test_doctor_warns_of_settings_that_others_may_write(tmp_path: Path) -> None:
    """Another user could name a program that starts with the assistant."""
    home = private_folder(tmp_path / "home")
    (home / "config.toml").write_text("", encoding="utf-8")
    (home / "config.toml").chmod(0o666)
    assert may_be_written_by_others(home / "config.toml")
    assert "other users of this machine may change" in Program(home).run("doctor").out
    (home / "config.toml").chmod(0o600)
    assert "may change" not in Program(home).run("doctor").out
