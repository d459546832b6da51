"""Databases that are kept in a store elsewhere: a small file in a database's place says where.

So all that lists, names, locks, renames or removes databases does so with these as well.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from rag_assistant.errors import IndexDamaged

Sending = Callable[[int, Sequence[int]], None]
"""Is told before documents leave for a store elsewhere: how many bytes, and of which entries."""

Asking = Callable[[str], None]
"""Is told before the words of a search leave for a store elsewhere, which words."""

_MARK = "rag-assistant database elsewhere"
_BEGINS = b'{"is": "rag-assistant'
MOST_BYTES = 10_000
_SMALLEST_PAGE = 512
"""Bytes. A file of SQLite is whole pages of this, or of twice, four times as much and so on."""


@dataclass(frozen=True, slots=True)
class Link:
    """Where a database is: the addresses of its store, and what it is called there.

    `store` is the table of the settings that says how to speak to it, empty for none. `is_owner`
    says that the database was made from this home, so that removing it here removes it there.
    """

    urls: tuple[str, ...]
    database: str
    store: str = ""
    is_owner: bool = False


def link_at(path: Path) -> Link | None:
    """Read the link in a database's place; None where there is a database, or nothing.

    Raises IndexDamaged where it is cut off. A database is told by its size, and never opened here:
    on POSIX systems a process that closes a file loses all locks that it has on it, those of SQLite
    too, and others would overwrite what is being read (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    try:
        size = path.stat().st_size
        written = path.read_bytes() if 0 < size <= MOST_BYTES and size % _SMALLEST_PAGE else b""
    except OSError:
        return None  # whoever opens it says why
    if not written.startswith(_BEGINS):
        return None
    with suppress(ValueError, TypeError, KeyError):
        values = json.loads(written)
        urls = tuple(map(str, values["urls"]))
        names = str(values["database"]), str(values["store"])
        if urls:
            return Link(urls, *names, is_owner=bool(values["is_owner"]))
    raise IndexDamaged(
        f"{path} does not say any more in which store its database is.",
        hint=f"Delete it, and connect again: `rag-assistant connect URL {path.stem}`.",
    )


def write_link(path: Path, link: Link) -> None:
    """Put a link in a database's place."""
    from rag_assistant.files.private_files import private_file, private_folder  # noqa: PLC0415

    private_folder(path.parent)
    text = json.dumps({"is": _MARK, **asdict(link)})
    if len(text.encode()) % _SMALLEST_PAGE == 0:
        text += "\n"  # or it would be taken for a database
    private_file(path).write_text(text, encoding="utf-8")
