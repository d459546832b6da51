"""Folders of real files, and libraries over them in homes of their own."""

import gc
import os
import re
import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.examples import use_profile

pytest_plugins = ["pytester", "tests.soaks", "tests.store.opensearch.cluster"]

HANDBOOK = {
    "leave/parental.md": (
        "---\nowner: People team\n---\n# Parental leave\n\n"
        "Every parent gets sixteen weeks of leave at full pay.\n\n"
        "## Applying\n\nSend FORM-PL-3 to the people team eight weeks before the birth.\n"
    ),
    "leave/annual.md": (
        "# Annual leave\n\nFull-time staff get 27 days of annual leave a year.\n\n"
        "Five days may be carried over until 31 March.\n"
    ),
    "travel.html": (
        "<html><head><title>Travel</title></head><body><main><h1>Travel</h1>"
        "<p>Dinner is refunded up to €32 a day.</p></main></body></html>"
    ),
    "notes.txt": "The harbour office opens at 07:30.\nRing extension 4410 for the crane.\n",
}


def pytest_configure(config: pytest.Config) -> None:
    """Let Python look for garbage after 50,000 new objects, not after 700.

    It goes through what pytest holds of all tests each time: a quarter of the time of the
    interface's tests.
    """
    gc.set_threshold(50_000, *gc.get_threshold()[1:])
    use_profile(
        "soak" if config.getoption("soak") else "short", explore=config.getoption("explore")
    )


def pytest_collection_finish() -> None:
    """Leave what pytest holds of all tests out of every later look for garbage."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Look for garbage once, for what it may tell of, and not again while the process ends."""
    gc.collect()
    gc.freeze()


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write texts into a folder, with their parents."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def settle(folder: Path) -> None:
    """Date all files back, so that they count as written long before they are read."""
    past = time.time_ns() - 10**9
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, ns=(past, past))


@pytest.fixture(scope="session")
def folders_made() -> Counter[str]:
    """How many folders of each name this session has for its tests."""
    return Counter()


@pytest.fixture
def own_path(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    folders_made: Counter[str],
) -> Path:
    """A path of the test's own, where nothing is yet."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folders_made[name] += 1
    return tmp_path_factory.getbasetemp() / f"{name}{folders_made[name] - 1}"


@pytest.fixture
def tmp_path(own_path: Path) -> Path:
    """A folder of the test's own, as pytest makes it, but without renewing a link to the last."""
    own_path.mkdir(mode=0o700)
    return own_path


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, own_path: Path) -> None:
    """Keep the person's home, keys and settings out of every test."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "RAG_ASSISTANT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(own_path / "user"))
    monkeypatch.setenv("XDG_DATA_HOME", str(own_path / "user" / "data"))
    # Ports are used again: what was learnt of a server holds no longer than its test.
    if "rag_assistant.models.whereabouts" in sys.modules:
        monkeypatch.setattr("rag_assistant.models.whereabouts._known", {})


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    """A small folder of Markdown, HTML and text."""
    return write_files(tmp_path / "handbook", HANDBOOK)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library without databases."""
    return Library(tmp_path / "home")


Indexer = Callable[..., Library]


IndexOnce = Callable[[Library, Path], Library]


@pytest.fixture(scope="session")
def index_once(tmp_path_factory: pytest.TempPathFactory) -> IndexOnce:
    """Indexes a folder into a library; of the same files again, the database is a copy."""
    made: dict[object, Path] = {}

    def template(folder: Path) -> Path:
        files = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        key = (folder.name, *sorted(files.items()))
        if key not in made:
            place = tmp_path_factory.mktemp("template")
            library = Library(place / "home")
            report = library.index(shutil.copytree(folder, place / folder.name))
            made[key] = library.home / f"{folder.name}.db"
            assert not report.failed
            assert not made[key].with_suffix(".db-wal").exists()
        return made[key]

    def index(library: Library, folder: Path) -> Library:
        settle(folder)
        library.home.mkdir(exist_ok=True)
        _is_of(Path(shutil.copy(template(folder), library.home)), folder)
        return library

    return index


def _is_of(database: Path, folder: Path) -> None:
    """Let a copied database be of a folder, as it is indexed just now."""
    known = {"folder": str(folder), "indexed_at": datetime.now(UTC).isoformat("T", "seconds")}
    with closing(sqlite3.connect(database)) as connection, connection:
        for key, value in known.items():
            connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
        for (name,) in connection.execute("SELECT path FROM files").fetchall():
            found = (folder / name).stat()
            connection.execute(
                "UPDATE files SET mtime_ns = ?, ctime_ns = ? WHERE path = ?",
                (found.st_mtime_ns, found.st_ctime_ns, name),
            )


@pytest.fixture
def indexed(library: Library, handbook: Path, index_once: IndexOnce) -> Library:
    """A library with the handbook indexed, just now."""
    return index_once(library, handbook)
