"""`rag-assistant index` in all its ways: rules, plans, events, watching, records."""

import json
import signal
from pathlib import Path

import pytest
import zstandard

from tests.cli.program import Program
from tests.conftest import settle, write_files


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def test_dry_run_lists_what_would_be_done_and_why_not(program: Program, handbook: Path) -> None:
    """A person could not see what a rule does before it is done."""
    (handbook / ".gitignore").write_text("*.log\n")
    write_files(handbook, {"x.log": "log", "old.zip": "PK"})
    said = program.run("index", str(handbook), "--dry-run", "--exclude", "leave/")
    assert "read     notes.txt  (new)" in said.out
    assert "skip     x.log" in said.out
    assert ".gitignore" in said.out
    assert "old.zip" in said.out
    assert "leave" in said.out
    assert "Nothing was changed." in said.err
    assert program.run("databases").out == ""
    plan = program.run("index", str(handbook), "--dry-run", "--json").json
    assert {item["path"] for item in plan["read"]} >= {"notes.txt", "leave/annual.md"}


def test_rules_given_once_hold_until_they_are_forgotten(program: Program, handbook: Path) -> None:
    """The next plain `index` would read what was excluded on purpose."""
    assert program.run("index", str(handbook), "--include", "*.md", "--json").json["added"] == 2
    assert program.run("index", str(handbook), "--json").json["added"] == 0
    again = program.run("index", str(handbook), "--default-rules", "--json").json
    assert again["added"] == 2


def test_events_tell_of_progress_and_end_with_the_report(program: Program, handbook: Path) -> None:
    """A program that starts the indexer could not show how far it is."""
    lines = program.run("index", str(handbook), "--events").out.splitlines()
    events = [json.loads(line) for line in lines]
    assert {event["event"] for event in events[:-1]} == {"progress"}
    assert events[-1]["event"] == "indexed"
    assert events[-1]["added"] == 4
    last = events[-2]
    assert (last["done"], last["total"]) == (4, 4)
    assert last["bytes_done"] == last["bytes_total"] > 0


def test_watching_follows_changes_until_ctrl_c(program: Program, handbook: Path) -> None:
    """Answers would rest on files as they were in the morning."""
    settle(handbook)
    with program.running("index", str(handbook), "--watch", "--events") as process:
        assert process.stdout

        def next_report() -> dict[str, int]:
            assert process.stdout
            while True:
                event = json.loads(process.stdout.readline())
                if event["event"] == "indexed":
                    return dict(event)

        assert next_report()["added"] == 4
        write_files(handbook, {"later.txt": "Words that came later."})
        assert next_report()["added"] == 1
        (handbook / "notes.txt").unlink()
        assert next_report()["deleted"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
    assert program.run("search", "came later", "--json").json["hits"][0]["path"] == "later.txt"


def test_records_are_entries_with_the_fields_that_were_named(
    program: Program, tmp_path: Path
) -> None:
    """A file of records would be one entry without titles."""
    records = [
        {"name": f"Pump {number}", "about": f"It moves {number} litres.", "nr": f"P-{number}"}
        for number in (10, 20)
    ]
    folder = write_files(tmp_path / "f", {"pumps.jsonl": "\n".join(map(json.dumps, records))})
    mapped = program.run("index", str(folder), "--fields", "title=name,text=about,id=nr", "--json")
    assert mapped.json["added"] == 1
    hit = program.run("search", "20 litres", "--json").json["hits"][0]
    assert (hit["title"], hit["snippet"]) == ("Pump 20", "It moves 20 litres.")
    said = program.run("index", str(folder), "--fields", "title")
    assert (said.code, "Write it as title=headline,text=body" in said.err) == (1, True)


def test_records_keep_the_ids_that_they_bring(program: Program, tmp_path: Path) -> None:
    """Links to a pixi database's entries would open others once it is read here."""
    folder = tmp_path / "f"
    folder.mkdir()
    entries = [
        {"id": 41, "title": "Anchors", "content": "An anchor weighs 80 kg.", "source": "wiki"},
        {"id": 7, "title": "Buoys", "content": "A buoy is yellow.", "source": "wiki"},
    ]
    packed = zstandard.ZstdCompressor().compress(json.dumps(entries).encode())
    (folder / "sea.zst").write_bytes(packed)
    assert program.run("index", str(folder), "--json").json["failed"] == []
    assert program.run("get", "41").out.strip().endswith("An anchor weighs 80 kg.")
    assert "yellow" in program.run("get", "7").out
    (folder / "more.txt").write_text("Another entry.")
    program.run("index", str(folder))
    assert program.run("search", "another", "--json").json["hits"][0]["id"] == 42


def test_a_limit_of_size_can_be_written_as_a_person_does(program: Program, handbook: Path) -> None:
    """`--max-size 1K` would be refused, or mean something else."""
    (handbook / "big.txt").write_text("words " * 400)
    report = program.run("index", str(handbook), "--max-size", "1K", "--json").json
    assert [line["path"] for line in report["skipped"]] == ["big.txt"]
    assert program.run("index", str(handbook), "--max-size", "lots").code == 2
