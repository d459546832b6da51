"""A text as words with their places, levelled so that layout, case and hyphens make no difference.

Numbers and signs that change a figure (%, £, <) are words of their own and are never joined to
what stands beside them; all other punctuation counts for nothing.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from rag_assistant.text.numerals import plain_number
from rag_assistant.text.terms import clusters_of, is_unspaced

_PUNCTUATION = (
    "\x00-@\\[-`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf×÷\u0589\u060c\u061b\u061f\u06d4\u0964\u0965"
    "\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u30fb"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufe00-\ufe0f\ufeff"
)
_LETTERS = rf"[^\s\d{_PUNCTUATION}]+"
_WORD = re.compile(
    rf"(?P<letters>{_LETTERS}(?:['’]{_LETTERS})*)"
    r"|(?P<number>(?:(?:(?<=[\s(])|^)[-−](?=\d))?\d+(?:[.,:]\d+)*)"
    r"|[%‰°§±\u20a0-\u20cf$£¥]|[<>≤≥~=+](?=\s?\d)",
    re.MULTILINE,
)

APART = "\x1f"
"""Stands on both sides of a number or sign where words are joined: 5 10 is not 510."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text in order: `forms` levelled, `starts` and `ends` their places in it."""

    text: str
    forms: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    joined: str = field(init=False)
    _offsets: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        # A hyphen, a line's end or nothing at all between two words is the same when joined.
        object.__setattr__(self, "joined", "".join(self.forms))
        object.__setattr__(self, "_offsets", [0, *accumulate(map(len, self.forms))])

    def __len__(self) -> int:
        return len(self.forms)

    def find(self, wanted: "Words", start: int = 0) -> tuple[int, int] | None:
        """Give the first run of whole words, from word `start` on, that is `wanted` to the word.

        At most MOST_TRIES places are looked at.
        """
        if not wanted.joined:
            return None
        offsets, at = self._offsets, self._offsets[start]
        for _ in range(MOST_TRIES):
            at = self.joined.find(wanted.joined, at)
            if at < 0:
                return None
            first, last = bisect_left(offsets, at), bisect_left(offsets, at + len(wanted.joined))
            if offsets[first] == at and offsets[last] == at + len(wanted.joined):
                return first, last
            at += 1
        return None

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Give the place in the text of the words from `first` up to, not with, `last`."""
        return self.starts[first], self.ends[last - 1]


MOST_TRIES = 2_000
"""Places at which joined words may begin within a word before they count as not there."""


def words_of(text: str) -> Words:
    """Cut a text into levelled words, in time in proportion to it."""
    forms: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _WORD.finditer(text):
        written, start = match[0], match.start()
        if match.lastgroup == "letters" and not written.isascii() and is_unspaced(written):
            for letter in clusters_of(written):
                forms.append(levelled(letter))
                starts.append(start)
                start += len(letter)
                ends.append(start)
            continue
        if match.lastgroup == "letters":
            forms.append(levelled(written))
        elif match.lastgroup == "number":
            forms.append(f"{APART}{plain_number(written)}{APART}")
        else:
            forms.append(f"{APART}{written}{APART}")
        starts.append(start)
        ends.append(match.end())
    return Words(text, forms, starts, ends)


def levelled(word: str) -> str:
    """Give a word in its plainest letters, without apostrophes."""
    if word.isascii():
        return word.lower().replace("'", "")
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "").replace("'", "")
