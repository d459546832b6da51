"""Leaving: what is kept is told, and nothing but that is deleted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.writing import writers_lock
from tests.cli.program import Program
from tests.conftest import write_files


@pytest.fixture
def program(tmp_path: Path) -> Program:
    write_files(tmp_path / "docs", {"a.md": "# Kettle\n\nIt is in the kitchen.\n"})
    program = Program(tmp_path / "home")
    Library(program.home).index(tmp_path / "docs", name="docs")
    program.run("ask", "Where is the kettle?")
    write_files(program.home, {"config.toml": "history = true\n", "models/m/model.onnx": "x" * 99})
    return program


def test_what_is_kept_is_told_and_stays_until_it_is_asked_for(program: Program) -> None:
    """A person would not learn where the text of their documents stays, or lose it by looking."""
    done = program.run("uninstall")
    assert f"In {program.home}" in done.out
    for said in ("docs.db", "conversations.db", "config.toml", "models", "your documents are none"):
        assert said in done.out
    assert "Nothing was deleted. To do it: rag-assistant uninstall --yes" in done.err
    assert "pip uninstall local-rag-assistant" in done.err
    assert (program.home / "docs.db").exists()


def test_yes_deletes_the_home_and_no_document(program: Program, tmp_path: Path) -> None:
    """Copies of a person's text would stay on the disk, or the documents themselves go."""
    assert program.run("uninstall", "--yes").code == 0
    assert not program.home.exists()
    assert (tmp_path / "docs" / "a.md").exists()
    assert "Nothing is kept in" in program.run("uninstall").out


def test_json_says_the_same_and_never_asks(program: Program) -> None:
    """A script would wait for an answer, or have nothing to read."""
    told = program.run("uninstall", "--json").json
    assert told["home"] == str(program.home)
    assert told["deleted"] is False
    databases = next(kept for kept in told["kept"] if kept["kind"] == "databases")
    assert databases["bytes"] > 1_000
    assert program.run("uninstall", "--json", "--yes").json["deleted"] is True


def test_at_a_terminal_no_is_no_and_yes_is_yes(program: Program) -> None:
    """Enter, pressed without reading, would delete everything."""
    assert "[y/N]" in program.run_in_terminal("uninstall", typed="\n").out
    assert (program.home / "docs.db").exists()
    assert "is deleted" in program.run_in_terminal("uninstall", typed="y\n").out
    assert not program.home.exists()


def test_a_folder_with_other_files_keeps_them(program: Program) -> None:
    """A home chosen among a person's own files would lose those that are named like ours."""
    home = program.home
    write_files(home, {"letter.txt": "mine", "images/cat.png": "mine", "persona.toml": "mine"})
    with closing(sqlite3.connect(home / "stamps.db")) as mine, mine:
        mine.execute("CREATE TABLE stamps (name)")
    done = program.run("uninstall", "--yes")
    assert "not of this program, and stays:" in done.out
    left = {path.name for path in home.iterdir()}
    assert left == {
        "letter.txt", "images", "persona.toml", "stamps.db", "config.toml", "models",
    }  # fmt: skip


def test_a_persona_beside_the_settings_keeps_nothing_else(program: Program) -> None:
    """One file of the person's own, where the settings want it, would keep all of the rest."""
    write_files(program.home, {"persona.toml": "mine"})
    program.run("uninstall", "--yes")
    assert [path.name for path in program.home.iterdir()] == ["persona.toml"]


def test_nothing_is_deleted_while_a_database_is_written(program: Program) -> None:
    """An indexer would go on into files that are gone."""
    with writers_lock(program.home / "docs.db"):
        done = program.run("uninstall", "--yes")
    assert done.code == 1
    assert "is being changed by another process" in done.err
    assert (program.home / "docs.db").exists()


def test_keys_in_the_keyring_are_forgotten(program: Program, tmp_path: Path) -> None:
    """A key would stay in the keyring that nothing names any more."""
    settings = '[models.far]\nmodel = "m"\nbase_url = "https://api.example.org/v1"\n'
    write_files(program.home, {"config.toml": settings})
    keys = tmp_path / "keys.json"
    keyring = {"PYTHON_KEYRING_BACKEND": "tests.egress.file_keyring.FileKeyring"}
    keyring["TESTS_KEYRING"] = str(keys)
    program.run("model", "key", "far", stdin="sk-abc\n", **keyring)
    assert "sk-abc" in keys.read_text()
    done = program.run("uninstall", "--yes", **keyring)
    assert "the keys of api.example.org" in done.out
    assert "sk-abc" not in keys.read_text()
    assert not program.home.exists()
