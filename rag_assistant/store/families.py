"""Families of versions: entries that are whole files, of one name or nearly one text, newest first.

Only what is new, or lost a relative, is compared; whatever was cut off before its end is compared
in the next run. A file of records has no families: its names are not its own. What is decided is
the same in whichever engine: it keeps sketches and families, and is asked for them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Protocol

from rag_assistant.store.sketching import Sketch
from rag_assistant.store.version_order import Dated, in_order
from rag_assistant.store.version_texts import MOST_COMPARED, VersionTexts
from rag_assistant.text.likeness import ComparedText

SHARED_HASHES = 0.5
"""Of the hashes of the smaller sketch: what two texts share that are compared at all."""

MOST_IN_ORDER = 1_000
"""Entries that share a sentence whose paths are read for it."""

COMPARED_TOGETHER = 32
"""Pairs that an engine is told of before they are compared."""


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """An entry in its family, which goes by the least id; the newest has place 0.

    `dated` is the day that it is of, ISO 8601; `told_by` what tells it from the next older one.
    """

    entry_id: int
    family: int
    place: int
    dated: str
    told_by: str


class FamilyKeeper(Protocol):
    """What an engine keeps of families and of what they are found by; no entry is hidden from it.

    What was asked for may be remembered until the end of a run.
    """

    @property
    def sketches(self) -> Mapping[int, Sketch]:
        """The sketches of entries that `sharing` gave."""
        ...

    @property
    def dated(self) -> Mapping[int, Dated]:
        """What tells the age of entries that `sharing` or `families` gave."""
        ...

    def new(self) -> Collection[int]:
        """Give the entries whose families are to be looked for."""
        ...

    def families(self) -> Iterable[tuple[int, int]]:
        """Give each entry that is of a family, with the family."""
        ...

    def sharing(self, new: Collection[int]) -> Iterator[tuple[int, Sequence[int]]]:
        """Give the entries that share a key with a new one, by id, with the key; stems first."""
        ...

    def expect(self, entry_ids: Iterable[int]) -> None:
        """Hear whose texts may be asked for next, so that all may be read at once."""
        ...

    def compared(self, entry_id: int) -> ComparedText:
        """Give the text of an entry."""
        ...

    def replace(self, gone: Collection[int], members: Sequence[FamilyMember]) -> None:
        """Take entries out of their families, and write the families that were found."""
        ...


def group_versions(keeper: FamilyKeeper) -> list[str]:
    """Find the families of what is to be compared; give what a person should know of it.

    Of entries with the same stem, and of those that share a sentence, each is compared with its
    neighbours, so the work grows with their number and not with its square.
    """
    new = keeper.new()
    if not new:
        return []
    families = _Families()
    for entry_id, family in keeper.families():
        if entry_id not in new:
            families.join(-family, entry_id)  # no entry has a number below one
    texts = VersionTexts(keeper.compared)
    is_whole = _join_versions(keeper, new, families, texts)
    members = [
        FamilyMember(one.entry_id, family[0], place, one.day, told_by)
        for family in families.members()
        if any(member in new for member in family)
        for place, (one, told_by) in enumerate(in_order([keeper.dated[one] for one in family]))
    ]
    keeper.replace({*new, *(one.entry_id for one in members)}, members)
    if is_whole:
        return []
    return [
        f"{MOST_COMPARED:,} pairs of files that are alike were compared for versions of"
        " one document; the others count as different documents"
    ]


def _join_versions(
    keeper: FamilyKeeper, new: Collection[int], families: "_Families", texts: VersionTexts
) -> bool:
    """Join what are versions of one document; say whether all were compared that may be."""
    pairs = _pairs(keeper, new)
    while some := list(islice(pairs, COMPARED_TOGETHER)):
        keeper.expect(one for pair in some if not families.joined(*pair) for one in pair)
        for one, other in some:
            if families.joined(one, other):
                continue
            if texts.compared == MOST_COMPARED:
                return False
            if texts.are_versions(keeper.dated[one], keeper.dated[other]):
                families.join(one, other)
    return True


class _Families:
    """Which entries belong together: a forest, each tree a family (R. Tarjan, 1975)."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def root(self, entry_id: int) -> int:
        """Give the same number for all of a family."""
        parent = self._parents.get(entry_id, entry_id)
        while parent != entry_id:
            grandparent = self._parents.get(parent, parent)
            self._parents[entry_id] = grandparent
            entry_id, parent = parent, grandparent
        return entry_id

    def joined(self, one: int, other: int) -> bool:
        """Say whether two are of one family already."""
        return self.root(one) == self.root(other)

    def join(self, one: int, other: int) -> None:
        """Make one family of two."""
        self._parents.setdefault(one, one)
        self._parents.setdefault(other, other)
        self._parents[self.root(other)] = self.root(one)

    def members(self) -> Iterator[list[int]]:
        """Give the entries of each family."""
        found: dict[int, list[int]] = {}
        for entry_id in self._parents:
            if entry_id > 0:
                found.setdefault(self.root(entry_id), []).append(entry_id)
        return (sorted(family) for family in found.values() if len(family) > 1)


def _pairs(keeper: FamilyKeeper, new: Collection[int]) -> Iterator[tuple[int, int]]:
    """Give the pairs that may be versions, by their names first; one of each is new."""
    for key, ids in keeper.sharing(new):
        if key < 0:
            yield from _of_one_stem(ids, keeper, new)
            continue
        for a, b in pairwise(_by_path(ids, keeper.dated)):
            if a in new or b in new:
                ours, theirs = keeper.sketches[a].hashes, keeper.sketches[b].hashes
                if len(ours & theirs) >= SHARED_HASHES * min(len(ours), len(theirs)):
                    yield a, b


def _by_path(ids: Sequence[int], dated: Mapping[int, Dated]) -> Sequence[int]:
    """Put entries in an order that is the same however they were indexed, unless they are many."""
    return sorted(ids, key=lambda one: dated[one].path) if len(ids) <= MOST_IN_ORDER else ids


def _of_one_stem(
    ids: Sequence[int], keeper: FamilyKeeper, new: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Give the neighbours in time of entries whose stems have the same number."""
    for stem in dict.fromkeys(keeper.sketches[entry_id].stem for entry_id in ids):
        own = [entry_id for entry_id in ids if keeper.sketches[entry_id].stem == stem]
        ordered = [one.entry_id for one, _ in in_order([keeper.dated[one] for one in own])]
        yield from ((a, b) for a, b in pairwise(ordered) if a in new or b in new)
