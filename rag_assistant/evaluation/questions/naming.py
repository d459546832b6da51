"""Naming a few of many in a line: documents, questions, metrics."""

from collections.abc import Iterable
from itertools import islice

MOST_NAMED = 5
"""How many are named, where nothing else is said."""


def first_of(names: Iterable[str], most: int = MOST_NAMED) -> str:
    """Name the first of some, with a sign where there are more."""
    first = list(islice(names, most + 1))
    return ", ".join(first[:most]) + (" …" if len(first) > most else "")
