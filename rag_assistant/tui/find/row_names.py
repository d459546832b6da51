"""Names of documents for rows of a list, short where their beginnings say the same."""

from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len

LEAST_FILE = 8
"""Cells of the end of a path that is worth showing."""

LONG = 24
"""Characters of a beginning that is worth shortening."""

KEPT = 2
"""Words of a shared beginning that stay before what differs."""


def told_apart(names: Sequence[str]) -> list[str]:
    """Give the names, with the middle left out of beginnings that two different ones share.

    "Garden Association – Council minutes, May" and "… June" become "Garden … Council minutes, May".
    """
    words = {name: tuple(name.split()) for name in names}
    shared = dict.fromkeys(words, 0)
    for one, other in pairwise(sorted(words, key=lambda name: words[name])):
        count = _shared(words[one], words[other])
        for name in (one, other):
            shared[name] = max(shared[name], count)
    return [_shortened(name, words[name], shared[name]) for name in names]


def file_within(path: str, cells: int) -> str:
    """Give as much of the end of a path as fits: the file in its folder, the file, its end."""
    file = path.rsplit("/", 1)[-1]
    for end in ("/".join(path.split("/")[-2:]), file):
        if cell_len(end) <= cells:
            return end
    return f"…{file[1 - cells :]}" if cells >= LEAST_FILE else ""


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the words that both begin with, of which neither is the whole of a name."""
    least = min(len(one), len(other)) - 1
    return next((n for n in range(least) if one[n] != other[n]), max(0, least))


def _shortened(name: str, words: Sequence[str], shared: int) -> str:
    left_out = words[1 : shared - KEPT]
    if not left_out or len(" ".join(words[:shared])) < LONG:
        return name
    return " ".join((words[0], "…", *words[shared - KEPT :]))
