"""A walk must account for every path of a folder, whatever is in it."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import FolderError
from rag_assistant.ingest.paths import locate, name_of
from rag_assistant.ingest.walk import FoundFile, SkippedPath, WalkRules, walk

DEFAULT = WalkRules()


def found(folder: Path, rules: WalkRules = DEFAULT) -> list[str]:
    """Give the names of the files found."""
    return [item.path for item in walk(folder, rules) if isinstance(item, FoundFile)]


def reasons(folder: Path, rules: WalkRules = DEFAULT) -> dict[str, str]:
    """Give the reason for each path skipped."""
    return {item.path: item.reason for item in walk(folder, rules) if isinstance(item, SkippedPath)}


def test_files_come_in_order_of_name_with_size_and_times(tmp_path: Path) -> None:
    """Two runs over one folder would differ, or an unchanged file would be read again."""
    (tmp_path / "b").mkdir()
    for name in ("c.txt", "a.txt", "b/z.txt", "b/a.txt"):
        (tmp_path / name).write_text("word")
    assert found(tmp_path) == ["a.txt", "b/a.txt", "b/z.txt", "c.txt"]
    item = next(walk(tmp_path))
    info = (tmp_path / "a.txt").stat()
    assert item == FoundFile("a.txt", 4, info.st_mtime_ns, info.st_ctime_ns)


def test_what_is_not_read_is_named_with_its_reason(tmp_path: Path) -> None:
    """A file would be left out silently, or the ledger flooded with a folder's content."""
    rules = WalkRules(largest=2**20)
    for name in (".git/config", "node_modules/x/y.js", "__pycache__/m.pyc", ".hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "empty.txt").touch()
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(2**20 + 1)
    assert found(tmp_path, rules) == []
    assert reasons(tmp_path, rules) == {
        ".git": "hidden folder",
        ".hidden": "hidden file",
        "__pycache__": "cache folder",
        "empty.txt": "empty",
        "large.bin": "larger than 1 MB",
        "node_modules": "cache folder",
    }


@pytest.mark.skipif(os.name == "nt", reason="needs the special files of POSIX")
def test_special_files_and_links_are_skipped_and_never_opened(tmp_path: Path) -> None:
    """Opening a pipe blocks for ever, and a link to a parent folder never ends."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "loop").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "dangling").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(tmp_path)  # the address of a socket is short
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        assert reasons(tmp_path) == {
            "dangling": "link to nothing: its target is missing",
            "folder/loop": "link to the top folder, which is read there",
            "pipe": "not a regular file: named pipe",
            "self": "link that leads in a circle",
            "socket": "not a regular file: socket",
        }


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_an_unreadable_folder_is_one_line_and_the_walk_goes_on(tmp_path: Path) -> None:
    """One folder without permission would end the indexing of all others."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "open.txt").write_text("x")
    (tmp_path / "closed").chmod(0)
    try:
        assert found(tmp_path) == ["open.txt"]
        assert reasons(tmp_path) == {"closed": "folder cannot be listed: permission denied"}
    finally:
        (tmp_path / "closed").chmod(0o700)


@pytest.mark.soak
def test_very_deep_folders_end_neither_the_walk_nor_the_stack(tmp_path: Path) -> None:
    """A tree deeper than Python's recursion limit, or than a path may be long, would be fatal."""
    (tmp_path / "a.txt").write_text("x")
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(2_100):  # by descriptors, because the whole path is too long to be given
        os.mkdir("dd", dir_fd=here)
        inner = os.open("dd", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    try:
        assert found(tmp_path) == ["a.txt"]
        (reason,) = reasons(tmp_path).values()
        assert reason == "cannot be read: file name too long"
    finally:
        os.system(f"rm -rf '{tmp_path / 'dd'}'")  # shutil recurses


def test_a_name_of_255_bytes_is_found(tmp_path: Path) -> None:
    """The longest names would be lost."""
    name = "é" * 125 + "x.txt"
    (tmp_path / name).write_text("x")
    assert found(tmp_path) == [name]


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_a_name_that_is_not_utf8_is_found_storable_and_opens_its_file(tmp_path: Path) -> None:
    """The file could not be kept in a database, or could not be opened by what is kept."""
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text("odd")
    (tmp_path / r"caf\xe9.txt").write_text("plain")
    names = found(tmp_path)
    assert names == [r"caf\x5cxe9.txt", r"caf\xe9.txt"]
    for name in names:
        name.encode("utf-8")
    assert [locate(tmp_path, name).read_text() for name in names] == ["plain", "odd"]


@given(st.text(st.sampled_from("\\xu5cde9fa0/\udce9\udc80\ud800é") | st.characters(codec=None)))
def test_names_are_unicode_and_lead_back_to_their_paths(relative: str) -> None:
    """Two files would share a name, or a name would open nothing."""
    name = name_of(relative)
    name.encode("utf-8")
    assert str(locate(Path("/top"), name)) == str(Path("/top") / relative)


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing", "There is no folder"), ("file.txt", "is a file, not a folder"), ("a\0", "cannot")],
)
def test_a_top_folder_that_cannot_be_walked_is_an_error_at_once(
    tmp_path: Path, name: str, message: str
) -> None:
    """A typing error would look like an empty folder, and its index be emptied."""
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(FolderError, match=message) as caught:
        walk(tmp_path / name)
    assert caught.value.hint
