"""Candidates of a search: the passages that the engine finds for a plan, by the rarity of what
they hold. The engine adds up the weights of the plan; scores depend on nothing that a shard counts.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from rag_assistant.store.candidate_rows import MOST_PLACED, Row, judged, place_in, together
from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.phrases import holds, holds_all, let_through
from rag_assistant.store.opensearch.view import View, every_of, is_any, none_of
from rag_assistant.store.opensearch.vocabulary import RECORD, record_of
from rag_assistant.store.phrase_weights import FEW_WORDS, REQUIRED, TITLED, weight_of
from rag_assistant.store.searching import LOOKED_AT, PASSAGES, PASSAGES_PER_ENTRY, Judge
from rag_assistant.values.search_plan import AllOf, Candidate, EntryPlace, Filter, Phrase, Plan
from rag_assistant.values.term_records import PassageRecord

MOST_ROWS = 10_000
"""Passages that the engine puts in order for one search."""

OF_ENTRY = ["entry_record", "suspicious", "body.title", "body.media_type"]
"""Fields of a passage that tell of its entry, which is not asked for besides."""


class LetThrough(Collection[int]):
    """The ids of passages that filters let through, which are asked for where they are read.

    A search in the same database takes the `conditions` in place of them.
    """

    def __init__(self, view: View, filters: tuple[Filter, ...]) -> None:
        self._view, self.filters = view, filters
        self.conditions = let_through(filters)

    @cached_property
    def _ids(self) -> list[int]:
        query = self._view.seen("passage", *self.conditions)
        found = self._view.all_of(query, ["passage_id"], "passage_id")
        return [one["passage_id"] for one in found]

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, passage: object) -> bool:
        return passage in self._ids


class OpenSearchCandidates:
    """Finds entries by their passages and what is known of them; `store.searching.Candidates`."""

    is_cut = False
    """The engine compares all that come into question."""

    def __init__(self, view: View) -> None:
        self._view = view

    def best(
        self,
        plan: Plan,
        entries: int,
        *,
        passages: int = PASSAGES,
        looked_at: int = LOOKED_AT,
        judge: Judge | None = None,
    ) -> list[Candidate]:
        """Give the entries that hold the best passages, by the rarity of what they hold."""
        wanted = max(looked_at, entries)
        while True:
            rows, records = self._rows(plan, wanted, with_records=judge is not None)
            if len(rows) < wanted or len({entry for _, entry, _ in rows}) >= entries:
                break
            if wanted >= MOST_ROWS:
                break
            wanted *= 4  # a few long entries took all the places
        if judge:
            rows = judged(rows, records, judge)
        room = max(passages, PASSAGES_PER_ENTRY * entries)
        return together(rows, records if judge else None, room)

    def passages(self, plan: Plan, limit: int) -> list[int]:
        """Give the passages that hold the rarest words, whatever entries they are of."""
        return [passage for passage, _, _ in self._rows(plan, limit)[0]]

    def _rows(
        self, plan: Plan, limit: int, *conditions: Json, with_records: bool = False
    ) -> tuple[list[Row], Mapping[int, PassageRecord]]:
        """Give (passage, entry, score) of the best, equals by id, and their records if wanted."""
        hits = self._view.hits(
            self._query(plan, *conditions),
            [*RECORD, *OF_ENTRY] if with_records else ["passage_id", "entry_id", "body.title"],
            size=min(limit, MOST_ROWS),
            sort=[{"_score": "desc"}, {"passage_id": "asc"}],
            track_scores=True,
        )
        for hit in hits:
            if with_records:
                self._view.meet_passage(hit["_source"])
            else:
                self._view.meet(hit["_source"])
        found = [(hit["_source"], float(hit["_score"])) for hit in hits]
        rows = [(one["passage_id"], one["entry_id"], score) for one, score in found]
        read = {one["passage_id"]: record_of(one) for one, _ in found} if with_records else {}
        return rows, read

    def _query(self, plan: Plan, *conditions: Json) -> Json:
        any_of = [_worth(weight_of(plan, phrase), holds(phrase)) for phrase in plan.any_of]
        bool_: Json = {
            "filter": [self._view.seen("passage", *let_through(plan.filters), *conditions)],
            "must_not": [holds_all(phrases) for phrases in plan.excluded],
            "should": [],
        }
        if plan.required:
            bool_["must"] = [_worth(REQUIRED, every_of(map(holds_all, plan.required)))]
            bool_["should"] += any_of
        else:
            bool_["must"] = [{"bool": {"should": any_of, "minimum_should_match": 1}}]
        if len(plan.any_of) <= FEW_WORDS:
            for phrase in plan.any_of:
                titled = holds(Phrase(phrase.words, phrase.begun, "title"))
                bool_["should"].append(_worth(TITLED * weight_of(plan, phrase), titled))
        return {"bool": bool_}

    def newest(self, plan: Plan, limit: int) -> list[Candidate]:
        """Give entries, newest first, each with its first passage and its date."""
        conditions = [*let_through(plan.filters), {"range": {"passages": {"gt": 0}}}]
        if plan.excluded:
            ways = [holds_all(phrases) for phrases in plan.excluded]
            query = self._view.seen(
                "passage", {"bool": {"should": ways, "minimum_should_match": 1}}
            )
            held = {one["entry_id"] for one in self._view.all_of(query, ["entry_id"], "passage_id")}
            conditions.append(none_of([is_any("entry_id", sorted(held))]))
        hits = self._view.hits(
            self._view.seen("entry", *conditions),
            ["entry_id", "date", "body.first_passage"],
            size=min(limit, MOST_ROWS),
            sort=[{"date": "desc"}, {"entry_id": "desc"}],
        )
        found = [hit["_source"] for hit in hits]
        return [
            Candidate(one["entry_id"], (one["body"]["first_passage"],), date=one["date"])
            for one in found
        ]

    def hold(self, phrases: AllOf, entries: Collection[int] | None = None) -> bool:
        """Say whether a passage holds all of some phrases."""
        if entries is None:
            return self._view.finds_any(self._view.of_kind("passage", holds_all(phrases)))
        own = is_any("entry_id", sorted(entries))
        return self._view.finds_any(self._view.seen("passage", holds_all(phrases), own))

    def entries_with(self, phrases: AllOf, limit: int) -> list[int]:
        """Give entries of which a passage holds all of some phrases, by id."""
        hits = self._view.hits(
            self._view.seen("passage", holds_all(phrases)),
            ["entry_id"],
            size=min(limit, MOST_ROWS),
            sort=[{"entry_id": "asc"}],
            collapse={"field": "entry_id"},
        )
        return [hit["_source"]["entry_id"] for hit in hits]

    def let_through(
        self, filters: Sequence[Filter], entries: Collection[int] | None = None
    ) -> list[int]:
        """Give the entries that filters let through, by id."""
        own = [] if entries is None else [is_any("entry_id", sorted(entries))]
        query = self._view.seen("entry", *let_through(filters), *own)
        return [one["entry_id"] for one in self._view.all_of(query, ["entry_id"], "entry_id")]

    def lets_any_through(self, filters: Sequence[Filter]) -> bool:
        """Say whether filters let an entry through."""
        return self._view.finds_any(self._view.seen("entry", *let_through(filters)))

    def passages_let_through(self, filters: Sequence[Filter]) -> "LetThrough | None":
        """Give the passages of such entries; None where nothing is left out."""
        if not filters and not self._view.is_narrowed:
            return None
        return LetThrough(self._view, tuple(filters))

    def place_of(
        self, plan: Plan, entries: Collection[int], judge: Judge | None = None
    ) -> EntryPlace | None:
        """Say where the best passage of some entries stands among all that a plan's words find."""
        through = self.let_through(plan.filters, entries)
        own = is_any("entry_id", through)
        mine, records = self._rows(plan, MOST_PLACED, own, with_records=True)
        if not mine:
            return None
        # Whatever the filters say of the others.
        wide = Plan(plan.any_of, plan.required, plan.excluded, weights=plan.weights)
        rows, others = self._rows(wide, MOST_PLACED, with_records=True)
        known = {row[0] for row in rows}
        rows += islice((row for row in mine if row[0] not in known), MOST_PLACED)
        if judge:
            rows = judged(rows, {**records, **others}, judge)
        return place_in(rows, through)


def _worth(weight: float, condition: Json) -> Json:
    return {"constant_score": {"filter": condition, "boost": weight}}
