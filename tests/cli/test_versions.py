"""`rag-assistant search` and `get` where there are several versions of a document."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import Program
from tests.conftest import settle, write_files

PLAN = "".join(
    f"Berth {n} of the harbour is dredged by crew {n} each spring.\n\n" for n in range(9)
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program whose home holds a plan and its draft."""
    files = {"plan.md": f"# Plan\n\n{PLAN}", "plan-draft.md": f"# Plan\n\n{PLAN}Not yet agreed.\n"}
    program = Program(tmp_path / "home")
    Library(program.home).index(settle_in(tmp_path / "works", files))
    return program


def settle_in(folder: Path, files: dict[str, str]) -> Path:
    """Write files that count as old."""
    settle(write_files(folder, files))
    return folder


def test_a_search_names_the_other_versions(program: Program) -> None:
    """Nobody would learn that there is a draft beside what was found."""
    lines = program.run("search", "berth dredged").out.splitlines()
    also = [line.strip() for line in lines if "also:" in line]
    assert len(also) == 1
    assert also[0].startswith("also: older version plan-draft.md (id ")
    assert also[0].endswith("), by the state in its name")


def test_json_has_the_versions(program: Program) -> None:
    """A script could not tell a draft from what holds."""
    (hit,) = program.run("search", "berth dredged", "--json").json["hits"]
    (version,) = hit["versions"]
    assert (version["relation"], version["path"]) == ("older", "plan-draft.md")
    got = program.run("get", str(version["id"]), "-d", "works", "--json").json
    assert [one["path"] for one in got["versions"]] == ["plan.md"]
    assert got["versions"][0]["relation"] == "newer"
