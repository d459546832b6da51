"""Files that a program has open are neither moved nor deleted: Windows refuses both."""

import errno
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from rag_assistant.files import moving
from rag_assistant.files.moving import FileInUse, delete, move
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from tests.conftest import write_files


def is_open(path: Path) -> bool:
    """Tell whether this process has a file open."""
    return str(path.absolute()) in {file.path for file in psutil.Process().open_files()}


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Let pathlib refuse what Windows refuses; gives the files that were refused."""
    refused: list[Path] = []

    def refusing(act: Any, files: Any) -> Any:
        def wrapped(self: Path, *arguments: Any, **named: Any) -> Any:
            for file in files(self, *arguments):
                if is_open(Path(file)):
                    refused.append(Path(file))
                    error = PermissionError(errno.EACCES, "being used by another process")
                    error.winerror = 32  # type: ignore[attr-defined]
                    raise error
            return act(self, *arguments, **named)

        return wrapped

    both = lambda self, target: (self, target)  # noqa: E731
    for name, files in (("replace", both), ("rename", both), ("unlink", lambda self, *_: (self,))):
        monkeypatch.setattr(Path, name, refusing(getattr(Path, name), files))
    monkeypatch.setattr(moving, "PATIENCE", 4.0)
    yield refused


@pytest.fixture
def library(tmp_path: Path) -> Library:
    write_files(tmp_path / "docs", {"a.md": "# Kettle\n\nThe kettle is in the kitchen.\n"})
    library = Library(tmp_path / "home")
    library.index(tmp_path / "docs", name="docs")
    return library


def found(library: Library, name: str) -> int:
    return len(search_databases(library.databases([name]), "kettle", 5).hits)


def test_a_file_is_moved_once_it_is_let_go(tmp_path: Path, windows: list[Path]) -> None:
    """A reader of half a second would make a command fail."""
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_text("new")
    target.write_text("old")
    reader = target.open()
    threading.Timer(0.3, reader.close).start()
    move(source, target)
    assert target.read_text() == "new"
    assert windows


def test_a_file_that_stays_open_is_said_in_a_line(
    tmp_path: Path, windows: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person would read of an internal error, and not what to close."""
    monkeypatch.setattr(moving, "PATIENCE", 0.2)
    file = tmp_path / "docs.sqlite"
    with file.open("w"), pytest.raises(FileInUse, match="is open in another program"):
        delete(file)
    assert file.exists()


def test_rights_are_no_matter_of_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be written would hold every command up, and be told wrongly."""

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(moving, "PATIENCE", 60.0)
    with pytest.raises(PermissionError):
        move(tmp_path / "a", tmp_path / "b")


def test_a_database_that_was_just_searched_is_renamed_and_removed(
    library: Library, windows: list[Path]
) -> None:
    """A search keeps its files open for two seconds: renaming after it would fail."""
    assert found(library, "docs")
    library.rename("docs", "papers")
    assert found(library, "papers")
    library.remove("papers")
    assert library.names() == []


def test_a_database_is_made_anew_in_its_place(library: Library, windows: list[Path]) -> None:
    """Repairing would fail on a file that this program itself has open."""
    assert found(library, "docs")
    library.repair("docs")
    assert found(library, "docs")


def test_a_damaged_database_is_set_aside(library: Library, windows: list[Path]) -> None:
    """As above, where the file cannot be read."""
    path = library.database("docs").path
    path.write_bytes(b"no database" * 1000)
    library.index(path.parent.parent / "docs", name="docs")
    assert found(library, "docs")


def test_damaged_conversations_are_mended(tmp_path: Path, windows: list[Path]) -> None:
    """The history would stay damaged for good: it is met open, and put aside."""
    path = tmp_path / "conversations.db"
    assert ConversationStore(path).conversations() == []
    path.write_bytes(b"no database" * 1000)
    store = ConversationStore(path)
    assert store.conversations() == []
    assert store.take_notes()
