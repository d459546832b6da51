"""From bytes to text: the encoding is told by a mark, by a declaration, by UTF-8, or guessed.

What is decoded holds no lone surrogates and no byte order mark, and its lines end in "\\n". What
looks like a binary file is refused rather than guessed.
"""

import codecs
import re
from dataclasses import dataclass

from rag_assistant.errors import LoadError

HEAD = 65_536
"""Bytes that suffice to tell text from a binary file."""

_GUESSED_FROM = 200_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes({*range(32), 127} - set(b"\b\t\n\f\r\x1b"))
_STRICT_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")

# Candidates for the guess: encodings people's files are in. EBCDIC and the like only add mistakes.
_CANDIDATES = """
    cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 koi8_r iso8859_5 cp866 mac_roman
    cp932 euc_jp gb18030 big5 cp949
""".split()
_OTHER_LATIN = {"cp1250", "cp1254", "cp1257", "mac_roman"}

# A web page or mail may name any codec of Python; some are no text encodings or take for ever.
_DECLARABLE = re.compile(
    r"utf-(8|16|32)|iso8859-|cp\d|koi8|gb|big5|euc_|shift_jis|iso2022_|mac-|johab|hz$|tis-620|ascii"
)
# https://encoding.spec.whatwg.org/#names-and-labels: what the declared names mean in practice.
_MEANT = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the name of the encoding it was in."""

    text: str
    encoding: str


def decode(data: bytes, declared: str = "") -> Decoded:
    """Decode a whole file; `declared` is the encoding it claims, if it claims one.

    A declaration is believed unless the bytes are UTF-8 beyond ASCII, which is never chance.
    Raises LoadError for what looks like a binary file.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data, encoding)
    if looks_binary(data):
        raise LoadError("not text: looks like a binary file", hint="Give it its own suffix.")
    claimed = _meant(declared)
    if b"\x1b$" in data and not claimed and data.isascii():
        claimed = "iso2022_jp"  # seven bits, so it would pass for UTF-8
    if claimed and data.isascii() and (text := _strictly(data, claimed)) is not None:
        return Decoded(_lines(text), claimed)
    if (text := _strictly(data, "utf-8")) is not None:
        return Decoded(_lines(text), "utf-8")
    if claimed and (text := _strictly(data, claimed)) is not None:
        return Decoded(_lines(text), claimed)
    return _decoded(data, claimed or _guess(data))


def looks_binary(data: bytes) -> bool:
    """Say whether bytes without a byte order mark can hardly be text in any encoding."""
    head = data[:HEAD]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return b"\0" in data or controls > 4 + len(head) // 20


def is_strict_text(head: bytes) -> bool:
    """Say whether the first bytes of a file are text beyond doubt: UTF-8, or marked as Unicode.

    Only tabs, line ends and form feeds are allowed among control characters.
    """
    whole = len(head) < HEAD
    head = head[:HEAD]
    encoding = next((name for mark, name in _BOMS if head.startswith(mark)), "utf-8")
    try:
        # Incremental, because the head of a longer file may end within a character.
        text = codecs.getincrementaldecoder(encoding)().decode(head, final=whole)
    except UnicodeDecodeError:
        return False
    return _STRICT_CONTROL.search(text) is None


def _meant(declared: str) -> str:
    try:
        name = codecs.lookup(declared.strip()[:40]).name
    except (LookupError, ValueError):  # ValueError: a NUL in the name
        return ""
    return _MEANT.get(name, name) if _DECLARABLE.match(name) else ""


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
        if encoding != "utf-8":
            text.encode("utf-8")  # some codecs let lone surrogates through; no store takes them
    except UnicodeError:
        return None
    return text


def _decoded(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    text = text.encode("utf-8", "replace").decode("utf-8")
    return Decoded(_lines(text.removeprefix("\ufeff")), encoding.removesuffix("-sig"))


def _lines(text: str) -> str:
    """Make all line ends "\\n"; the carriage return alone is one only in files with no other."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415  most files are UTF-8 and need no guess

    head = data[:_GUESSED_FROM]
    if len(data) > len(head):
        # Not within a character: neither byte is ever a part of one in these encodings.
        end = max(head.rfind(b"\n"), head.rfind(b" "))
        head = head[: end + 1] if end > 0 else head
    best = from_bytes(head, cp_isolation=_CANDIDATES).best()
    guess = best.encoding if best else "cp1252"
    if guess in _OTHER_LATIN and _strictly(data, "cp1252") is not None:
        return "cp1252"  # western text is by far likelier, and is mistaken for these
    return guess
