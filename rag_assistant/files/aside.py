"""A file of SQLite with those that it keeps beside it: deleted, or replaced by another."""

import os
import shutil
import time
from pathlib import Path

from rag_assistant.files.moving import delete, move

_BESIDE = ("-wal", "-shm")


def aside_of(path: Path) -> Path:
    """Give a free name, with the moment in it, for a damaged file that another takes the place of.

    Nothing is ever written over: a second one of the same second gets a number.
    """
    stem = f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    aside, number = path.with_name(stem), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{stem}-{number}")
    return aside


def replace_file(path: Path, fresh: Path, aside: Path | None = None) -> None:
    """Put a closed file in the place of another, which goes `aside`, or goes. Raises OSError,
    FileInUse.

    At no moment is there none at `path`: whoever dies in between leaves the old one or the new.
    """
    for suffix in _BESIDE:
        file = path.with_name(path.name + suffix)
        # That of shared memory says nothing that the others do not; an empty log nothing at all.
        if aside and suffix == "-wal" and file.exists() and file.stat().st_size:
            move(file, aside.with_name(aside.name + suffix))
        else:
            delete(file)
    if aside and path.exists():
        try:
            os.link(path, aside)
        except OSError:  # a file system without links
            shutil.copy2(path, aside)
    move(fresh, path)


def discard_file(path: Path) -> None:
    """Delete a file with those that SQLite keeps beside it. Raises OSError, FileInUse."""
    for suffix in ("", *_BESIDE):
        delete(path.with_name(path.name + suffix))
