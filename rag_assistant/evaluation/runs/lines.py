"""The lines of a run's files: JSON, one value a line, each with a checksum of its own.

A letter that has turned into another still makes a line that can be read. Lines of before there
were checksums are taken as they are.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

_SUM = "crc32"


def line_of(value: Mapping[str, Any]) -> str:
    """Write a value as a line, the newline included."""
    return json.dumps({**value, _SUM: _sum(value)}) + "\n"


def value_in(line: bytes) -> dict[str, Any]:
    """Read a line. Raises ValueError where it is not what was written."""
    value = json.loads(line.decode())
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    known = value.pop(_SUM, None)
    if known is not None and known != _sum(value):
        raise ValueError("it is not what was written")
    return value


def _sum(value: Mapping[str, Any]) -> int:
    return crc32(json.dumps(value).encode())


def lines_in(path: Path) -> list[bytes]:
    """Give the whole lines of a file. Raises OSError."""
    return path.read_bytes().split(b"\n")[:-1]


def whole_end(path: Path) -> bool:
    """Whether a file ends with a whole line, or is not there. Raises OSError."""
    return not path.exists() or path.read_bytes()[-1:] in (b"", b"\n")


def mend_end(path: Path) -> None:
    """Cut off a last line that a killed process left half written."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)
