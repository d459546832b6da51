"""How much two texts have in common, by their runs of three words, and when they say the same.

Nearly the same are texts whose runs agree to 95 % and whose numbers agree entirely, because two
versions of a price are two answers.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from struct import pack, unpack
from zlib import crc32

from rag_assistant.text.terms import words_in

ALIKE = 0.95
"""Jaccard coefficient of the shingles from which two texts are the same."""

SHINGLE = 3
"""Words of a shingle."""

LONGEST = 50_000
"""Characters of a text that is compared word by word; of longer ones, the beginning is."""

SKETCHED, SHORTEST_SENTENCE = 12, 30
"""Sentences in a sketch, and bytes of one that tells texts apart."""

_HASH_BYTES = 4


def _lowering(encoding: str) -> bytes:
    """Make what turns the letters and digits of an encoding lower, and all else into spaces."""
    letters = (bytes([code]).decode(encoding, "replace") for code in range(256))
    kept = (letter.lower() if letter.isalnum() else " " for letter in letters)
    return "".join(kept).encode(encoding)


_WESTERN = "cp1252"
"""Has the dashes, quotation marks and currency signs that most passages have beyond ASCII."""

_ASCII_WORDS, _WESTERN_WORDS = _lowering("latin-1"), _lowering(_WESTERN)

Shingles = frozenset[tuple[str, ...]]


def lower_words(text: str) -> list[str]:
    """Give the words of a text in lower case; fast where it is of Western letters, as most are."""
    if text.isascii():
        return text.encode().translate(_ASCII_WORDS).decode().split()
    try:
        written = text.encode(_WESTERN)
    except UnicodeEncodeError:
        return [word.lower() for word in words_in(text)]
    return written.translate(_WESTERN_WORDS).decode(_WESTERN).split()


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A text as it is compared: a hash of the whole, and its words, of a long one the first."""

    hash: str
    words: Sequence[str]
    is_whole: bool = True

    def shingles(self) -> Shingles:
        """Give its runs of three words; a shorter text is one run."""
        words = self.words
        if len(words) < SHINGLE:
            return frozenset({tuple(words)})
        return frozenset(zip(words, islice(words, 1, None), islice(words, 2, None), strict=False))

    def numbers(self) -> Counter[str]:
        """Count its words that are no plain words: numbers, codes."""
        return Counter(word for word in self.words if not word.isalpha())

    def same_as(self, other: "ComparedText") -> bool:
        """Say whether the texts are copies or nearly the same."""
        if self.hash == other.hash:
            return True
        if not (self.is_whole and other.is_whole):
            return False
        fewer, more = sorted((len(self.words), len(other.words)))
        if fewer < ALIKE * more or not fewer or self.numbers() != other.numbers():
            return False
        return agreement(self.shingles(), other.shingles()).jaccard >= ALIKE


@dataclass(frozen=True, slots=True)
class Agreement:
    """Shared shingles: of all that either text has, and of those of the shorter one."""

    jaccard: float
    containment: float


def agreement(one: Shingles, other: Shingles) -> Agreement:
    """Compare two texts by their shingles."""
    shared = len(one & other)
    return Agreement(
        shared / max(1, len(one) + len(other) - shared),
        shared / max(1, min(len(one), len(other))),
    )


def compared_text(text_hash: str, length: int, beginning: str) -> ComparedText:
    """Prepare a text for comparison: given its hash, its length and LONGEST characters or more."""
    return ComparedText(text_hash, lower_words(beginning[:LONGEST]), length <= LONGEST)


def sketch_of(texts: Iterable[str]) -> bytes:
    """Give the least hashes of a text's lines and sentences: most of two texts that are alike.

    `texts` are the parts of the text, in order. The k least hashes of a set are a uniform sample of
    it, alike for all sets (A. Broder, "On the resemblance and containment of documents", 1997).
    """
    text = "".join(texts)[:LONGEST].lower().encode("utf-8", "replace")
    # Methods of bytes alone: they take a fraction of the time that a pattern does.
    pieces = text.replace(b"\n", b".").split(b".")
    hashes = sorted({crc32(piece.strip()) for piece in pieces if len(piece) >= SHORTEST_SENTENCE})
    least = hashes[:SKETCHED]
    return pack(f">{len(least)}I", *least)


def hashes_in(sketch: bytes) -> tuple[int, ...]:
    """Give the hashes of a sketch, least first."""
    return unpack(f">{len(sketch) // _HASH_BYTES}I", sketch)
