"""Whether two entries are versions of one document, by their names and their texts together.

The better the names agree, the less the texts must.
"""

from collections import OrderedDict
from collections.abc import Callable

from rag_assistant.store.version_order import Dated
from rag_assistant.text.likeness import ComparedText, Shingles, agreement

MARKED = 0.5
"""Of the shorter text's shingles: what names with marks ("draft", "v2") must share at least."""

UNMARKED = 0.8
"""Jaccard coefficient of texts whose names differ in their dates, folders or formats alone.

That is high, because reports of two months have such names too, and are no versions.
"""

MOST_COMPARED = 20_000
"""Pairs whose texts are read in one run: some seconds."""

KEPT = 64
"""Texts that are kept, cut into shingles: neighbours are compared one after the other."""


class VersionTexts:
    """Compares the texts of entries, which `read` gives by id; `compared` counts the pairs."""

    def __init__(self, read: Callable[[int], ComparedText]) -> None:
        self.compared = 0
        self._read = read
        self._kept: OrderedDict[int, tuple[ComparedText, Shingles]] = OrderedDict()

    def are_versions(self, one: Dated, other: Dated) -> bool:
        """Say whether these are versions of one document, or nearly the same."""
        self.compared += 1
        (ours, our_shingles), (theirs, their_shingles) = self._text(one), self._text(other)
        if not ours.words or not theirs.words:
            return False
        if one.name.subject == other.name.subject:
            found = agreement(our_shingles, their_shingles)
            if one.name.stem == other.name.stem and one.name.differs_in_marks(other.name):
                return found.containment >= MARKED
            return found.jaccard >= UNMARKED
        return ours.same_as(theirs)

    def _text(self, one: Dated) -> tuple[ComparedText, Shingles]:
        if one.entry_id not in self._kept:
            text = self._read(one.entry_id)
            self._kept[one.entry_id] = text, text.shingles()
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[one.entry_id]
