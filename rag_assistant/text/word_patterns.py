"""Patterns of many words, made so that few letters decide."""

import re
from collections.abc import Iterable


def any_of(words: Iterable[str]) -> str:
    """Give a pattern of words, with capitals or without; words share their beginnings in it.

    Several times as fast as alternatives under `re.IGNORECASE`. Where one word begins another,
    the longer one is tried first.
    """
    by_first: dict[str, set[str]] = {}
    for word in words:
        by_first.setdefault(word[:1], set()).add(word[1:])
    branches = [_letter(first) + any_of(rest) for first, rest in sorted(by_first.items()) if first]
    pattern = f"(?:{'|'.join(branches)})" if branches else ""
    return pattern + "?" if "" in by_first and branches else pattern


def _letter(letter: str) -> str:
    small, capital = letter.lower(), letter.upper()
    both = small != capital and len(capital) == 1
    return f"[{capital}{small}]" if both else re.escape(letter)
