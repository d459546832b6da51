"""Faults of the machine: killed processes, full disks, odd clocks, names and sizes."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.library import Library
from rag_assistant.library.progress import SyncProgress
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.searching import search_databases
from tests.conftest import settle, write_files

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "rag_assistant"]


@pytest.mark.soak
def test_killed_runs_lose_nothing_and_readers_never_notice() -> None:
    """A power cut would leave half a document, or a database that does not open.

    The benchmark does the same two hundred times; this is a small share of it.
    """
    done = subprocess.run(
        [
            sys.executable, "-m", "scripts.benchmarks", "--only", "kills",
            "--kills", "8", "--files", "150", "--readers", "4",
        ],
        cwd=ROOT, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("things wrong: 0") == 2


@pytest.mark.soak
def test_a_full_disk_is_one_line_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """A full disk would end in a traceback, or in a broken database."""
    folder = write_files(
        tmp_path / "f",
        {f"{n}.md": f"# {n}\n\n" + f"word{n} other words " * 300 for n in range(200)},
    )
    home = tmp_path / "home"
    command = [*COMMAND, "--home", str(home), "index", str(folder)]
    resource = pytest.importorskip("resource")
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60,
        # Beyond this size every write fails, as on a full disk.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000)),
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr
    done = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, check=True, timeout=60
    )
    report = json.loads(done.stdout)
    assert report["added"] + report["unchanged"] == 200
    assert Library(home).check("f") == []


def test_clocks_that_jump_hide_no_change(library: Library, tmp_path: Path) -> None:
    """An edit made while the clock was wrong would never be indexed."""
    folder = write_files(tmp_path / "f", {"a.txt": "First words.", "b.txt": "Other words."})
    for seconds in (4_000_000_000, 0, -100):
        os.utime(folder / "a.txt", (seconds, seconds))
        library.index(folder)
        before = (folder / "a.txt").stat()
        (folder / "a.txt").write_text(f"Words at {seconds}.")
        os.utime(folder / "a.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
        library.index(folder)
        hits = search_databases([library.database("f")], f"words at {abs(seconds)}", 1).hits
        assert str(abs(seconds)) in hits[0].snippet


def test_odd_names_are_indexed_and_found(library: Library, tmp_path: Path) -> None:
    """Files whose names are not UTF-8, very long or full of signs would be lost or crash."""
    folder = tmp_path / "f"
    folder.mkdir()
    long = "n" * 251 + ".txt"
    names = [b"caf\xe9.txt", long.encode(), b"a\nb.txt", b"-n.txt", "日本.txt".encode()]
    names += [b"\\xe9.txt", b"[red].txt", b" .txt", b"'; DROP TABLE files; --.txt"]
    for number, name in enumerate(names):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(f"Contents {number} here.")
    report = library.index(folder)
    assert (report.added, report.failed) == (len(names), [])
    for number in range(len(names)):
        assert search_databases([library.database("f")], f"contents {number}", 1).hits[0].snippet
    assert library.index(folder).unchanged == len(names)


def test_a_file_of_two_gigabytes_is_told_and_costs_no_memory(
    library: Library, tmp_path: Path
) -> None:
    """One huge log would fill the memory of the machine."""
    folder = write_files(tmp_path / "f", {"small.md": "Small words."})
    with (folder / "huge.txt").open("wb") as file:
        file.write(b"words " * 20_000)
        file.truncate(2 * 1024**3)  # a hole: it takes no room on the disk
    report = library.index(folder)
    assert dict(report.skipped)["huge.txt"].startswith("larger than")
    rules = ReadingRules(WalkRules(largest=3 * 1024**3))
    resource = pytest.importorskip("resource")
    started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = library.index(folder, reading=rules)
    assert "memory" in dict(report.failed)["huge.txt"]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - started
    assert grown < 300 * 1024, f"{grown} KiB more in our own process"
    assert search_databases([library.database("f")], "small", 1).hits


def test_a_file_that_changes_while_it_is_read_is_read_again_next_time(
    library: Library, tmp_path: Path
) -> None:
    """A log that grows while it is read would keep half a line for ever."""
    folder = write_files(tmp_path / "f", {"log.txt": "line 0\n"})
    stop = tmp_path / "stop"
    writer = subprocess.Popen(
        [
            sys.executable, "-c",
            "import sys, itertools, os, time\n"
            "for n in itertools.count(1):\n"
            "    open(sys.argv[1], 'a').write(f'line {n}\\n')\n"
            "    time.sleep(0.0005)\n"
            "    if os.path.exists(sys.argv[2]): break\n",
            str(folder / "log.txt"), str(stop),
        ]
    )  # fmt: skip
    try:
        time.sleep(0.3)
        for _ in range(5):
            library.index(folder)
    finally:
        stop.touch()
        writer.wait()
    library.index(folder)
    entry = library.database("f").entries()[0]
    assert library.database("f").text(entry.id) == (folder / "log.txt").read_text()


def test_the_rules_given_once_hold_for_later_runs(library: Library, tmp_path: Path) -> None:
    """The next run from the interface would index what was excluded on purpose."""
    folder = write_files(tmp_path / "f", {"a.txt": "Words.", "b.log": "Log words."})
    settle(folder)
    report = library.index(folder, reading=ReadingRules(WalkRules(exclude=("*.log",))))
    assert report.added == 1
    assert library.index(folder).added == 0
    assert library.plan(folder).read == ()
    assert library.index(folder, reading=ReadingRules()).added == 1


def test_the_plan_says_what_would_be_done_and_does_nothing(
    library: Library, handbook: Path
) -> None:
    """A person could not try rules out before they change the database."""
    (handbook / "clip.mp4").write_bytes(bytes(range(256)))
    plan = library.plan(handbook)
    assert [path for path, _ in plan.read] == [
        "leave/annual.md", "leave/parental.md", "notes.txt", "travel.html",
    ]  # fmt: skip
    assert dict(plan.skipped)["clip.mp4"]
    assert library.names() == []
    settle(handbook)
    library.index(handbook)
    (handbook / "notes.txt").unlink()
    (handbook / "travel.html").write_text("<p>Changed.</p>")
    plan = library.plan(handbook)
    assert plan.read == (("travel.html", "changed"),)
    assert (plan.unchanged, plan.gone) == (3, ("notes.txt",))  # the film counts as unchanged
    assert len(library.database("handbook").entries()) == 4


def test_an_edit_keeps_the_text_before_it(library: Library, handbook: Path) -> None:
    """A citation of yesterday could not be compared with what the document said then."""
    library.index(handbook)
    database = library.database("handbook")
    entry = next(e for e in database.entries() if e.path == "notes.txt")
    before = database.text(entry.id)
    assert database.previous_text(entry.id) is None
    (handbook / "notes.txt").write_text("The office opens at eight.")
    library.index(handbook)
    assert database.previous_text(entry.id) == (entry.text_hash, before)
    assert database.entry(entry.id).text_hash != entry.text_hash
    assert library.check("handbook") == []


def test_what_failed_is_tried_again_only_when_asked_or_changed(
    library: Library, tmp_path: Path
) -> None:
    """A broken file would be parsed at every run, or never again."""
    folder = write_files(tmp_path / "f", {"a.txt": "Words."})
    (folder / "b.pdf").write_bytes(b"%PDF-1.4 broken")
    settle(folder)
    failed = library.index(folder).failed
    for retry, read in ((False, []), (True, ["b.pdf"])):
        seen: list[SyncProgress] = []
        report = library.index(folder, retry=retry, listener=seen.append)
        assert report.failed == failed
        assert [progress.path for progress in seen if progress.path] == read


@pytest.mark.parametrize("count", [500, pytest.param(5_000, marks=pytest.mark.soak)])
def test_many_files_in_one_folder(library: Library, tmp_path: Path, count: int) -> None:
    """A folder of many files would be lost in part. The benchmark tries a hundred thousand."""
    folder = tmp_path / "f"
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.txt").write_text(f"Number {number} stands here.")
    assert library.index(folder).added == count
    assert library.index(folder).unchanged == count
    assert (
        search_databases([library.database("f")], f"{count - 7}", 1).hits[0].path
        == f"{count - 7}.txt"
    )
