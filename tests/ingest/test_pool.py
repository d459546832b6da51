"""Files are read in processes of their own: whatever a file does, it costs that file only."""

import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag_assistant.ingest.extraction import Extraction, Job
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.worker import WorkerLimits
from tests.conftest import write_files

SMALL = WorkerLimits(memory_bytes=400 * 1024**2, cpu_seconds=2, wall_seconds=6)


def memory_bomb() -> bytes:
    """A PDF of one page whose contents are half a gigabyte of spaces, compressed."""
    megabyte = zlib.compressobj()
    block = megabyte.compress(b" " * 1_000_000) + megabyte.flush(zlib.Z_FULL_FLUSH)
    # Blocks that know nothing of one another: a head, the same one 500 times, and an end.
    packed = block[:2] + block[2:] * 500 + b"\x03\0" + bytes(4)
    return (
        b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
        b">>endobj\n"
        b"4 0 obj<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream endobj\n"
        b"trailer<</Root 1 0 R>>\n" % (len(packed), packed)
    )


def time_bomb() -> bytes:
    """A page of two million paragraphs, which takes seconds to read."""
    return b"<p>a" * 2_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path / "f", {f"{n:02}.html": f"<p>Page {n}</p>" for n in range(40)})


def read(folder: Path, workers: int = 2, limits: WorkerLimits = SMALL) -> dict[str, Extraction]:
    names = sorted(path.name for path in folder.iterdir())
    with ExtractionPool(folder, workers, {}, limits) as pool:
        found = list(pool.extract(Job(name) for name in names))
    assert len(found) == len(names)
    return {extraction.path: extraction for extraction in found}


def test_every_file_comes_back_once(folder: Path) -> None:
    """Documents would be lost on the way, or indexed twice."""
    for workers in (1, 2, 3):
        found = read(folder, workers)
        assert len(found) == 40
        assert {e.outcome for e in found.values()} == {"read"}
        assert found["07.html"].entries[0].passages[0][5].strip() == "Page 7"


@pytest.mark.soak
def test_a_memory_bomb_costs_that_file_only(folder: Path) -> None:
    """One hostile file would fill the machine's memory and end the indexing of a folder."""
    (folder / "20-bomb.pdf").write_bytes(memory_bomb())
    found = read(folder)
    assert found["20-bomb.pdf"].outcome == "failed"
    assert "memory" in found["20-bomb.pdf"].reason
    assert sum(e.outcome == "read" for e in found.values()) == 40


@pytest.mark.soak
def test_a_time_bomb_costs_that_file_only(folder: Path) -> None:
    """One file that takes for ever would stop the indexing of a folder."""
    (folder / "20-bomb.html").write_bytes(time_bomb())
    found = read(folder, limits=WorkerLimits(memory_bytes=8 * 1024**3, cpu_seconds=0))
    assert found["20-bomb.html"].reason == "took more than 0 seconds of processor time"
    assert sum(e.outcome == "read" for e in found.values()) == 40


def children() -> list[int]:
    """Find the worker processes of this test."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())],
        capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    return [int(line.split()[0]) for line in listed.splitlines() if "ingest.worker" in line]


def slow_jobs(folder: Path, act: Callable[[int], None]) -> Iterator[Job]:
    """Give the jobs, and halfway through do something to a worker."""
    names = sorted(path.name for path in folder.iterdir())
    for number, name in enumerate(names):
        if number == len(names) // 2:
            for pid in children():
                act(pid)
        yield Job(name)


def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost(folder: Path) -> None:
    """The system's out-of-memory killer would lose documents that are not to blame."""
    with ExtractionPool(folder, 2, {}, SMALL) as pool:
        jobs = slow_jobs(folder, lambda pid: os.kill(pid, signal.SIGKILL))
        found = list(pool.extract(jobs))
    assert sorted(e.path for e in found) == sorted(path.name for path in folder.iterdir())
    assert {e.outcome for e in found} == {"read"}


@pytest.mark.soak
def test_a_worker_that_hangs_is_ended_and_its_files_are_read_by_another(folder: Path) -> None:
    """A file that waits for ever would stop the indexing for ever."""
    limits = WorkerLimits(wall_seconds=3)
    with ExtractionPool(folder, 1, {}, limits) as pool:
        stopped = threading.Event()

        def stop_once(pid: int) -> None:
            if not stopped.is_set():
                stopped.set()
                os.kill(pid, signal.SIGSTOP)

        found = list(pool.extract(slow_jobs(folder, stop_once)))
    assert stopped.is_set()
    assert len(found) == 40
    assert {e.outcome for e in found} == {"read"}


def test_leaving_early_ends_the_workers_at_once(folder: Path) -> None:
    """Ctrl-C would wait for a file, or leave processes behind."""
    (folder / "00-bomb.html").write_bytes(time_bomb())
    started = time.monotonic()
    with ExtractionPool(folder, 2, {}, WorkerLimits()) as pool:
        results = pool.extract(Job(path.name) for path in sorted(folder.iterdir()))
        next(results)
        assert children()
    assert time.monotonic() - started < 2
    assert children() == []


def test_workers_end_when_their_parent_is_killed(folder: Path) -> None:
    """`kill -9` of the indexer would leave processes that nobody ends."""
    code = (
        "import sys, time; from pathlib import Path\n"
        "from rag_assistant.ingest.pool import ExtractionPool\n"
        "with ExtractionPool(Path(sys.argv[1]), 2, {}) as pool:\n"
        "    print([w._process.pid for w in pool._workers], flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    pids = [int(number) for number in parent.stdout.readline().strip("[]\n").split(",")]
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}/exe").exists() for pid in pids)


def test_modules_beside_the_documents_are_not_imported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder could run code of its own by holding a file named like a module."""
    marker = folder.parent / "was-run"
    for name in ("json.py", "struct.py", "lxml.py"):
        (folder / name).write_text(f"open({str(marker)!r}, 'w')\n")
    monkeypatch.chdir(folder)
    found = read(folder)
    assert found["json.py"].outcome == "read"
    assert not marker.exists()


def test_a_file_that_vanishes_or_becomes_a_pipe_meanwhile_is_told(folder: Path) -> None:
    """A download in progress would stop the indexing, or be taken for a document."""
    names = [Job("gone.txt"), Job("pipe.txt"), Job("00.html")]
    os.mkfifo(folder / "pipe.txt")
    with ExtractionPool(folder, 1, {}, SMALL) as pool:
        found = {e.path: e for e in pool.extract(names)}
    assert "cannot be read" in found["gone.txt"].reason
    assert found["pipe.txt"].outcome in ("failed", "skipped")
    assert found["00.html"].outcome == "read"


def test_a_large_program_has_workers_that_last(tmp_path: Path) -> None:
    """Workers would take their parent's memory for theirs and end after each batch."""
    large = bytearray(500 * 1024**2)
    large[::4096] = b"x" * len(large[::4096])
    del large
    folder = write_files(tmp_path / "f", {f"{n}.html": f"<p>Page {n}</p>" for n in range(320)})
    started: set[int] = set()
    with ExtractionPool(folder, 1, {}, WorkerLimits()) as pool:
        for number, extraction in enumerate(pool.extract(Job(f"{n}.html") for n in range(320))):
            assert extraction.outcome == "read"
            if number % 32 == 0:
                started.update(children())
    assert len(started) == 1
