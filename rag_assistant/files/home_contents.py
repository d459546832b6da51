"""What a home directory holds of this program, by kind, and how it is deleted.

A person may have given a folder that holds other files as well: those are told, and stay. In such a
folder only what can be nobody else's is ours.
"""

import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import RagError
from rag_assistant.files.moving import delete

OF_ANYBODY = frozenset({"settings", "fetched models", "drawn pictures", "the sample"})
"""Kinds whose names say little: in a folder that holds other files they may be a person's own."""

KINDS: Mapping[str, Sequence[str]] = {
    "conversations": ("conversations.db*", "conversations.damaged-*", "conversations.pending"),
    "the record of what left": ("egress.sqlite*", "egress.damaged-*"),
    "databases": ("*.db", "*.db-wal", "*.db-shm", "*.digests", "*.damaged-*", "*.reading-*"),
    "settings": ("config.toml",),
    "fetched models": ("models",),
    "evaluations": ("evaluations",),
    "drawn pictures": ("images",),
    "the sample": ("sample",),
    "what was not finished, and crash reports": ("unfinished-*", "crashes"),
    "locks": ("*.lock",),
}
"""The kinds with the names of their files and folders; a name is of the first that it fits."""

_OF_SETTINGS = (".toml", ".md")
"""Files that a person puts beside the settings: a persona, notes."""

_TABLES = frozenset({"entries", "passages", "files"})
"""Tables that every database of ours has had."""


class NotDeleted(RagError):
    """Something of a home could not be deleted."""


@dataclass(frozen=True, slots=True)
class KeptKind:
    """What there is of a kind: the files and folders at the top of the home, and their bytes."""

    kind: str
    paths: tuple[Path, ...]
    size: int


@dataclass(frozen=True, slots=True)
class HomeContents:
    """What of a home is this program's, and what is not and stays."""

    kept: tuple[KeptKind, ...]
    others: tuple[Path, ...]


def contents_of(home: Path) -> HomeContents:
    """Look through a home; one that is not there holds nothing. Raises OSError."""
    if not home.is_dir():
        return HomeContents((), ())
    left = sorted(home.iterdir())
    kept: list[KeptKind] = []
    for kind, patterns in KINDS.items():
        paths = tuple(path for path in left if any(path.match(one) for one in patterns))
        left = [path for path in left if path not in paths]
        if paths:
            kept.append(KeptKind(kind, paths, sum(map(_size, paths))))
    if all(path.suffix in _OF_SETTINGS for path in left):
        return HomeContents(tuple(kept), tuple(left))
    sure = [_surely_ours(one) for one in kept if one.kind not in OF_ANYBODY]
    ours = {path for one in sure for path in one.paths}
    others = sorted({*left, *(path for one in kept for path in one.paths)} - ours)
    return HomeContents(tuple(one for one in sure if one.paths), tuple(others))


def _surely_ours(kept: KeptKind) -> KeptKind:
    """Leave out databases that may be another program's."""
    if kept.kind != "databases":
        return kept
    names = {path.stem for path in kept.paths if path.suffix == ".db" and _has_our_tables(path)}
    paths = tuple(path for path in kept.paths if path.name.partition(".")[0] in names)
    return KeptKind(kept.kind, paths, sum(map(_size, paths)))


def _has_our_tables(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            rows = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.Error:
        return False
    return {str(row[0]) for row in rows} >= _TABLES


def delete_contents(home: Path, contents: HomeContents) -> None:
    """Delete what is this program's, and the home if nothing else is in it. Raises NotDeleted."""
    for path in (path for kept in contents.kept for path in kept.paths):
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                delete(path)
        except OSError as error:
            raise NotDeleted(
                f"{path} could not be deleted: {error.strerror or error}.",
                hint="Close what uses it, check its rights, and run this again.",
            ) from error
    if home.is_dir() and not any(home.iterdir()):
        home.rmdir()


def _size(path: Path) -> int:
    if path.is_symlink():
        return 0
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink())
