"""Families of versions: found when a folder is indexed, and kept in step with it."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_assistant.library.library import Library
from rag_assistant.store.sqlite.schema import SCHEMA_VERSION
from rag_assistant.store.sqlite.store import SqliteStore
from tests.conftest import settle, write_files

PLAN = "".join(
    f"Berth {n} of the harbour is dredged by the crew of boat {n} before the season begins.\n\n"
    for n in range(12)
)
OTHER = "".join(
    f"Recipe {n}: stir the flour into the milk, add butter and let it rest for a while.\n\n"
    for n in range(12)
)
Families = list[list[str]]


def families(library: Library, name: str) -> Families:
    """Give the paths of each family, newest first."""
    connection = sqlite3.connect(library.database(name).path)
    rows = connection.execute(
        "SELECT family, path FROM versions JOIN entries ON entries.id = entry_id"
        " JOIN files ON files.id = file_id ORDER BY family, place"
    ).fetchall()
    left = connection.execute("SELECT count(*) FROM sketches WHERE NOT compared").fetchone()[0]
    connection.close()
    assert left == 0
    found: dict[int, list[str]] = {}
    for family, path in rows:
        found.setdefault(family, []).append(path)
    return sorted(found.values())


def indexed(library: Library, folder: Path, files: dict[str, str]) -> Families:
    """Write files, index their folder, and give its families."""
    settle(write_files(folder, files))
    library.index(folder)
    return families(library, folder.name)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("minutes/2025-06-10-draft.md", "minutes/2025-06-10.md"),
        ("plan-v2.md", "plan-v10.md"),
        ("plan_draft.md", "plan_final(1).txt"),
        ("archive/plan.md", "plan.md"),
        ("plan 2024-05-01.md", "plan 2025-05-01.md"),
    ],
)
def test_names_and_texts_make_a_family(
    library: Library, tmp_path: Path, older: str, newer: str
) -> None:
    """An outdated version would be found as if it held."""
    files = {newer: f"# Plan\n\n{PLAN}Budget 120.\n", older: f"# Plan\n\n{PLAN}Budget 100.\n"}
    assert indexed(library, tmp_path / "f", files) == [[newer, older]]


def test_the_documents_own_date_decides_where_names_do_not(
    library: Library, tmp_path: Path
) -> None:
    """A copy that was touched last would pass for the newest."""
    files = {
        "plan.md": f"---\ndate: 2025-01-01\n---\n# Plan\n\n{PLAN}",
        "copy of plan.md": f"---\ndate: 2025-03-01\n---\n# Plan\n\n{PLAN}More.\n",
    }
    assert indexed(library, tmp_path / "f", files) == [["copy of plan.md", "plan.md"]]


def test_other_texts_under_such_names_are_no_family(library: Library, tmp_path: Path) -> None:
    """Notes (1) and notes (2) would hide one another, whatever they say."""
    files = {"notes (1).md": f"# Notes\n\n{PLAN}", "notes (2).md": f"# Notes\n\n{OTHER}"}
    assert indexed(library, tmp_path / "f", files) == []


def test_a_series_is_no_family(library: Library, tmp_path: Path) -> None:
    """The figures of January would be hidden behind those of March."""
    report = "".join(f"In week {n} the crane moved {{{n}}} boxes for the port.\n" for n in range(9))
    files = {
        f"report-2025-0{month}.md": report.format(*range(month * 100, month * 100 + 9))
        for month in (1, 2, 3)
    }
    assert indexed(library, tmp_path / "f", files) == []


def test_two_prices_under_other_names_are_no_family(library: Library, tmp_path: Path) -> None:
    """Two texts that differ in a number would be collapsed silently."""
    files = {"north.md": f"# Fees\n\n{PLAN}Fee 20.\n", "south.md": f"# Fees\n\n{PLAN}Fee 25.\n"}
    assert indexed(library, tmp_path / "f", files) == []


def test_copies_under_other_names_are_a_family(library: Library, tmp_path: Path) -> None:
    """Nobody would learn that there are two of it."""
    files = {"a/plan.md": f"# Plan\n\n{PLAN}", "b/harbour.md": f"# Plan\n\n{PLAN}"}
    (family,) = indexed(library, tmp_path / "f", files)
    assert sorted(family) == sorted(files)


def test_records_are_not_touched_by_their_names(library: Library, tmp_path: Path) -> None:
    """A collection of records would lose those whose ids look like versions."""
    lines = "".join(f'{{"_id": "plan-v{n}", "text": "{"A crane. " * 20}"}}\n' for n in range(4))
    assert indexed(library, tmp_path / "f", {"plans.jsonl": lines, "plans-v2.jsonl": lines}) == []


def test_families_keep_in_step(library: Library, tmp_path: Path) -> None:
    """A deleted version would go on superseding those that are there."""
    folder = tmp_path / "f"
    texts = {f"plan-v{n}.md": f"# Plan\n\n{PLAN}Edition {n}.\n" for n in (1, 2, 3)}
    others = {f"{n}.md": f"# {n}\n\n{n} {OTHER}" for n in range(9)}
    assert indexed(library, folder, {**texts, **others})[-1] == [
        "plan-v3.md",
        "plan-v2.md",
        "plan-v1.md",
    ]
    (folder / "plan-v3.md").unlink()
    library.index(folder)
    assert families(library, "f")[-1] == ["plan-v2.md", "plan-v1.md"]
    (folder / "plan-v2.md").rename(folder / "recipes.md")
    library.index(folder)
    assert ["plan-v2.md", "plan-v1.md"] not in families(library, "f")
    settle(write_files(folder, {"plan-v9.md": texts["plan-v3.md"]}))
    library.index(folder)
    assert ["plan-v9.md", "plan-v1.md"] in [
        [path for path in family if path.startswith("plan")] for family in families(library, "f")
    ]
    write_files(folder, {"plan-v1.md": f"# Cake\n\n{OTHER}{OTHER[:200]}"})
    library.index(folder)
    assert not any("plan-v1.md" in family for family in families(library, "f"))


NAMES = ["plan.md", "plan-draft.md", "plan-v2.md", "archive/plan.md", "plan 2024.md", "cake.md"]
TEXTS = [f"# Plan\n\n{PLAN}", f"# Plan\n\n{PLAN}One more line.\n", f"# Cake\n\n{OTHER}"]
STEP = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([*TEXTS, None]), max_size=4)


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.lists(STEP, min_size=2, max_size=4))
def test_step_by_step_is_as_all_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str | None]]
) -> None:
    """Families would depend on the order in which files came."""
    place = tmp_path_factory.mktemp("steps")
    folder, library = place / "f", Library(place / "home")
    write_files(folder, {f"kept-{n}.md": f"# K\n\nKept {n} of all." for n in range(6)})
    for step in steps:
        for name, text in step.items():
            if text is None:
                (folder / name).unlink(missing_ok=True)
            else:
                write_files(folder, {name: text})
                # What comes last must not decide the order, where times tell nothing neither.
                then = 1_700_000_000 + NAMES.index(name) // 4
                os.utime(folder / name, (then, then))
        library.index(folder, prune=True)
    fresh = Library(place / "fresh")
    fresh.index(folder)
    assert families(library, "f") == families(fresh, "f")


@pytest.mark.soak
def test_a_killed_run_is_made_up_for(tmp_path: Path) -> None:
    """Versions would stay unknown for good, or be those of another text."""
    folder, home = tmp_path / "f", tmp_path / "home"
    write_files(
        folder,
        {
            f"{n:03}/plan{mark}.md": f"# Plan {n}\n\n{PLAN.replace('boat', f'b{n}')}Last{mark}.\n"
            for n in range(250)
            for mark in ("", "-draft")
        },
    )
    settle(folder)
    command = [sys.executable, "-m", "rag_assistant", "--home", str(home), "index", str(folder)]
    for _ in range(2):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not _holds_entries(home / "f.db"):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    library, fresh = Library(home), Library(tmp_path / "fresh")
    library.index(folder)
    fresh.index(folder)
    assert len(families(library, "f")) == 250
    assert families(library, "f") == families(fresh, "f")


def _holds_entries(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            return bool(connection.execute("SELECT count(*) FROM entries").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return False


def test_families_come_back_with_their_ids_after_a_rebuild(
    library: Library, tmp_path: Path
) -> None:
    """An id written down years ago would name another version."""
    folder = tmp_path / "f"
    files = {"plan.md": f"# Plan\n\n{PLAN}", "plan-draft.md": f"# Plan\n\n{PLAN}Draft.\n"}
    before = indexed(library, folder, files)
    ids = {entry.path: entry.id for entry in library.database("f").entries()}
    connection = sqlite3.connect(library.database("f").path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
    connection.close()
    library.index(folder)
    assert families(library, "f") == before
    assert {entry.path: entry.id for entry in library.database("f").entries()} == ids


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM sketch_keys WHERE key = (SELECT min(key) FROM sketch_keys)",
        "INSERT INTO sketch_keys VALUES (7, 1)",
        "UPDATE sketch_keys SET key = 7 WHERE key = (SELECT max(key) FROM sketch_keys)",
    ],
)
def test_a_check_tells_what_versions_would_not_be_found_by(
    library: Library, tmp_path: Path, harm: str
) -> None:
    """A version would never be found, and the database pass for whole."""
    indexed(library, tmp_path / "f", {"plan.md": f"# Plan\n\n{PLAN}", "a.md": f"# A\n\n{OTHER}"})
    store = SqliteStore(library.database("f").path)
    assert store.check() == []
    with closing(sqlite3.connect(library.database("f").path)) as connection, connection:
        connection.execute(harm)
    assert any("sketch" in line for line in store.check())
