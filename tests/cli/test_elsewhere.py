"""`index --store`, `connect` and the others, with a database on a cluster."""

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.conftest import write_files
from tests.store.opensearch.cluster import addresses


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program with a home of its own."""
    return Program(tmp_path / "home")


def test_the_commands_of_the_page(program: Program, tmp_path: Path) -> None:
    """What docs/cluster.md says to type would do something else, or nothing."""
    write_files(tmp_path / "handbook", {"leave.md": "# Leave\n\nParental leave is ten weeks.\n"})
    urls, name = addresses(), f"team{tmp_path.name[-8:]}".lower().replace("_", "")
    indexed = program.run("index", str(tmp_path / "handbook"), "--store", urls[0], "--name", name)
    assert indexed.code == 0, indexed.err
    other = Program(tmp_path / "other-home")
    assert other.run("connect", urls[0], name).code == 0
    hits = other.run("search", "parental leave", "-d", name, "--json").json["hits"]
    assert [hit["path"] for hit in hits] == ["leave.md"]
    assert urls[0] in other.run("databases", "info", name).out
    answer = other.run("ask", "How long is parental leave?", "-d", name, "--json").json
    assert answer["citations"][0]["verified"]
    assert "Parental" in other.run("get", str(hits[0]["id"]), "-d", name).out
    again = other.run("connect", urls[0], name)
    assert again.code == 1
    assert "already" in again.err
    assert other.run("connect", "nowhere", "x").code == 1
    copied = other.run("databases", "copy", name, "--to", "here", "--as", "mine", "--json").json
    assert (copied["copied"], copied["entries"]) == (1, 1)
    told = other.run("databases", "copy", name, "--to", "here", "--as", "mine")
    said = "mine: 1 entry with the same ids; files copied: 0, there already: 1. Verified"
    assert said in told.err
    assert other.run("databases", "remove", name).code == 0
    assert program.run("databases", "remove", name).code == 0
    assert "no database" in other.run("connect", urls[0], name).err


def test_one_that_cannot_be_had_leaves_nothing_behind(program: Program, tmp_path: Path) -> None:
    """A list would show a database for ever that was never made."""
    write_files(tmp_path / "handbook", {"leave.md": "Ten weeks.\n"})
    told = program.run("index", str(tmp_path / "handbook"), "--store", "http://127.0.0.1:9")
    assert told.code == 1
    assert "cannot be reached" in told.err
    known = program.run(
        "index", str(tmp_path / "handbook"), "--store", "https://me:word@search.example"
    )
    assert "A password in an address would be shown" in known.err
    far = program.run("index", str(tmp_path / "handbook"), "--store", "https://search.example")
    assert far.code == 1
    assert "search.example" in far.err
    assert program.run("databases", "--json").json["databases"] == []
