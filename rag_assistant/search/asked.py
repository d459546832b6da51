"""What a text asks for, before any database is looked at: read once, whichever are searched.

The last word of a text that is still being typed may be the beginning of one.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_assistant.search.query_language import Parsed, parse
from rag_assistant.search.wording import Wanted, wanted_words
from rag_assistant.text.terms import STOP_WORDS, accents_off, terms_by_word, words_in

LONGEST_TEXT = 250_000
"""Characters of a text that are read as a query."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A text taken apart. `words` are the plain ones, `wanted` says what they are looked up as.

    `prefixes` are to be completed; `terms` maps the index terms to be counted to a word for each.
    While a person is `typing`, nothing is corrected.
    """

    text: str
    parsed: Parsed
    words: Sequence[str]
    wanted: Wanted
    prefixes: Sequence[str]
    terms: Mapping[str, str]
    typing: bool
    notes: tuple[str, ...] = ()


def read_query(text: str, *, typing: bool = False) -> Asked:
    """Take any text apart."""
    read = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    # Composed, because a letter and its loose accent are one letter to FTS5 and two to a pattern.
    parsed = parse(unicodedata.normalize("NFC", read))
    words = words_in(parsed.plain)
    begun = words[-1:] if typing and _is_begun(read, words) else []
    prefixes = [prefix for prefix in (*parsed.prefixes, *begun) if _begins_words(prefix)]
    wanted = _wanted(parsed, bool(prefixes))
    cut = f"searched for the first {LONGEST_TEXT:,} characters"
    return Asked(
        text,
        parsed,
        words,
        wanted,
        [*prefixes, *wanted.openings],
        _terms(wanted),
        typing,
        (cut,) if len(text) > LONGEST_TEXT else (),
    )


def _is_begun(text: str, words: list[str]) -> bool:
    """Say whether the text ends within a word that is long enough to be completed.

    A stop word after other words is at its end: to complete it would find half of all passages.
    """
    if not words or not text.endswith(words[-1]) or len(words[-1]) < 2:
        return False
    return words[-1].lower() not in STOP_WORDS or STOP_WORDS.issuperset(map(str.lower, words))


def _begins_words(prefix: str) -> bool:
    """Say whether something is left of a prefix without its marks: all words begin with nothing."""
    return bool(accents_off(words_in(prefix)[-1]))


def _wanted(parsed: Parsed, has_prefixes: bool) -> Wanted:
    """Give what to look up. Stop words stand for themselves only where nothing else is asked."""
    alone = not (parsed.phrases or has_prefixes or parsed.filters)
    wanted = wanted_words(parsed.plain, stop_words=alone)
    for phrase in parsed.phrases:
        for word in wanted_words(phrase, stop_words=True).shares:
            wanted.add(word)
    return wanted


def _terms(wanted: Wanted) -> dict[str, str]:
    """Give the terms of the words and of the parts of compounds, each with a word for it."""
    by_word = terms_by_word(" ".join(wanted.shares))
    parts = terms_by_word(" ".join(word for words in wanted.compounds for word in words))
    return {term: word for word, term in (parts | by_word).items()}
