"""The lines of vCard and iCalendar files (RFC 6350 and 5545, and vCard 2.1 before them): folded
lines joined, parameters parted from values, and values without their escapes.
"""

import quopri
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag_assistant.ingest.encoding import decode

_FOLD = re.compile(r"\n[ \t]")
_SOFT_BREAK = re.compile(r"=\n[ \t]?")
_QUOTED_PRINTABLE = re.compile(r"quoted-printable", re.IGNORECASE)
_PART = re.compile(r'(?:"[^"]*+"|[^";:])*+')
_NAME = re.compile(r"(?:[\w-]{1,60}\.)?([A-Za-z][\w-]{0,60})\Z")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED = re.compile(r"(?<!\\);")
_LONGEST_HEAD = 2000  # characters of a name with its parameters


@dataclass(frozen=True, slots=True)
class PropertyLine:
    """A property: its name in upper case, its parameters by theirs, and its value as written."""

    name: str
    parameters: Mapping[str, str]
    value: str

    @property
    def text(self) -> str:
        """Give the value as text."""
        return _plain(self.value)

    @property
    def parts(self) -> list[str]:
        """Give the parts of a structured value, such as an address, without the empty ones."""
        return [said for part in _UNESCAPED.split(self.value) if (said := _plain(part))]

    @property
    def types(self) -> str:
        """Give what kind of address or number it is, as "work, cell"."""
        said = self.parameters.get("TYPE", "").lower().split(",")
        return ", ".join(kind for kind in said if kind not in ("", "pref", "internet", "voice"))


def content_lines(text: str) -> Iterator[PropertyLine]:
    """Give the properties of a file in order; lines that are none are passed over."""
    if _QUOTED_PRINTABLE.search(text):
        text = _SOFT_BREAK.sub("", text)
    start, folded = 0, _FOLD.sub("", text)
    while start < len(folded):
        end = folded.find("\n", start)
        end = len(folded) if end < 0 else end
        if line := _parsed(folded[start:end]):
            yield line
        start = end + 1


def _parsed(line: str) -> PropertyLine | None:
    head = line[:_LONGEST_HEAD]
    parts: list[str] = []
    at = 0
    while at < len(head):
        found = _PART.match(head, at)
        stop = found.end() if found else at
        parts.append(head[at:stop])
        at = stop + 1
        if head[stop : stop + 1] != ";":
            break
    if head[at - 1 : at] != ":" or not (name := _NAME.match(parts[0].strip())):
        return None
    parameters: dict[str, str] = {}
    for part in parts[1:]:
        key, equals, value = part.partition("=")
        if not equals:  # of vCard 2.1: TEL;HOME;CELL:…
            key, value = "TYPE", key
        key = key.strip().upper()
        before = parameters.get(key, "")
        parameters[key] = f"{before},{value.strip(chr(34))}" if before else value.strip('"')
    return PropertyLine(name[1].upper(), parameters, _unwrapped(line[at:], parameters))


def _unwrapped(value: str, parameters: Mapping[str, str]) -> str:
    said = f"{parameters.get('ENCODING', '')},{parameters.get('TYPE', '')}".upper()
    if "QUOTED-PRINTABLE" not in said:
        return value
    data = quopri.decodestring(value.encode("utf-8", "replace"))
    return decode(data, parameters.get("CHARSET", "")).text.replace("\n", "\\n")


def _plain(value: str) -> str:
    text = _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
    return "\n".join(line.strip() for line in text.split("\n")).strip()
