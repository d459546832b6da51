"""Looking through a folder before it is indexed agrees with what indexing does."""

import os
from pathlib import Path

import pytest

from rag_assistant.errors import FolderError
from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.library import Library
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.scan import Scan


def _last(library: Library, folder: Path) -> Scan:
    return list(library.scan(folder))[-1]


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Boats\n\n## Mooring\n\nWith two ropes.\n", encoding="utf-8")
    (folder / "b.txt").write_text("plain words", encoding="utf-8")
    (folder / "README").write_text("words without a suffix", encoding="utf-8")
    (folder / "film.mp4").write_bytes(b"\0\1\2")
    (folder / "empty.md").touch()
    return folder


def test_it_counts_what_indexing_reads(tmp_path: Path) -> None:
    """If it fails, the first screen promises files that the index never has."""
    folder, library = _folder(tmp_path), Library(tmp_path / "home")
    found = _last(library, folder)
    assert found.over
    assert (found.readable, dict(found.makeup.kinds)) == (3, {"md": 1, "txt": 1, "text": 1})
    assert not library.names()
    report = library.index(folder)
    assert report.added == found.readable
    assert sorted(report.skipped) == sorted(found.skipped)


def test_it_says_what_is_there_already_and_keeps_its_rules(tmp_path: Path) -> None:
    """If it fails, a known folder looks new, or is counted by other rules than it is read by."""
    folder, library = _folder(tmp_path), Library(tmp_path / "home")
    assert _last(library, folder).target.entries is None
    library.index(folder, reading=ReadingRules(WalkRules(exclude=("*.txt",))))
    found = _last(library, folder)
    assert (found.target.database, found.target.entries, found.readable) == ("notes", 2, 2)


def test_a_folder_that_is_none_is_one_line(tmp_path: Path) -> None:
    """If it fails, a mistyped path ends in a traceback."""
    with pytest.raises(FolderError, match="There is no folder"):
        _last(Library(tmp_path), tmp_path / "nowhere")


def test_links_in_a_circle_and_closed_folders_end_it_not(tmp_path: Path) -> None:
    """If it fails, one odd folder keeps a person from seeing what the others hold."""
    folder, library = _folder(tmp_path), Library(tmp_path / "home")
    (folder / "round").symlink_to(folder)
    with (folder / "huge.txt").open("wb") as stream:
        stream.truncate(3 << 30)
    closed = folder / "closed"
    closed.mkdir(mode=0)
    try:
        found = _last(library, folder)
    finally:
        closed.chmod(0o700)
    reasons = dict(found.skipped)
    assert found.readable == 3
    assert {"round", "huge.txt"} <= reasons.keys()
    assert os.geteuid() == 0 or "closed" in reasons
