"""The beginning of a text file that is too long to be indexed as a whole, and what is behind it."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.ingest.encoding import Decoded, decode
from rag_assistant.ingest.room import line_end, span

_CHUNK = 1_000_000  # bytes
_PARTS = 64  # of the limit: so near to it is the end
_WIDE = {
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark is the first half of this one
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


@dataclass(frozen=True, slots=True)
class TextStart:
    """The text that is read of a file, and how much of the file comes behind it.

    `lines` and `characters` are those behind; both are 0 for a file that is read whole. Where the
    text ends within a line, the rest of that line is the first of these lines.
    """

    decoded: Decoded
    lines: int = 0
    characters: int = 0

    def left_out(self) -> str:
        """Name what is behind: by lines where the text ends with one, else by characters."""
        if not self.characters:
            return ""
        text = self.decoded.text
        if text.endswith("\n"):
            line = text.count("\n")
            return span("line", line + 1, line + self.lines)
        return span("character", len(text) + 1, len(text) + self.characters)


def decode_start(data: bytes, most: int) -> TextStart:
    """Decode the first `most` characters of a file, to the end of a line if one is near.

    No more than that is held in memory beside the bytes. Raises LoadError as `decode` does.
    """
    if len(data) <= most:
        return TextStart(decode(data))
    mark, encoding = _wide(data)
    end = _end_of_most(data, most, encoding)
    if end == len(data):
        return TextStart(decode(data))
    if encoding == "utf-8":
        end = _between_characters(data, data.rfind(b"\n", end - most // _PARTS, end) + 1 or end)
    decoded = decode(data[:end])
    lines, characters = _counted(data[end:], encoding if mark else decoded.encoding)
    text = decoded.text
    if mark and (cut := line_end(text, len(text))) < len(text):
        lines, characters = lines or 1, characters + len(text) - cut
        decoded = Decoded(text[:cut], decoded.encoding)
    return TextStart(decoded, lines, characters)


def _wide(data: bytes) -> tuple[bytes, str]:
    """Give the mark of a file in UTF-16 or UTF-32, and in which order its bytes are."""
    for mark, encoding in _WIDE.items():
        if data.startswith(mark):
            return mark, encoding
    return b"", "utf-8"


def _decoded(data: bytes, encoding: str, size: int) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for start in range(0, len(data), size):
        yield decoder.decode(data[start : start + size])


def _end_of_most(data: bytes, most: int, encoding: str) -> int:
    """Give the byte up to which there are at most `most` characters, and nearly as many."""
    size = max(min(_CHUNK, most // _PARTS) // 4 * 4, 4)
    end = characters = 0
    for text in _decoded(data, encoding, size):
        characters += len(text)
        if characters > most:
            return end
        end += size
    return len(data)


def _between_characters(data: bytes, end: int) -> int:
    """Move an end back that is within a character of UTF-8."""
    for back in range(end, max(end - 4, 0), -1):
        if data[back] & 0xC0 != 0x80:
            return back
    return end


def _counted(data: bytes, encoding: str) -> tuple[int, int]:
    """Count the lines and characters of a rest; a line that nothing ends counts."""
    lines = characters = 0
    last = "\n"
    for text in _decoded(data, encoding, _CHUNK):
        lines += text.count("\n")
        characters += len(text)
        last = text[-1:] or last
    return lines + (last != "\n"), characters
