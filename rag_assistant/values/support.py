"""How far the sentences of an answer rest on quotes that were found in their sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Support(Enum):
    """What a sentence of an answer rests on."""

    QUOTED = "quoted"
    """On words of a verified quote, word for word."""
    SUPPORTED = "supported"
    """On verified quotes that have its words, and each number, date and name in it."""
    UNSUPPORTED = "unsupported"
    """On nothing that was checked."""
    NO_CLAIM = "no claim"
    """A heading, a greeting, a question, or a word on the search itself: it needs nothing."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start` to `end` of an answer's text, and the citations that they rest on.

    A row of a table and a block of code count as a sentence each.
    """

    start: int
    end: int
    support: Support
    markers: tuple[int, ...] = ()


SHOWN, SHOWN_CHARACTERS = 3, 80
"""Sentences that are named in a line, and characters of each."""


def unsupported_line(text: str, sentences: Sequence[Sentence]) -> str:
    """Say in one line which sentences of an answer rest on no checked quote; "" for none."""
    found = [
        " ".join(text[sentence.start : sentence.end].split())
        for sentence in sentences
        if sentence.support is Support.UNSUPPORTED
    ]
    if not found:
        return ""
    named = " / ".join(
        said if len(said) <= SHOWN_CHARACTERS else f"{said[: SHOWN_CHARACTERS - 1].rstrip()}…"
        for said in found[:SHOWN]
    )
    more = f" / and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    count = "1 sentence rests" if len(found) == 1 else f"{len(found)} sentences rest"
    return f"{count} on no checked quote: {named}{more}"
