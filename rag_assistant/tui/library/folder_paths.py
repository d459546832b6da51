"""Paths of folders as a person writes, pastes or drops them, and what they may be completed to."""

import os
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import FolderError
from rag_assistant.library.folders import absolute, check_folder
from rag_assistant.tui.question.attaching import written_path


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders `names` of `parent`, which the written path may go on with."""

    parent: str
    names: tuple[str, ...] = ()


def folders_at(written: str) -> Folders:
    """List the folders that a path which is being written may mean. It blocks.

    Hidden ones come where a dot is written. One that cannot be listed has none.
    """
    parent, beginning = split(written)
    wanted = beginning.lower()
    try:
        with os.scandir(absolute(Path(parent or "."))) as entries:
            names = [entry.name for entry in entries if entry.is_dir()]
    except (OSError, ValueError, FolderError):
        return Folders(parent)
    fitting = [
        name
        for name in names
        if name.lower().startswith(wanted) and name.startswith(".") <= wanted.startswith(".")
    ]
    return Folders(parent, tuple(sorted(fitting, key=str.lower)))


def split(written: str) -> tuple[str, str]:
    """Give what stands before the last slash, with the slash, and what stands behind it.

    Nothing stands for the person's own folder.
    """
    if written in ("", "~"):
        return "~/", ""
    parent, slash, beginning = written.rpartition("/")
    return parent + slash, beginning


def parent_of(written: str) -> str:
    """Give the path of the folder above the one that is listed."""
    listed = absolute(Path(split(written)[0] or "."))
    above = str(listed.parent)
    return above if above.endswith("/") else f"{above}/"


def chosen_folder(written: str) -> Path:
    """Give the folder that was written, pasted or dropped. Raises FolderError."""
    path = written_path(written)
    if not path:
        raise FolderError(
            "No folder is named yet.", hint="Type its path, or choose a folder below."
        )
    folder = absolute(Path(path))
    check_folder(folder, "", there=False, prune=False)
    return folder


def short(path: Path) -> str:
    """Give a path for showing, with ~ for the person's own folder."""
    home = Path.home()
    below = path.is_relative_to(home) and path != home
    return f"~/{path.relative_to(home)}" if below else str(path)
