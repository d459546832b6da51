"""Text as it reads, however it is written: the form in which words are compared with rules.

Letters that look alike become one, what cannot be seen is gone, case, accents and widths do not
count. Each offset of the folded text leads back to the text that it came from.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

TAGS = range(0xE0020, 0xE007F)
"""Invisible doubles of ASCII (Unicode 15.0, 23.9): text in them is read by models only."""

_ASCII = bytes(range(128))
_FEW = 60
_TAGS_BEGIN = 0xE0000
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)  # on letters of any kind; the vowel signs of some scripts are marks, too, and stay
_LOOKALIKES = {
    **dict(zip("аеорсухіјѕһԁԛԝкмтвпүӏ", "aeopcyxijshdqwkmtbnyl", strict=True)),  # Cyrillic
    **dict(zip("αορνεικτυχη", "aopveiktuxn", strict=True)),  # Greek
    **dict(zip("օսɡıʋ", "ougiv", strict=True)),  # Armenian, and letters of phonetics
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("‘’‚‛", "'"),
    **dict.fromkeys("“”„«»", '"'),
}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, `cased` as far as ASCII goes and `text` in lower case.

    `steps` and `origins` are places in it and in the original, from which on both go in step.
    """

    cased: str
    text: str
    steps: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)

    def origin(self, offset: int) -> int:
        """Give the offset in the original of one in the folded text."""
        step = bisect_right(self.steps, offset) - 1
        origin = self.origins[step] + offset - self.steps[step]
        following = self.origins[step + 1 : step + 2]
        return min(origin, *following) if following else origin


def fold(text: str) -> Folded:
    """Fold a text, in time linear in its length."""
    same_length: dict[str, str] = {}
    others: dict[str, str] = {}
    for character in beyond_ascii(text):
        folded = _folded(character)
        if len(folded) != 1:
            others[character] = folded
        elif folded != character:
            same_length[character] = folded
    if len(same_length) > _FEW:
        text = text.translate({ord(one): folded for one, folded in same_length.items()})
    else:  # each pass is so fast that a few are faster than one that looks at all letters
        for character, folded in same_length.items():
            text = text.replace(character, folded)
    return _replaced(text, others) if others else Folded(text, text.lower())


def beyond_ascii(text: str) -> frozenset[str]:
    """Give the characters of a text that are not ASCII, by way of its bytes: the fastest."""
    if text.isascii():
        return frozenset()
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return frozenset(rest.decode("utf-8", "surrogatepass"))


def flat(text: str) -> str:
    """Fold a text and its white space, to compare words wherever they were copied to."""
    return " ".join(fold(text).text.split())


def _replaced(text: str, replacements: Mapping[str, str]) -> Folded:
    """Put in place of characters what is not one character, and keep count of the offsets."""
    wanted = re.compile(f"[{''.join(map(re.escape, replacements))}]+")
    parts: list[str] = []
    steps, origins = [0], [0]
    length = position = 0
    for found in wanted.finditer(text):
        parts.append(text[position : found.start()])
        parts.append("".join(replacements[character] for character in found[0]))
        length += len(parts[-2]) + len(parts[-1])
        position = found.end()
        steps.append(length)
        origins.append(position)
    parts.append(text[position:])
    cased = "".join(parts)
    return Folded(cased, cased.lower(), tuple(steps), tuple(origins))


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """Give what a character reads as: often one letter, nothing where nobody sees it."""
    code = ord(character)
    if code in TAGS:
        return chr(code - _TAGS_BEGIN).lower()
    category = unicodedata.category(character)
    if category == "Cf" or character in _FILLERS or _MARKS.match(character):
        return ""
    if category in ("Zl", "Zp"):
        return "\n"
    parts = _MARKS.sub("", unicodedata.normalize("NFKD", character).lower())
    if len(parts) > 1 and not unicodedata.decomposition(character).startswith("<"):
        return character  # made of parts, as in Korean and in the scripts of India
    return "".join(_LOOKALIKES.get(part, part) for part in parts)
