"""`rag-assistant get ID --at OFFSET --around N`: what stands on either side of a hit."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import Program
from tests.conftest import write_files

PARTS = [f"## Part {n}\n\n" + f"Words of part {n} about topic{n}. " * 20 + "\n\n" for n in range(5)]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    program = Program(tmp_path / "home")
    folder = write_files(tmp_path / "f", {"long.md": "# Long\n\n" + "".join(PARTS)})
    Library(program.home).index(folder)
    return program


def test_the_passages_round_a_hit_are_printed_with_their_place(program: Program) -> None:
    """A person would have to guess the offsets of what stands before and after a hit."""
    hit = program.run("search", "topic2", "--json").json["hits"][0]
    place = ("--at", str(hit["location"]["start"]))
    alone = program.run("get", str(hit["id"]), *place)
    assert alone.out == PARTS[2]
    got = program.run("get", str(hit["id"]), *place, "--around", "1")
    assert got.out == "".join(PARTS[1:4])
    assert got.err.startswith("Long · characters ")
    assert "line 7 · Long › Part 1" in got.err
    told = program.run("get", str(hit["id"]), *place, "--around", "1", "--json").json
    assert told["text"] == got.out
    assert [passage["holds_at"] for passage in told["passages"]] == [False, True, False]
    assert told["passages"][1]["location"]["heading"] == "Long › Part 2"
    assert (told["passages"][0]["location"]["start"], told["passages"][2]["location"]["end"]) == (
        told["start"],
        told["end"],
    )
    assert told["passages_left_out"] == 2
    whole = program.run("get", str(hit["id"])).out
    assert whole[told["start"] : told["end"]] == told["text"]


def test_the_ends_of_an_entry_are_no_error(program: Program) -> None:
    """Reading on would end in a traceback at the first or the last passage."""
    assert program.run("get", "1", "--at", "0", "--around", "1").out.endswith(PARTS[1])
    assert program.run("get", "1", "--at", "999999").out == PARTS[4]
    assert program.run("get", "99", "--at", "0").code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--around", "2"), 1, "Give one: --at OFFSET."),
        (("--at", "3", "--start", "2"), 1, "Give the one or the other."),
        (("--at", "3", "--end", "9"), 1, "Give the one or the other."),
        (("--at", "-3"), 2, "negative"),
        (("--at", "3", "--around", "x"), 2, "no whole number"),
    ],
)
def test_a_slip_is_one_line(
    program: Program, arguments: tuple[str, ...], code: int, said: str
) -> None:
    """An option without effect would be believed to have one."""
    done = program.run("get", "1", *arguments)
    assert (done.code, done.out, said in done.err) == (code, "", True)


def test_the_outline_leads_to_each_part(program: Program) -> None:
    """A person, or a script, would have to read a long document to find a part of it."""
    shown = program.run("get", "1", "--outline")
    assert shown.err.strip() == "Long · text · 617 words"
    lines = shown.out.splitlines()
    assert len(lines) == 6
    assert lines[0].endswith("0  Long")
    start, label = lines[3].split(maxsplit=1)
    assert label == "Part 2"
    facts = program.run("get", "1", "--outline", "--json").json["facts"]
    part = facts["outline"][3]
    assert (part["label"], part["level"], part["start"]) == ("Part 2", 2, int(start))
    place = ("--start", str(part["start"]), "--end", str(part["end"]))
    assert program.run("get", "1", *place).out == PARTS[2]
    assert program.run("get", "1", "--outline", "--at", "3").code == 1
