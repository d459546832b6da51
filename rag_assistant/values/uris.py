"""Addresses of entries for other programs: `rag://DATABASE/ID`, with `?start=A&end=B` for a place
in it, in characters of its text. Names of databases need no escaping."""

import re

SCHEME = "rag"

_FORM = re.compile(
    rf"{SCHEME}://(?P<database>[a-z0-9_-]{{1,40}})/(?P<id>\d{{1,18}})"
    r"(?:\?start=(?P<start>\d{1,18})(?:&end=(?P<end>\d{1,18}))?)?"
)


def entry_uri(
    database: str, entry_id: int, start: int | None = None, end: int | None = None
) -> str:
    """Write the address of an entry, or of a place in it."""
    place = "" if start is None else f"?start={start}"
    place += "" if start is None or end is None else f"&end={end}"
    return f"{SCHEME}://{database}/{entry_id}{place}"


def read_entry_uri(written: str) -> tuple[str, int, int, int | None] | None:
    """Read an address: database, id, start and end; None for what is none."""
    match = _FORM.fullmatch(written)
    if match is None:
        return None
    end = match["end"]
    return match["database"], int(match["id"]), int(match["start"] or 0), int(end) if end else None
