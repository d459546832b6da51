"""Words, stems and sentences of a text, the way the full-text index sees them.

The index tokenises with FTS5's `porter unicode61 remove_diacritics 2`; `terms_of` gives the same
terms, so that snippets and the extractive model agree with what the index matched.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"[.!?…](?=[\"'”’)\]]*\s)[\"'”’)\]]*\s+|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|e\.g|i\.e|etc|vs|approx|Dr|Mr|Mrs|Ms|St|No|Fig|cf))\.$")

STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being
    below between both but by can cannot could did do does doing down during each few for from
    further had has have having he her here hers herself him himself his how i if in into is it its
    itself just may me might more most much must my myself no nor not of off on once one only or
    other ought our ours ourselves out over own same shall she should so some such than that the
    their theirs them themselves then there these they this those through to too under until up us
    upon very was we were what when where which while who whom whose why will with would you your
    yours yourself yourselves s t d ll m re ve don doesn didn isn aren wasn weren won wouldn couldn
    shouldn hasn haven hadn let get got
    """.split()
)
"""English words too common to tell documents apart."""


def words_of(text: str) -> Iterator[re.Match[str]]:
    """Find the words of a text (runs of letters and digits) with their places."""
    return _WORD.finditer(text)


def fold(word: str) -> str:
    """Give `word` in lower case without diacritics."""
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(maxsize=1)
def _stemmer() -> "snowballstemmer.stemmer":
    return snowballstemmer.stemmer("porter")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Give the index's term for `word`: folded, and stemmed by Porter's algorithm of 1980."""
    folded = fold(word)
    return str(_stemmer().stemWord(folded)) if len(folded) > 2 else folded


def terms_of(text: str) -> list[str]:
    """Give the terms of a text in order, stop words and repetitions included."""
    return [stem(match[0]) for match in words_of(text)]


def content_terms(text: str) -> list[str]:
    """Give the distinct terms of a text that are no stop words, in order of first appearance.

    A text of stop words only ("the who") gives all its terms, so that it can still be searched.
    """
    words = [match[0] for match in words_of(text)]
    telling = [word for word in words if fold(word) not in STOP_WORDS]
    return list(dict.fromkeys(stem(word) for word in telling or words))


def sentences_of(text: str) -> list[tuple[int, int]]:
    """Cut a text into sentences and lines: (start, end) spans without surrounding white space."""
    spans: list[tuple[int, int]] = []
    start = 0
    for boundary in _SENTENCE_END.finditer(text):
        punctuated = boundary.group()[0] != "\n"
        if punctuated and _ABBREVIATION.search(text, start, boundary.start() + 1):
            continue
        end = boundary.end()
        spans.append((start, end))
        start = end
    spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(stripped)
