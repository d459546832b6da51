"""Words, terms and sentences of a text, the way the full-text index sees them.

Terms come from FTS5's own tokeniser, so that snippets and the extractive model agree to the letter
with what the index matched.
"""

import re
import sqlite3
import threading
from collections.abc import Collection, Iterator
from functools import cache

TOKENIZER = "porter unicode61 remove_diacritics 2"
"""FTS5's tokeniser: runs of letters and digits, folded, without diacritics, and Porter's stems."""

_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"[.!?…](?=[\"'”’)\]]*\s)[\"'”’)\]]*\s+|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|e\.g|i\.e|etc|vs|approx|Dr|Mr|Mrs|Ms|St|No|Fig|cf))\.$")

LONGEST_ABBREVIATION = 8
"""Characters looked back for one; looking back further takes quadratic time on "A. A. A."."""

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


class _Tokenizer:
    """FTS5's tokeniser over an empty index in memory, with the terms that it gave before."""

    MOST_KNOWN = 200_000
    """Words remembered, about 20 MB, before the memory starts anew."""

    def __init__(self) -> None:
        # One connection for all threads, each use under the lock.
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            f"CREATE VIRTUAL TABLE words USING fts5(word, tokenize='{TOKENIZER}', content='')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab('words', 'instance')")
        self._known: dict[str, str] = {}

    def terms(self, words: Collection[str]) -> dict[str, str]:
        """Map each word to its term (a word that FTS5 makes several of, to the first)."""
        with self._lock:
            if len(self._known) > self.MOST_KNOWN:
                self._known.clear()
            self._learn([word for word in set(words) if word not in self._known])
            return {word: self._known[word] for word in words}

    def _learn(self, words: list[str]) -> None:
        if not words:
            return
        execute = self._connection.execute
        self._known.update((word, word.lower()) for word in words)
        self._connection.executemany(
            "INSERT INTO words (rowid, word) VALUES (?, ?)", enumerate(words)
        )
        # Last to first, so that the first term of a word is the one that stays.
        for number, term in execute("SELECT doc, term FROM terms ORDER BY doc, offset DESC"):
            self._known[words[number]] = term
        execute("INSERT INTO words (words) VALUES ('delete-all')")


@cache
def _tokenizer() -> _Tokenizer:
    return _Tokenizer()


def terms_by_word(text: str) -> dict[str, str]:
    """Map each distinct word of a text, as written, to its term."""
    return _tokenizer().terms({match[0] for match in words_of(text)})


def terms_of(text: str) -> list[str]:
    """Give the terms of a text in order, stop words and repetitions included."""
    terms = terms_by_word(text)
    return [terms[match[0]] for match in words_of(text)]


def content_terms(text: str) -> dict[str, str]:
    """Map the distinct terms of a text that are no stop words to the words they stand for.

    A text of stop words only ("The Who") gives all its terms, so that it can still be searched.
    """
    by_word = terms_by_word(text)
    words = list(dict.fromkeys(match[0] for match in words_of(text)))
    telling = [word for word in words if word.lower() not in STOP_WORDS] or words
    # Reversed, so that the word that came first is the one a term keeps.
    last_first = {by_word[word]: word for word in reversed(telling)}
    return dict(reversed(last_first.items()))


def sentences_of(text: str) -> list[tuple[int, int]]:
    """Cut a text into sentences and lines: (start, end) spans without surrounding white space."""
    spans: list[tuple[int, int]] = []
    start = 0
    for boundary in _SENTENCE_END.finditer(text):
        punctuated = boundary.group()[0] != "\n"
        before = max(start, boundary.start() - LONGEST_ABBREVIATION)
        if punctuated and _ABBREVIATION.search(text, before, boundary.start() + 1):
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
