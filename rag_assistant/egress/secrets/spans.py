"""Spans of a text that are secret, and how several readers' spans become one list."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretSpan:
    """A secret in a text: what it is, and the characters from `start` to before `end`."""

    name: str
    start: int
    end: int


def without_overlaps(spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Give spans in their order; those that overlap become one, named as the first of them."""
    kept: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end > kept[-1].end:
            kept[-1] = SecretSpan(kept[-1].name, kept[-1].start, span.end)
    return kept
