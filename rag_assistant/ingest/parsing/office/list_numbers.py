"""The numbers that lists of several levels show ("2.1", "(b)", "Article IV"), counted paragraph by
paragraph as word processors do.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rag_assistant.ingest.parsing.office.numerals import numeral

DEEPEST_LEVEL = 10
"""Levels that a list may have: nine in Word, ten in OpenDocument."""

_PLACE = re.compile(r"%(\d{1,2})")


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How the items of one level of a list are numbered.

    `pattern` has %1 for the number of the first level, and so on; one without them is shown as it
    stands, and an empty one not at all. `restarts_after` is the level, from 1, whose items start
    this one anew, as those of all above it do: 0 for none, None for the level above. `digits`: all
    numbers of its pattern are shown in digits.
    """

    form: str = "decimal"
    pattern: str = ""
    start: int = 1
    restarts_after: int | None = None
    digits: bool = False


class ListNumbers:
    """Counts the items of one list; levels are from 0."""

    def __init__(self, levels: Mapping[int, ListLevel]) -> None:
        self._levels = levels
        self._counts: dict[int, int] = {}

    def next(self, level: int, start: int | None = None) -> str:
        """Count an item, from `start` where it is given, and give what is shown before it."""
        known = self._levels.get(level, ListLevel())
        if start is not None:
            self._counts[level] = start
        else:
            self._counts[level] = self._counts.get(level, known.start - 1) + 1
        for above in range(level):  # one that no item had counts as had, once
            if above in self._levels:
                self._counts.setdefault(above, self._levels[above].start)
        for deeper in [one for one in self._counts if one > level]:
            last = self._levels.get(deeper, ListLevel()).restarts_after
            if last is None or level < last:
                del self._counts[deeper]
        return self._shown(known)

    def _shown(self, known: ListLevel) -> str:
        def number(place: re.Match[str]) -> str:
            level = int(place[1]) - 1
            of = self._levels.get(level, ListLevel())
            return numeral(
                self._counts.get(level, of.start),
                "decimal" if known.digits and of.form != "none" else of.form,
            )

        return " ".join(_PLACE.sub(number, known.pattern).split())


@dataclass(frozen=True, slots=True)
class NumberedList:
    """A list of a Word document: lists of one `kind` go on counting where the one before stopped.

    `starts` are the levels that it starts anew when it first uses them. One with levels of its
    `own` counts for itself.
    """

    kind: str
    levels: Mapping[int, ListLevel]
    starts: Mapping[int, int] = field(default_factory=dict)
    own: bool = False


class NumberedLists:
    """Counts the paragraphs of a Word document's lists, in their order. `find` gives a list."""

    def __init__(self, find: Callable[[str], NumberedList | None]) -> None:
        self._find = find
        self._shared: dict[str, ListNumbers] = {}  # of each kind of list
        self._counted: dict[str, tuple[ListNumbers, dict[int, int]]] = {}  # of each list

    def mark(self, identity: str, level: int) -> str:
        """Count a paragraph of a list, and give its number; empty for a bullet or no list."""
        if identity not in self._counted:
            found = self._find(identity)
            if found is None:
                return ""
            if found.own:
                numbers = ListNumbers(found.levels)
            else:
                numbers = self._shared.setdefault(found.kind, ListNumbers(found.levels))
            self._counted[identity] = numbers, dict(found.starts)
        if not 0 <= level < DEEPEST_LEVEL:
            return ""
        numbers, starts = self._counted[identity]
        return numbers.next(level, starts.pop(level, None))
