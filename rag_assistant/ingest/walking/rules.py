"""What of a folder is read: the choices a person has."""

from dataclasses import dataclass
from typing import Literal

LARGEST_FILE = 200 * 1024 * 1024
"""Bytes; a larger file is skipped, because a loader holds the whole of it in memory."""


@dataclass(frozen=True, slots=True)
class WalkRules:
    """The choices of one walk; the defaults read what a person keeps, and leave out the rest.

    `hidden` and `caches` have hidden files and folders read, and those that programs fill (see
    `skips`). `include` and `exclude` are patterns as in a `.gitignore` of the top folder; with an
    `include`, only the files it names are read. `largest` is in bytes. `ignore_files` honours
    `.gitignore` and `.ragignore`; a negated line without wildcards of a `.ragignore` (`!build/`)
    also brings back a hidden, cache or build folder. `follow_links` is explained in `links`.
    """

    hidden: bool = False
    caches: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    largest: int = LARGEST_FILE
    follow_links: Literal["inside", "anywhere", "never"] = "inside"
    ignore_files: bool = True
