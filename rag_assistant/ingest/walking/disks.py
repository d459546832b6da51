"""Folders that are disks of their own, so that one that is not mounted is no empty folder.

A disk that is taken away leaves an empty folder, or none. Both look as if every file had been
deleted; only what was there at the last look tells them apart.
"""


class Disks:
    """The disks of one walk. `known` are those of the walk before, by their path in the folder."""

    def __init__(self, known: frozenset[str] = frozenset()) -> None:
        self._known = known
        self._met: set[str] = set()
        self._missing: set[str] = set()

    def why_unseen(self, path: str, *, is_own: bool, is_empty: bool) -> str:
        """Say why a folder cannot be looked into; "" where it can.

        `is_own`: whether it is on another device than the folder that holds it.
        """
        if is_own:
            self._met.add(path)
        elif path in self._known and is_empty:
            self._missing.add(path)
            return "not mounted: a disk of its own at the last run, and an empty folder now"
        return ""

    def absent(self, is_there: set[str]) -> list[str]:
        """Give the disks whose folders were not met at all, once the walk is over."""
        gone = self._known - self._met - self._missing - is_there
        self._missing |= gone
        return sorted(gone)

    def all(self) -> frozenset[str]:
        """Give those to be known in the next walk."""
        return frozenset(self._met | self._missing)
