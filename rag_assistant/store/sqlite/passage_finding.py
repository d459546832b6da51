"""The passages that FTS5 finds for the words of a plan, with the rarity of what each holds."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from rag_assistant.store.phrase_weights import FEW_WORDS, REQUIRED, TITLED, weight_of
from rag_assistant.store.sqlite.match import all_of, any_of_all, one
from rag_assistant.values.search_plan import AllOf, Plan

MOST_FOUND = 100_000
"""Passages taken of what one word, or all that is demanded, finds: some 10 ms."""

ENOUGH = 2_000
"""Passages found from which on further words only raise their scores."""


class PassageFinder:
    """Finds passages, whatever filters say of them; `is_cut` says that there were too many."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._absent: set[AllOf] = set()
        self.is_cut = False

    def hold(self, phrases: AllOf) -> bool:
        """Say whether a passage holds all of some phrases. What none does is not looked for again:
        that takes longer than anything."""
        query = "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1"
        if self._connection.execute(query, (all_of(phrases),)).fetchone():
            return True
        self._absent.add(phrases)
        return False

    def found(self, plan: Plan) -> dict[int, float]:
        """Give what a plan's words find: passages, whatever the filters say of them, with the sum
        of the weights of what they hold.

        Of few words, many passages hold the same: those with a word in the title come first.
        """
        found: dict[int, float] = {}
        if self._absent.intersection(plan.required):
            return {}
        if plan.required:
            demanded = " AND ".join(map(all_of, plan.required))
            found = dict.fromkeys(self._ids(demanded), REQUIRED)
        for phrase in plan.any_of:
            ids, weight = self._ids(one(phrase)), weight_of(plan, phrase)
            if not plan.required and len(found) < ENOUGH:
                more = dict.fromkeys(ids, weight)
                for passage in found.keys() & more.keys():
                    more[passage] += found[passage]
                found |= more
            else:
                # The words come by their rarity: what only has one of these is none of the best.
                _add(found, ids, weight)
        if len(plan.any_of) <= FEW_WORDS:
            self._add_titles(plan, found)
        return self._not_excluded(plan, found) if plan.excluded and found else found

    def _not_excluded(self, plan: Plan, found: dict[int, float]) -> dict[int, float]:
        """Leave out the passages that hold what a plan excludes."""
        first, last = min(found), max(found)
        (text,) = self._connection.execute(
            "SELECT json_group_array(rowid) FROM passages_fts"
            " WHERE passages_fts MATCH ? AND rowid BETWEEN ? AND ?",
            (any_of_all(plan.excluded), first, last),
        ).fetchone()
        excluded = set(json.loads(text))
        return {passage: score for passage, score in found.items() if passage not in excluded}

    def _add_titles(self, plan: Plan, found: dict[int, float]) -> None:
        """Let passages of entries whose title holds a word come first."""
        for phrase in plan.any_of:
            titled = self._ids(one(replace(phrase, column="title")))
            _add(found, titled, TITLED * weight_of(plan, phrase))

    def _ids(self, match: str) -> list[int]:
        """Give the first passages that FTS5 finds, MOST_FOUND at most.

        As one text, which takes half the time of as many rows.
        """
        (text,) = self._connection.execute(
            "SELECT json_group_array(rowid) FROM"
            " (SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?)",
            (match, MOST_FOUND),
        ).fetchone()
        ids: list[int] = json.loads(text)
        self.is_cut = self.is_cut or len(ids) == MOST_FOUND
        return ids


def _add(found: dict[int, float], ids: Collection[int], weight: float) -> None:
    """Add a weight to those of some passages that were found already."""
    for passage in found.keys() & ids:
        found[passage] += weight


def best_of(found: Mapping[int, float], limit: int) -> list[int]:
    """Give the `limit` passages with the highest scores, best first, equals by id."""
    last: list[int] = []
    if len(found) > limit > 0:
        # Sums of a few weights: most passages have one of a few hundred scores.
        counts = Counter(found.values())
        best, room = iter(sorted(counts, reverse=True)), limit
        while room > 0:
            least = next(best)
            room -= counts[least]
        scored = found.items()
        last = sorted([passage for passage, score in scored if score == least])
        found = {passage: score for passage, score in scored if score > least}
    first = sorted(found, key=lambda passage: (-found[passage], passage))
    return [*first, *last[: limit - len(first)]]
