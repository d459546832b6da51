"""What models are told of a database, at the command line."""

from pathlib import Path

from tests.cli.program import Program


def test_a_note_is_shown_kept_and_taken_back(tmp_path: Path, handbook: Path) -> None:
    """A person could neither see what models are told of a database, nor word it."""
    program = Program(tmp_path / "home")
    assert program.run("index", str(handbook)).code == 0
    made = program.run("databases", "note", "handbook")
    assert made.code == 0 and made.out.startswith("handbook (4 documents: ")
    kept = program.run("databases", "note", "handbook", "Rules of the harbour.")
    assert kept.out.strip() == "handbook (4 documents): Rules of the harbour."
    told = program.run("databases", "note", "handbook", "--json").json
    assert told == {"name": "handbook", "about": kept.out.strip()}
    assert program.run("databases", "note", "handbook", "").out == made.out
    assert program.run("databases", "note", "gone", "x").code == 1
