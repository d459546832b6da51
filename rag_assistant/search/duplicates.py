"""Entries that say the same: the best of them is shown, and it names the others.

Copies have the same text. Nearly the same are texts whose runs of three words agree to 95 % and
whose numbers agree entirely, because two versions of a price are two answers.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from rag_assistant.search.pool import lower_words

ALIKE = 0.95
"""Jaccard coefficient of the shingles from which two texts are the same."""

SHINGLE = 3
"""Words of a shingle."""

LONGEST = 50_000
"""Characters of an entry that is compared word by word; longer ones only if they are copies."""

NEAR_SCORE, SHARED_KEYS = 0.9, 0.9
"""What is compared at all: entries with scores that near, whose extracts share so many words."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry in its place of a ranking; `keys` are the words of its extract."""

    entry_id: int
    score: float
    keys: Set[str]

    def may_be(self, other: "Ranked") -> bool:
        """Say whether the entries may be the same, from what is known without reading them."""
        if self.score < other.score * NEAR_SCORE:
            return False
        return len(self.keys & other.keys) >= SHARED_KEYS * max(len(self.keys), len(other.keys))


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry to show, by its place in the ranking, and the ids of entries that say the same."""

    place: int
    duplicates: list[int] = field(default_factory=list)


def without_duplicates(
    connection: sqlite3.Connection, ranking: Iterable[Ranked], limit: int
) -> list[Shown]:
    """Give the first `limit` entries of a ranking that differ, with those met that do not."""
    shown: list[tuple[Ranked, Shown]] = []
    texts = _Texts(connection)
    for place, ranked in enumerate(ranking):
        same = next(
            (
                one
                for before, one in shown
                if ranked.may_be(before) and texts.same(before.entry_id, ranked.entry_id)
            ),
            None,
        )
        if same is not None:
            same.duplicates.append(ranked.entry_id)
        elif len(shown) == limit:
            break
        else:
            shown.append((ranked, Shown(place)))
    return [one for _, one in shown]


@dataclass(frozen=True, slots=True)
class _Text:
    """What is compared of a text; `words` is empty where it is too long to compare."""

    hash: str
    words: list[str]

    def shingles(self) -> set[tuple[str, ...]]:
        return {tuple(self.words[i : i + SHINGLE]) for i in range(max(1, len(self.words) - 2))}

    def numbers(self) -> Counter[str]:
        return Counter(word for word in self.words if not word.isalpha())


class _Texts:
    """The texts of entries, each read once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[int, _Text] = {}

    def same(self, first: int, second: int) -> bool:
        """Say whether two entries are copies or nearly the same."""
        one, other = self._text(first), self._text(second)
        if one.hash == other.hash:
            return True
        fewer, more = sorted((len(one.words), len(other.words)))
        if fewer < ALIKE * more or not fewer or one.numbers() != other.numbers():
            return False
        ours, theirs = one.shingles(), other.shingles()
        return len(ours & theirs) >= ALIKE * len(ours | theirs)

    def _text(self, entry_id: int) -> _Text:
        if entry_id not in self._known:
            text_hash, length = self._connection.execute(
                "SELECT text_hash, length FROM entries WHERE id = ?", (entry_id,)
            ).fetchone()
            words: list[str] = []
            if length <= LONGEST:
                rows = self._connection.execute(
                    "SELECT text FROM passages WHERE entry_id = ? ORDER BY start", (entry_id,)
                )
                words = lower_words("".join(row[0] for row in rows))
            self._known[entry_id] = _Text(text_hash, words)
        return self._known[entry_id]
