"""Text that is there in a form which people do not read and models do: Base64, hexadecimal, escapes
of URLs and HTML, letters turned round, shifted or set apart.

What is decoded is only looked at; a run that no one can read is told when it is long.
"""

import base64
import binascii
import codecs
import html
import itertools
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from rag_assistant.injection.rules import Rule

_SHORTEST = 24
_MOST_DECODED = 20_000
_MOST_TRIED = 2_000
LONG = 400
"""Characters of a run without a space from which on it is no word of any language."""

_LONG_RUN = b"x" * _SHORTEST
_WORDS_AS_X = bytes(
    ord("x") if 32 < code < 127 and code != ord("?") else ord(" ") for code in range(256)
)
_RUN = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?:(?:\\x|0x)?[0-9a-fA-F]{2}){20,}")
_ESCAPES = re.compile(r"(?:%[0-9a-fA-F]{2}){8,}|(?:&#x?[0-9a-fA-F]{2,6};){8,}")
_PRINTED = 0.9
_LEET = str.maketrans("013457@$", "oieastas")
_NUMBERS = {"o": "0", "i": "1", "e": "3", "a": "4", "s": "5"}
_KEY_WORDS = ("ignore", "disregard", "instructions", "previous", "prompt", "assistant")
_DISGUISE = "holds instructions in disguised letters"


def _numbered(word: str) -> frozenset[str]:
    """Give the ways to write a word with numbers for some of its letters."""
    ways = [letter + _NUMBERS.get(letter, "") for letter in word]
    return frozenset(map("".join, itertools.product(*ways))) - {word}


def _disguise(signs: frozenset[str], undo: Callable[[str], str]) -> Rule:
    pattern = rf"\b(?:{'|'.join(sorted(signs))})\b"
    return Rule("encoded", _DISGUISE, pattern, (signs,), undo=undo)


def _set_together(text: str) -> str:
    """Join letters that stand apart; a wider gap is the only sign of where a word ends."""
    runs = "".join(run[0] for run in _LETTERS.finditer(text))
    wide = re.sub(r"(?<=\w)[ ._*|-](?=\w)", "", runs)
    return f"{wide}\n{re.sub(r'[^a-z0-9]', '', runs)}"


_LETTERS = re.compile(r"(?<!\w)\w(?:[ ._*|-]{1,3}\w(?!\w)){5,80}[ ._*|-]{0,3}")
DISGUISES = (
    _disguise(
        frozenset(codecs.encode(word, "rot13") for word in _KEY_WORDS),
        lambda text: codecs.decode(text, "rot13"),
    ),
    _disguise(frozenset(word[::-1] for word in _KEY_WORDS), lambda text: text[::-1]),
    _disguise(frozenset().union(*map(_numbered, _KEY_WORDS)), lambda text: text.translate(_LEET)),
    Rule(
        "encoded",
        _DISGUISE,
        _LETTERS.pattern,
        tuple(frozenset(letter) for letter in "ignore"),
        undo=_set_together,
    ),
)
"""Rules that count only where the text, with the disguise undone, gives orders."""


def encoded(text: str, is_order: Callable[[str], bool]) -> Iterator[tuple[int, int, str]]:
    """Give the places of what decodes to an order by `is_order`, or is long and opaque, and why."""
    for tried, (start, end) in enumerate(_long_words(text)):
        word = "".join(text[start:end].split())[:_MOST_DECODED]
        if tried < _MOST_TRIED and any(map(is_order, _readings(word))):
            yield start, end, "decodes to instructions"
        elif end - start >= LONG and any(_is_opaque(run) for run in _RUN.findall(word)):
            yield start, end, "holds a long run of characters that is no text"


def undisguised(text: str) -> Iterator[str]:
    """Give what a text says in other forms: its runs decoded, its letters shifted or turned round.

    These are readings to compare with, none of them meant to be shown.
    """
    for start, end in itertools.islice(_long_words(text), _MOST_TRIED):
        yield from _readings("".join(text[start:end].split())[:_MOST_DECODED])
    yield codecs.decode(text, "rot13")
    yield text[::-1]


def _long_words(text: str) -> Iterator[tuple[int, int]]:
    """Give the spans of long words, those on neighbouring lines together."""
    # A byte for each character, and only two kinds of them: the fastest way to see runs.
    runs = text.encode("latin-1", "replace").translate(_WORDS_AS_X)
    start = end = -1
    at = runs.find(_LONG_RUN)
    while at >= 0:
        close = runs.find(b" ", at)
        close = close if close >= 0 else len(runs)
        if end >= 0 and at - end <= 3:
            end = close
        else:
            if end >= 0:
                yield start, end
            start, end = at, close
        at = runs.find(_LONG_RUN, close)
    if end >= 0:
        yield start, end


def _readings(word: str) -> Iterator[str]:
    for found in _RUN.finditer(word):
        yield from _as_text(_base64(found[0]))
    for found in _HEX.finditer(word):
        digits = re.sub(r"\\x|0x", "", found[0])
        yield from _as_text(binascii.unhexlify(digits[: len(digits) // 2 * 2]))
    if _ESCAPES.search(word):
        yield html.unescape(unquote(word))


def _base64(run: str) -> bytes:
    """Decode a run of the usual or the URL-safe alphabet (RFC 4648, 4 and 5)."""
    run = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(run[: len(run) - (len(run) % 4 == 1)] + "=" * (-len(run) % 4))
    except binascii.Error:
        return b""


def _as_text(data: bytes) -> Iterator[str]:
    for encoding in ("utf-8", "utf-16-le"):
        said = data.decode(encoding, "ignore")
        if said and sum(map(str.isprintable, said)) >= _PRINTED * len(said):
            yield said


def _is_opaque(run: str) -> bool:
    """Whether a long run mixes capitals, small letters and digits, or is hexadecimal."""
    if len(run) < LONG:
        return False
    kinds = (str.islower, str.isupper, str.isdigit)
    return all(any(map(kind, run)) for kind in kinds) or _HEX.fullmatch(run) is not None
