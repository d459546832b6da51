"""The words of a PDF made whole: broken ones joined, ligatures spelled out, stray controls gone.

PDFium marks a word broken at the end of a line, so whether its hyphen stays can be decided by how
the rest of the document writes it. Lines are kept: a page has as many after as before.
"""

import re
from collections.abc import Iterable

_BREAK = "[\ufffe\x02]"
_BROKEN_WORD = re.compile(rf"(?<![\w-])[\w-]++{_BREAK}[\w-]++")
_HALVES = re.compile(rf"(?<!\w)(\w++){_BREAK}(\w++)")
_WORD = re.compile(r"\w+(?:-\w+)*")
_MARK = re.compile(_BREAK)
_PREFIXES = frozenset("non pre post self co re anti multi semi sub inter intra quasi cross".split())
# Controls but tab and newline; soft hyphen; zero-width, but not the joiners that scripts need.
_STRAY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff\uffff]")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_SPELLED = dict(
    zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", "ff fi fl ffi ffl st st".split(), strict=True)
)


def vocabulary_of(pages: Iterable[str]) -> frozenset[str]:
    """Collect the unbroken words of a document, in lower case; none when no word is broken."""
    pages = list(pages)
    if not any(_MARK.search(page) for page in pages):
        return frozenset()
    words: set[str] = set()
    for page in pages:
        words.update(_WORD.findall(_BROKEN_WORD.sub(" ", page).lower()))
    return frozenset(words)


def mended(page: str, vocabulary: frozenset[str]) -> str:
    """Give the text of a page with its words made whole."""
    if _MARK.search(page):
        page = _HALVES.sub(lambda halves: _joined(halves[1], halves[2], vocabulary), page)
        page = _MARK.sub("-", page)  # between no two letters, it was a hyphen
    page = _LIGATURE.sub(lambda found: _SPELLED[found[0]], page)
    return _STRAY.sub("", page)


def _joined(first: str, second: str, vocabulary: frozenset[str]) -> str:
    left, right = first.lower(), second.lower()
    if left + right in vocabulary:
        return first + second
    compound = left in _PREFIXES or (left in vocabulary and right in vocabulary)
    return f"{first}-{second}" if compound or f"{left}-{right}" in vocabulary else first + second
