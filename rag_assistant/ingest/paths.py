"""How a file of a folder is named: a relative POSIX path that any store and any screen can hold.

A name of the file system need not be Unicode. `name_of` writes what is not as an escape, and
`locate` undoes it exactly, so every file that was found can be opened by its name.
"""

import re
from pathlib import Path

_NOT_UNICODE = re.compile(r"[\ud800-\udfff]|\\(?=x5c|x[89a-f][0-9a-f]|ud[89a-f][0-9a-f]{2})")
_ESCAPE = re.compile(r"\\(?:x(5c|[89a-f][0-9a-f])|u(d[89a-f][0-9a-f]{2}))")


def name_of(relative: str) -> str:
    r"""Give the name of a relative path as Python has it (PEP 383: surrogates for odd bytes).

    Nearly every name is its own. A byte that is not UTF-8 becomes `\xe9`, as `ls -b` would have it,
    a lone surrogate of a Windows name `\ud83d`; a backslash that would read as one of these
    becomes `\x5c`, so that no two files share a name.
    """
    return _NOT_UNICODE.sub(_escape, relative)


def locate(folder: Path, name: str) -> Path:
    """Give the path that opens the file called `name` in `folder`: the inverse of `name_of`."""
    return folder / _ESCAPE.sub(_unescape, name)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code == 0x5C:
        return r"\x5c"
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def _unescape(found: re.Match[str]) -> str:
    if found[1] == "5c":
        return "\\"
    return chr(0xDC00 + int(found[1], 16)) if found[1] else chr(int(found[2], 16))
