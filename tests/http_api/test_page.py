"""docs/http.md: every command and every example runs as it stands, and its table is whole."""

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_api import serving
from tests.conftest import HANDBOOK, write_files
from tests.docs.pages import DOCS, blocks, of_program
from tests.http_api.conftest import Running


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program with the database `notes`."""
    made = Program(tmp_path / "home")
    notes = write_files(tmp_path / "notes", HANDBOOK)
    assert made.run("index", str(notes)).code == 0
    return made


def test_every_command_runs(program: Program) -> None:
    """A person would be told of an option that is not there."""
    tried = [list(one.words[1:]) for one in of_program(DOCS / "http.md")]
    assert len(tried) > 6
    for words in tried:
        if words[:2] in (["api", "--port"], ["api", "--origin"]):
            more = words[1:] if "--origin" in words else []
            with serving(program, *more) as (_, address, token):
                assert address.startswith("http://127.0.0.1:")
                assert token.startswith("default.")
            continue
        outcome = program.run(*words)
        assert outcome.code == 0, (words, outcome.err)


def test_every_example_runs(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who copies an example would get an error, or not what it says."""
    examples = blocks(DOCS / "http.md", "python")
    assert len(examples) == 2
    with serving(program) as (_, address, token):
        monkeypatch.setenv("RAG_API", address)
        monkeypatch.setenv("RAG_TOKEN", token)
        for example in examples:
            said = io.StringIO()
            with redirect_stdout(said):
                exec(compile(example, "docs/http.md", "exec"), {"__name__": "__main__"})
            assert "sixteen weeks" in said.getvalue()
            assert "leave/parental.md" in said.getvalue()


async def test_every_operation_is_in_the_table(api: Running) -> None:
    """An operation would be there that no page tells of."""
    page = (DOCS / "http.md").read_text(encoding="utf-8")
    for path in (await api.get("/openapi.json")).json()["paths"]:
        written = path.replace("{database}", "NAME").replace("/{id}", "/ID")
        assert written.removesuffix("/ID") in page if "models" in path else written in page
