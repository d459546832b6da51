"""The vocabulary of a database on a cluster, and the terms of its passages and entries.

How many passages hold a term is counted by the engine on all shards, in the generation that is
read, and summed: no shard's own statistics go into a score.
"""

from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.view import View, every_of, is_any
from rag_assistant.store.record_format import read_entry, read_passage
from rag_assistant.store.term_grams import MOST_ALIKE, grams_of
from rag_assistant.text.term_counts import term_id
from rag_assistant.text.terms import terms_by_word
from rag_assistant.values.term_records import EntryTerms, PassageRecord, TermTotals

COUNTED_AT_ONCE = 500
"""Terms that are counted by one request."""

RECORD = ["passage_id", "entry_id", "record"]


class OpenSearchVocabulary:
    """Reads the terms of a database; `store.searching.Vocabulary`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def passages(self) -> int:
        """Count the passages in scope."""
        if self._view.is_narrowed:
            return self._view.count(self._view.seen("passage"))
        return int(self._view.state["totals"][0])

    def frequencies(self, words: Mapping[str, str]) -> dict[str, int]:
        """Count the passages that hold each term."""
        terms, found = list(words), dict[str, int]()
        for at in range(0, len(terms), COUNTED_AT_ONCE):
            some = terms[at : at + COUNTED_AT_ONCE]
            filters = {str(place): {"term": {"terms": term}} for place, term in enumerate(some)}
            body: Json = {
                "query": self._view.of_kind("passage"),
                "size": 0,
                "track_total_hits": False,
                "aggs": {"terms": {"filters": {"filters": filters}}},
            }
            answer = self._view.cluster.found(self._view.index, body)
            buckets = answer["aggregations"]["terms"]["buckets"]
            counts = {term: buckets[str(place)]["doc_count"] for place, term in enumerate(some)}
            found |= {term: count for term, count in counts.items() if count}
        return found

    def beginning_with(self, prefix: str, limit: int) -> Iterator[tuple[str, int]]:
        """Give the first `limit` terms that begin with `prefix`, with their passages."""
        after = ""
        while limit > 0:
            query = every_of([
                {"term": {"kind": "term"}}, {"prefix": {"term": prefix}},
                {"range": {"term": {"gt": after}}},
            ])  # fmt: skip
            most = min(2 * limit, COUNTED_AT_ONCE)
            hits = self._view.hits(query, ["term"], size=most, sort=[{"term": "asc"}])
            terms = [hit["_source"]["term"] for hit in hits]
            counts = self.frequencies(dict.fromkeys(terms, ""))
            some = [(term, counts[term]) for term in terms if term in counts][:limit]
            yield from some
            limit -= len(some)
            if len(hits) < most:
                return
            after = terms[-1]

    def like(self, terms: Iterable[str]) -> dict[str, Sequence[int]]:
        """Give the terms that have runs of letters of some terms, by number, for each run."""
        grams = sorted({gram for term in terms for gram in grams_of(term)})
        if not grams:
            return {}
        filters = {gram: {"term": {"grams": gram}} for gram in grams}
        body: Json = {
            "query": every_of([{"term": {"kind": "term"}}, is_any("grams", grams)]),
            "size": 0,
            "aggs": {"grams": {"filters": {"filters": filters}}},
        }
        buckets = self._view.cluster.found(self._view.index, body)["aggregations"]["grams"]
        few = [gram for gram in grams if 0 < buckets["buckets"][gram]["doc_count"] <= MOST_ALIKE]
        query = every_of([{"term": {"kind": "term"}}, is_any("grams", few)])
        found: dict[str, list[int]] = {gram: [] for gram in few}
        for one in self._view.all_of(query, ["term"], "term") if few else ():
            number = term_id(one["term"])
            for gram in grams_of(one["term"]):
                if gram in found:
                    found[gram].append(number)
        return dict(found)

    def words_of(self, term: str) -> set[str]:
        """Give the words, in lower case, that a few passages have for this term."""
        query = self._view.of_kind("passage", {"term": {"terms": term}})
        texts: list[str] = []
        for hit in self._view.hits(query, ["body"], size=5):
            body = hit["_source"]["body"]
            texts += [body["title"], body["heading"] or "", body["text"], body["variants"]]
        by_word = terms_by_word(" ".join(texts))
        return {word.lower() for word, found in by_word.items() if found == term}


class OpenSearchRecords:
    """Reads the terms of passages and entries; `store.searching.Records`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def passages(self, ids: Iterable[int]) -> dict[int, PassageRecord]:
        """Give the terms of passages, by id."""
        found = self._view.by_ids("passage", "passage_id", list(ids), RECORD)
        return {one["passage_id"]: record_of(one) for one in found}

    def of_entry(self, entry_id: int) -> list[PassageRecord]:
        """Give the terms of the passages of an entry, in order."""
        query = self._view.seen("passage", {"term": {"entry_id": entry_id}})
        return [record_of(one) for one in self._view.all_of(query, RECORD, "start")]

    def entries(self, ids: Collection[int]) -> dict[int, EntryTerms]:
        """Give the terms that place entries, by id."""
        fields = ["record", "body.title", "body.media_type"]
        return {
            one["entry_id"]: EntryTerms(
                one["entry_id"], one["body"]["title"], one["body"]["media_type"],
                *read_entry(b64decode(one["record"])),
            )
            for one in self._view.by_ids("entry", "entry_id", ids, fields)
        }  # fmt: skip

    def totals(self) -> TermTotals:
        """Count the passages of the whole database, and their words."""
        return TermTotals(*self._view.state["totals"])


def record_of(one: Json) -> PassageRecord:
    """Read the terms of a passage of its document."""
    return read_passage(one["passage_id"], one["entry_id"], b64decode(one["record"]))
