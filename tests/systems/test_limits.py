"""Limits of processes where the system refuses them (macOS) or has none (Windows).

A `sitecustomize` in front of the readers' path makes their Python behave as that of the other
system; what watches them from outside is told the system's name.
"""

import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from rag_assistant.files import process_limits
from rag_assistant.files.process_keeper import ProcessKeeper, end_family
from rag_assistant.ingest.extraction import Job
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.worker import WorkerLimits
from rag_assistant.library.library import Library
from rag_assistant.library.page_image import page_image
from rag_assistant.library.pattern_search import find_pattern
from rag_assistant.library.searching import search_databases
from rag_assistant.tools.python_session import process
from rag_assistant.tools.python_session.process import PythonLimits
from rag_assistant.tools.python_session.session import PythonSession
from tests.conftest import write_files
from tests.ingest.pdf_writer import pdf, words

REFUSING = """
import resource
_real = resource.setrlimit
def setrlimit(kind, limits):
    if kind == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    _real(kind, limits)
resource.setrlimit = setrlimit
"""
"""What setting the limit of memory does on macOS (python/cpython#78783)."""

LACKING = "import psutil, sys\nsys.modules['resource'] = None\n"
"""Windows has no module `resource`; psutil's own part for Linux wants it."""

NAMED = """
from types import SimpleNamespace
import rag_assistant.files.process_limits as limits
limits.sys = SimpleNamespace(platform={name!r})
"""

MEGABYTE = 1024**2
RUNAWAY = "kept = []\nimport time\nwhile True: kept.append(bytearray(4_000_000)); time.sleep(0.005)"
BUSY = "while True: pass"


@pytest.fixture(params=["darwin", "win32"])
def system(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Simulate a system, here and in every reader that is started."""
    name = str(request.param)
    code = (REFUSING if name == "darwin" else LACKING) + NAMED.format(name=name)
    folder = write_files(tmp_path / "site", {"sitecustomize.py": code})
    monkeypatch.setattr(process_limits, "sys", SimpleNamespace(platform=name))
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=":")
    yield name


@contextmanager
def started(code: str) -> Iterator["subprocess.Popen[bytes]"]:
    running = subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE)
    try:
        yield running
    finally:
        running.kill()
        running.wait()
        assert running.stdout
        running.stdout.close()


def test_the_simulation_refuses_what_macos_refuses(system: str) -> None:
    """The tests below would pass on anything."""
    if system != "darwin":
        pytest.skip("of macOS")
    code = "import resource as r; r.setrlimit(r.RLIMIT_AS, (10**9, 10**9))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"ValueError: current limit exceeds maximum limit" in done.stderr


def test_every_format_is_read(system: str, tmp_path: Path) -> None:
    """On macOS every PDF, office file, e-mail and EPUB failed: their reader ended at its limits."""
    folder = write_files(
        tmp_path / "docs",
        {"a.md": "# Kettle\n", "m.eml": "Subject: Kettle\nFrom: a@example.org\n\nIt boils.\n"},
    )
    (folder / "p.pdf").write_bytes(pdf([words("The kettle of page one.")]))
    with zipfile.ZipFile(folder / "d.docx", "w") as docx:
        docx.writestr(
            "word/document.xml",
            '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
            "<w:body><w:p><w:r><w:t>A kettle in Word.</w:t></w:r></w:p></w:body></w:document>",
        )
    library = Library(tmp_path / "home")
    report = library.index(folder, name="docs")
    assert (report.added, report.failed) == (4, [])
    assert len(search_databases(library.databases(), "kettle", 10).hits) == 4


def test_what_takes_too_much_memory_is_ended(system: str) -> None:
    """One hostile file would fill the machine's memory, which the system does not limit."""
    with (
        started(RUNAWAY) as running,
        ProcessKeeper(running.pid, 150 * MEGABYTE) as keeper,
    ):
        running.wait(timeout=30)
        assert keeper.exceeded == "memory"


def test_what_its_children_take_counts(system: str) -> None:
    """A parser that starts a program would be without a limit."""
    child = f"import subprocess, sys\nsubprocess.run([sys.executable, '-S', '-c', {RUNAWAY!r}])"
    with (
        started(child) as running,
        ProcessKeeper(running.pid, 150 * MEGABYTE) as keeper,
    ):
        running.wait(timeout=30)
        assert keeper.exceeded == "memory"


def test_processor_time_is_limited_where_the_system_does_not(system: str) -> None:
    """A file that computes for ever would only be ended by the clock, after two minutes."""
    with started(BUSY) as running, ProcessKeeper(running.pid, 10**9, 0.5) as keeper:
        if system == "darwin":  # which ends it itself, by RLIMIT_CPU
            time.sleep(1)
            assert running.poll() is None
            assert keeper.exceeded == ""
            return
        running.wait(timeout=30)
        assert keeper.exceeded == "time"


def test_a_process_has_new_time_for_each_file(system: str) -> None:
    """The hundredth file of a worker would be ended for what the others took."""
    if system == "darwin":
        pytest.skip("which limits processor time itself")
    with started(BUSY) as running, ProcessKeeper(running.pid, 10**9, 0.6) as keeper:
        for _ in range(6):
            time.sleep(0.2)
            keeper.allow(0.6)
        assert keeper.exceeded == ""


@pytest.mark.soak
def test_a_bomb_costs_that_file_only(system: str, tmp_path: Path) -> None:
    """As on Linux: the reason would be wrong, or the others lost with it."""
    folder = write_files(tmp_path / "f", {f"{n}.html": f"<p>Page {n}</p>" for n in range(5)})
    (folder / "bomb.html").write_bytes(b"<p>a" * 3_000_000)
    limits = WorkerLimits(memory_bytes=200 * MEGABYTE, cpu_seconds=60)
    jobs = [Job(path.name, size=path.stat().st_size) for path in sorted(folder.iterdir())]
    with ExtractionPool(folder, 1, {}, limits) as pool:
        found = {one.path: one for one in pool.extract(jobs)}
    assert found.pop("bomb.html").reason == "needed more than 0.195 GB of memory"
    assert {one.outcome for one in found.values()} == {"read"}


def test_pages_are_drawn_and_expressions_tried(system: str, tmp_path: Path) -> None:
    """Both have processes of their own, which ended at their limits as the readers did."""
    pytest.importorskip("PIL")
    file = tmp_path / "docs" / "p.pdf"
    file.parent.mkdir()
    file.write_bytes(pdf([words("The kettle of page one.")]))
    assert page_image(file, 1, "kettle", 200).pages == 1
    library = Library(tmp_path / "home")
    library.index(file.parent, name="docs")
    found = find_pattern(library.database("docs"), r"ket+le", "", is_expression=True)
    assert [document.count for document in found.found] == [1]


async def test_run_python_has_its_limit(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model's code could take all memory of the machine, or would not run at all."""
    monkeypatch.setattr(process, "GUARDED", False)
    session = PythonSession(PythonLimits(20, 200 * MEGABYTE), {})
    try:
        assert (await session.run("print('ä'); 6 * 7", lambda *_: {})).value == "42"
        outcome = await session.run(RUNAWAY, lambda *_: {})
    finally:
        await session.aclose()
    assert not outcome.finished
    assert "it took more memory than it may" in outcome.notes[0]


def test_a_family_ends_as_one() -> None:
    """On Windows, which has no groups of processes, what the code has started would go on."""
    child = "import subprocess, sys; print(1, flush=True); subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"  # noqa: E501
    with started(child) as running:
        assert running.stdout
        running.stdout.readline()
        deadline = time.monotonic() + 20
        while not (family := psutil.Process(running.pid).children()):
            assert time.monotonic() < deadline
        end_family(running.pid)
        _, alive = psutil.wait_procs(family, timeout=10)
        assert not alive
        end_family(running.pid)  # of one that is gone there is nothing to end


def test_a_lower_limit_of_who_started_us_is_kept(tmp_path: Path) -> None:
    """Under `ulimit -v` every PDF would fail: a process may not raise its limits."""
    resource = pytest.importorskip("resource")
    (tmp_path / "p.pdf").write_bytes(pdf([words("The kettle of page one.")]))
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (100, 100))\n"
        "from rag_assistant.files.process_limits import limit_memory, limit_time\n"
        "limit_memory(1 << 30); limit_time(1000)\n"
        "print(resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    most = 900 << 20
    assert done.stdout == f"({most}, {most}) (100, 100)\n"
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY
