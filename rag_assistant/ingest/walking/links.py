"""Symbolic links: what they lead to is read once, and a circle of them ends.

"inside" follows a link only to what the walk does not read at its own path, though it lies in the
top folder (git-annex keeps every file below a hidden folder and links to it); "anywhere" also out
of the top folder; "never" follows none. A folder that is reached over a link is entered once.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from rag_assistant.ingest.paths import name_of

TARGET_MISSING = "link to nothing: its target is missing"
"""Of a link that is followed: what it led to may be on a disk that is not mounted."""


class Links:
    """The links of one walk. `is_read` says of a path from `top` whether the walk reads it."""

    def __init__(
        self,
        top: Path,
        policy: Literal["inside", "anywhere", "never"],
        is_read: Callable[[str], bool],
    ) -> None:
        self._top = os.path.realpath(top)
        self._policy = policy
        self._is_read = is_read
        self._entered: dict[tuple[int, int], str] = {}

    def follow(self, path: str) -> os.stat_result | str:
        """Give the stat of what the link at `path` leads to, or why it is not followed.

        Raises OSError when the way there cannot be gone.
        """
        if self._policy == "never":
            return "symbolic link (links are not followed)"
        try:
            target = os.path.realpath(path, strict=True)
        except FileNotFoundError:
            return TARGET_MISSING
        except OSError as error:
            if error.errno == errno.ELOOP:
                return "link that leads in a circle"
            raise
        inside = self._inside(target)
        if inside is None:
            return "link out of the folder" if self._policy == "inside" else self._stat(target)
        if inside and not self._is_read(inside):
            return self._stat(target)
        return f"link to {name_of(inside) or 'the top folder'}, which is read there"

    def why_not_again(self, path: str, relative: str) -> str:
        """Say under which name a folder met over a link was entered already; "" the first time."""
        if not self._entered:
            top = self._stat(self._top)
            self._entered[top.st_dev, top.st_ino] = ""
        info = self._stat(path)
        before = self._entered.setdefault((info.st_dev, info.st_ino), relative)
        if before == relative:
            return ""
        return f"the same folder as {name_of(before) or 'the top folder'}, which is read there"

    def _inside(self, target: str) -> str | None:
        """Give the path from the top folder, with slashes; None for one that is not in it."""
        if target == self._top:
            return ""
        within = self._top.rstrip(os.sep) + os.sep
        if not target.startswith(within):
            return None
        return target[len(within) :].replace(os.sep, "/")

    @staticmethod
    def _stat(path: str) -> os.stat_result:
        return os.stat(path)  # noqa: PTH116 - a path of any bytes, and hot
