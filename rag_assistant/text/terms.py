"""Words and terms of a text, the way the full-text index sees them.

Terms come from FTS5's own tokeniser, so that snippets and the extractive model agree to the letter
with what the index matched. `variants_of` gives what FTS5 does not see by itself: words inside
scripts without spaces, parts of CamelCase names, letters that are written in two ways, and signs.
"""

import re
import threading
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise

from rag_assistant.text.mark_ranges import MARKS
from rag_assistant.text.signed_names import signed_words

TOKENIZER = (
    "porter unicode61 remove_diacritics 2"
    " categories ''L* N* Co Mn Mc'' separators ''\N{VS15}\N{VS16}''"
)
"""FTS5's tokeniser: runs of letters, digits and marks, folded, and Porter's stems.

Marks belong to the word, or Hindi, Thai and pointed Arabic would fall into single letters. It is
written as it stands between the quotes of a CREATE statement.
"""

# The first way is that of most words, and finds them in half the time.
_WORD = re.compile(
    rf"[A-Za-z0-9]++(?![^\x00-\x7f])|[^\W_]+(?:[{MARKS}]+[^\W_]*)*|(?:[{MARKS}]+[^\W_]*)+"
)
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

    LONGEST = 8_000
    """Characters of a word that has a term; FTS5 cuts longer ones, maybe within a character."""

    def __init__(self) -> None:
        import sqlite3  # noqa: PLC0415 - what only asks for words needs it not

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
            known = self._known
            new = [word for word in set(words).difference(known) if len(word) <= self.LONGEST]
            if new:
                self._learn(new)
            return {word: known[word] if word in known else word.lower() for word in words}

    def in_order(self, words: Sequence[str]) -> list[str]:
        """Give the term of each word."""
        try:  # nearly all are known, and need not be made distinct
            return [self._known[word] for word in words]
        except KeyError:
            by_word = self.terms(set(words))
            return [by_word[word] for word in words]

    def _learn(self, words: list[str]) -> None:
        # A word of these letters is one token: all of them in one row take a third of the time.
        plain = [word for word in words if word.isascii() and word.isalnum()]
        if plain:
            self._connection.execute("INSERT INTO words VALUES (?)", (" ".join(plain),))
            for place, term in self._connection.execute("SELECT offset, term FROM terms"):
                self._known[plain[place]] = term
            self._connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        if len(plain) < len(words):
            self._learn_each([word for word in words if not (word.isascii() and word.isalnum())])

    def _learn_each(self, words: list[str]) -> None:
        """Learn words of which each may be several tokens, or none."""
        execute = self._connection.execute
        self._known.update((word, word.lower()) for word in words)
        self._connection.executemany(
            "INSERT INTO words (rowid, word) VALUES (?, ?)", enumerate(words)
        )
        # Last to first, so that the first term of a word is the one that stays.
        # Porter's rules count bytes, and leave a part of a character now and then.
        for number, term in execute(
            "SELECT doc, CAST(term AS BLOB) FROM terms ORDER BY doc, offset DESC"
        ):
            self._known[words[number]] = (term or b"").decode("utf-8", "replace")
        execute("INSERT INTO words (words) VALUES ('delete-all')")


@cache
def _tokenizer() -> _Tokenizer:
    return _Tokenizer()


def terms_by_word(text: str) -> dict[str, str]:
    """Map each distinct word of a text, as written, to its term."""
    return _tokenizer().terms(set(words_in(text)))


def terms_of_words(words: Collection[str]) -> dict[str, str]:
    """Map words, as they are cut out of a text, to their terms."""
    return _tokenizer().terms(words)


def terms_of(text: str) -> list[str]:
    """Give the terms of a text in order, stop words and repetitions included."""
    return _tokenizer().in_order(words_in(text))


def content_terms(text: str) -> dict[str, str]:
    """Map the distinct terms of a text that are no stop words to the words they stand for.

    A text of stop words only ("The Who") gives all its terms, so that it can still be searched.
    """
    words = list(dict.fromkeys(words_in(text)))
    by_word = _tokenizer().terms(words)
    telling = [word for word in words if word.lower() not in STOP_WORDS] or words
    # Reversed, so that the word that came first is the one a term keeps.
    last_first = {by_word[word]: word for word in reversed(telling)}
    return dict(reversed(last_first.items()))


_IDEOGRAPHS = (
    "\u3005-\u3007\u3031-\u3035\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_HANGUL = "\uac00-\ud7a3"
_SOUTH_EAST_ASIAN = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f"
    "\u1780-\u17d3\u17d7\u17dc\u17dd"
)


@cache
def _unspaced() -> re.Pattern[str]:
    """Made where it is needed: to compile it takes longer than a small search."""
    return re.compile(rf"[{_IDEOGRAPHS}{_HANGUL}{_SOUTH_EAST_ASIAN}]+")


@cache
def _cluster() -> re.Pattern[str]:
    return re.compile(rf".[{MARKS}]*", re.DOTALL)


_CAMEL = re.compile(r"[a-z]\d*[A-Z]|[A-Z]{2}[a-z]{2}")
# Letters beyond ASCII and the humps of names; begins with a set, which `re` looks for fastest.
# The set is said by what it lacks: to compile a million letters takes 9 ms of every start.
_UNUSUAL = re.compile(r"[^\x00-@\[-\x7f](?:(?<=[^\x00-\x7f])|(?<=[a-z\d][A-Z])|[A-Z][a-z]{2})")
_CAMEL_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[^A-Z\d]+|\d+")
LONGEST_NAME, SHORTEST_PARTS = 64, 2.5
"""Characters of a CamelCase name at most, and of its parts on average at least: else it is data."""

_ACCENTS = re.compile("[\u0300-\u036f]+")
_POINTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+"
)
_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def clusters_of(word: str) -> list[str]:
    """Cut a word into letters, each with the marks that it bears."""
    return _cluster().findall(word)


def is_unspaced(word: str) -> bool:
    """Say whether a word holds a script written without spaces between words, or Hangul."""
    return not word.isascii() and _unspaced().search(_compatible(word)) is not None


def segments_of(word: str, *, closed: bool = True) -> list[str]:
    """Cut a word of a script without spaces into overlapping pairs of letters and the last letter.

    The last one is there so that every letter begins a segment, and a single letter can be found by
    a prefix; what is searched for is not `closed` and leaves it out, unless it stands alone. What
    stands in other scripts between ("PDFファイル") is a segment of its own.
    """
    word = _compatible(word)
    found: list[str] = []
    place = 0
    for run in _unspaced().finditer(word):
        found += words_in(word[place : run.start()])
        letters = clusters_of(run[0])
        found += [first + second for first, second in pairwise(letters)]
        if closed or len(letters) == 1:
            found.append(letters[-1])
        place = run.end()
    return found + words_in(word[place:])


def words_in(text: str) -> list[str]:
    """Give the words of a text as they are written."""
    found: list[str] = _WORD.findall(text)
    return found


def camel_parts(word: str) -> list[str]:
    """Give the parts of a CamelCase name (HTTPServer2: HTTP, Server, 2), none of another word."""
    if len(word) > LONGEST_NAME or not _CAMEL.search(word):
        return []
    parts: list[str] = _CAMEL_PART.findall(word)
    several = sum(len(part) > 1 and part.isalpha() for part in parts) > 1
    return parts if several and len(word) >= SHORTEST_PARTS * len(parts) else []


def folded(word: str) -> str:
    """Give the plainer spelling of a word that FTS5 does not fold by itself, "" if there is none.

    Compatibility forms (ligatures, full width), ß, ø, ł and the like, Arabic and Hebrew points.
    """
    if word.isascii():
        return ""
    plain = accents_off(word)
    full = _POINTS.sub("", unicodedata.normalize("NFKD", word.casefold())).translate(_LETTERS)
    full = unicodedata.normalize("NFC", full)
    return full if full != plain and _WORD.fullmatch(full) else ""


def accents_off(word: str) -> str:
    """Lower a word and take the accents off, as unicode61 does, but without the stem."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word.lower()))
    return unicodedata.normalize("NFC", bare)


def variants_of(*texts: str | None) -> str:
    """Give what else the texts should be found by, as words; "" for ordinary texts.

    Each CamelCase name, signed name and folded spelling once; segments wherever they stand, in
    order.
    """
    found: list[str] = []
    for text in texts:
        once: set[str] = set()
        for word in _unusual_words(text or ""):
            ascii_only = word.isascii()
            if not ascii_only and is_unspaced(word):
                found += segments_of(word) if len(clusters_of(word)) > 1 else []
            elif word not in once:
                once.add(word)
                found += camel_parts(word)
                if not ascii_only and (spelling := folded(word)):
                    found.append(spelling)
        found += signed_words(text or "")
    return " ".join(found)


def _unusual_words(text: str) -> Iterator[str]:
    """Give the words that may have variants. Most texts have few, and are looked through fast."""
    text = unicodedata.normalize("NFC", text)
    place = 0
    while point := _UNUSUAL.search(text, place):
        start = point.start()
        while start > place and text[start - 1].isalnum():
            start -= 1
        word = _WORD.match(text, start)
        place = max(word.end() if word else 0, point.start() + 1)
        if word:
            yield word[0]


def _compatible(word: str) -> str:
    """Give full-width letters and half-width kana as the usual ones; Thai as it is written."""
    wide = any("\uff00" <= letter <= "\uffef" for letter in word)
    return unicodedata.normalize("NFKC", word) if wide else word
