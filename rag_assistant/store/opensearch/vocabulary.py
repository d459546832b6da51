"""The vocabulary of a database on a cluster, and the terms of its passages and entries.

How many passages hold a term is counted by the engine on all shards, in the generation that is
read, and summed: no shard's own statistics go into a score.
"""

from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rag_assistant.store.links import Asking
from rag_assistant.store.opensearch.cluster import Json, hits_of
from rag_assistant.store.opensearch.mapping import LONGEST_TERM, TEXTS
from rag_assistant.store.opensearch.view import View, every_of, is_any
from rag_assistant.store.record_format import read_entry, read_passage
from rag_assistant.store.term_grams import MOST_ALIKE, grams_of
from rag_assistant.text.terms import terms_by_word
from rag_assistant.values.term_records import EntryTerms, PassageRecord, TermTotals

COUNTED_AT_ONCE, GRAMS_AT_ONCE = 500, 100
"""Terms that are counted by one search, and runs of letters that are looked up by one."""

FEW_WORDS = 64
"""Words beyond which those are looked up first that there are: they are guesses at a spelling."""

LISTED_AT_ONCE = 5_000
"""Terms that are listed by one search."""

LOOKED_INTO = 5
"""Passages that are read for the words of a term."""

RECORD = ["passage_id", "entry_id", "record"]


class OpenSearchVocabulary:
    """Reads the terms of a database; `store.searching.Vocabulary`.

    `asking` is told the words of a search before they leave.
    """

    def __init__(self, view: View, asking: Asking | None = None) -> None:
        self._view, self._asking = view, asking
        self._counted: dict[str, int] = {}
        self._alike: dict[str, Sequence[int]] = {}
        self._listed: dict[tuple[str, int], list[str]] = {}
        self._passages: int | None = None

    def expect(self, words: Mapping[str, str], prefixes: Mapping[str, int]) -> None:
        """Ask for what will be asked for, by one request."""
        if self._asking and (words or prefixes):
            self._asking(" ".join([*words.values(), *prefixes]))
        grams = [] if prefixes else _grams_of(words)  # who types gets none of what is alike
        asked = [*_parts(list(words), COUNTED_AT_ONCE)], [*_parts(grams, GRAMS_AT_ONCE)]

        def searches(view: View) -> list[Json]:
            made = [_counting(view, some) for some in asked[0]]
            made += [_looking_up(some) for some in asked[1]]
            made += [_listing(prefix, "", most) for prefix, most in prefixes.items()]
            if view.is_narrowed:
                made.append({"query": view.seen("passage"), "size": 0, "track_total_hits": True})
            return made

        answers = iter(self._view.answers(searches))
        for some in asked[0]:
            self._counted |= _counts_in(next(answers), some)
        for some in asked[1]:
            self._alike |= _alike_in(next(answers), some)
        for prefix, most in prefixes.items():
            self._listed[prefix, most] = _terms_in(next(answers))
        for answer in answers:
            self._passages = int(answer["hits"]["total"]["value"])

    def passages(self) -> int:
        """Count the passages in scope."""
        if not self._view.is_narrowed:
            return int(self._view.state["totals"][0])
        if self._passages is None:
            self._passages = self._view.count(self._view.seen("passage"))
        return self._passages

    def frequencies(self, words: Mapping[str, str]) -> dict[str, int]:
        """Count the passages that hold each term."""
        asked = [term for term in words if term not in self._counted]
        if len(asked) > FEW_WORDS:
            there = set(self._existing(asked))
            self._counted |= dict.fromkeys([term for term in asked if term not in there], 0)
            asked = [term for term in asked if term in there]
        self._count(asked)
        return {term: self._counted[term] for term in words if self._counted[term]}

    def _existing(self, terms: Sequence[str]) -> list[str]:
        """Give those terms that the vocabulary has, and those that are too long for it."""
        query = every_of([{"term": {"kind": "term"}}, is_any("term", terms)])
        hits = self._view.hits(query, ["term"], size=min(len(terms), 2 * LISTED_AT_ONCE))
        long = [term for term in terms if len(term) > LONGEST_TERM]
        return [*(hit["_source"]["term"] for hit in hits), *long]

    def _count(self, terms: Sequence[str]) -> None:
        parts = list(_parts(terms, COUNTED_AT_ONCE))
        if parts:
            answers = self._view.answers(lambda view: [_counting(view, some) for some in parts])
            for some, answer in zip(parts, answers, strict=True):
                self._counted |= _counts_in(answer, some)

    def beginning_with(self, prefix: str, limit: int) -> Iterator[tuple[str, int]]:
        """Give the first `limit` terms that begin with `prefix`, with their passages."""
        after, room = "", limit
        while room > 0:
            most = min(limit, LISTED_AT_ONCE)
            terms = self._listed.get((prefix, limit)) if not after else None
            if terms is None:
                listing = _listing(prefix, after, most)
                (answer,) = self._view.answers(lambda _, body=listing: [body])  # type: ignore[misc]
                terms = _terms_in(answer)
            self._count([term for term in terms if term not in self._counted])
            held = [(term, self._counted[term]) for term in terms if self._counted[term]][:room]
            yield from held
            room -= len(held)
            if len(terms) < most:
                return
            after = terms[-1]

    def like(self, terms: Iterable[str]) -> dict[str, Sequence[int]]:
        """Give the terms that have runs of letters of some terms, by number, for each run."""
        grams = _grams_of(terms)
        parts = list(_parts([one for one in grams if one not in self._alike], GRAMS_AT_ONCE))
        if parts:
            answers = self._view.answers(lambda _: [_looking_up(some) for some in parts])
            for some, answer in zip(parts, answers, strict=True):
                self._alike |= _alike_in(answer, some)
        return {gram: self._alike[gram] for gram in grams if self._alike[gram]}

    def listed(self, prefix: str, limit: int) -> Sequence[str]:
        """Give the first `limit` terms that begin with `prefix`."""
        (answer,) = self._view.answers(lambda _: [_listing(prefix, "", limit)])
        return _terms_in(answer)

    def words_of(self, terms: Collection[str]) -> dict[str, set[str]]:
        """Give the words, in lower case, that a few passages have for each term."""
        fields = ["body.title", "body.heading", "body.text", "body.variants"]

        def searches(view: View) -> list[Json]:
            held = (view.of_kind("passage", {"term": {"terms": term}}) for term in terms)
            return [
                {"query": one, "size": LOOKED_INTO, "_source": fields, "track_total_hits": False}
                for one in held
            ]

        answers = self._view.answers(searches)
        return {
            term: _words_for(term, [hit["_source"]["body"] for hit in hits_of(answer)])
            for term, answer in zip(terms, answers, strict=True)
        }


def _words_for(term: str, bodies: Iterable[Json]) -> set[str]:
    texts = [one[name] or "" for one in bodies for name in TEXTS]
    by_word = terms_by_word(" ".join(texts))
    return {word.lower() for word, found in by_word.items() if found == term}


def _parts(given: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for at in range(0, len(given), size):
        yield given[at : at + size]


def _grams_of(terms: Iterable[str]) -> list[str]:
    return sorted({gram for term in terms for gram in grams_of(term)})


def _counting(view: View, terms: Sequence[str]) -> Json:
    """Count the passages that hold each term."""
    filters = {str(place): {"term": {"terms": term}} for place, term in enumerate(terms)}
    return _counted_by(view.of_kind("passage"), {"filters": {"filters": filters}})


def _counts_in(answer: Json, terms: Sequence[str]) -> dict[str, int]:
    buckets = answer["aggregations"]["found"]["buckets"]
    return {term: buckets[str(place)]["doc_count"] for place, term in enumerate(terms)}


def _looking_up(grams: Sequence[str]) -> Json:
    """Look up the terms that have each run of letters, of those that few terms have."""
    filters = {str(place): {"term": {"grams": gram}} for place, gram in enumerate(grams)}
    few = {"buckets_path": {"terms": "_count"}, "script": f"params.terms <= {MOST_ALIKE}"}
    aggregation = {
        "filters": {"filters": filters},
        "aggs": {
            "terms": {"terms": {"field": "number", "size": MOST_ALIKE}},
            "few": {"bucket_selector": few},
        },
    }
    return _counted_by(every_of([{"term": {"kind": "term"}}, is_any("grams", grams)]), aggregation)


def _alike_in(answer: Json, grams: Sequence[str]) -> dict[str, Sequence[int]]:
    buckets = answer.get("aggregations", {}).get("found", {}).get("buckets", {})
    found: dict[str, Sequence[int]] = {}
    for place, gram in enumerate(grams):
        terms = buckets.get(str(place), {}).get("terms", {}).get("buckets", ())
        found[gram] = [one["key"] for one in terms]
    return found


def _counted_by(query: Json, aggregation: Json) -> Json:
    return {"query": query, "size": 0, "track_total_hits": False, "aggs": {"found": aggregation}}


def _listing(prefix: str, after: str, most: int) -> Json:
    """List the terms that begin with a prefix and come after one."""
    query = every_of([
        {"term": {"kind": "term"}}, {"prefix": {"term": prefix}}, {"range": {"term": {"gt": after}}}
    ])  # fmt: skip
    sort = [{"term": "asc"}]
    return {
        "query": query, "size": most, "sort": sort, "_source": ["term"], "track_total_hits": False
    }  # fmt: skip


def _terms_in(answer: Json) -> list[str]:
    return [hit["_source"]["term"] for hit in hits_of(answer)]


class OpenSearchRecords:
    """Reads the terms of passages and entries; `store.searching.Records`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def passages(self, ids: Iterable[int]) -> dict[int, PassageRecord]:
        """Give the terms of passages, by id."""
        wanted, known = list(ids), self._view.read
        missing = [one for one in wanted if one not in known]
        asked = self._view.by_ids("passage", "passage_id", missing, RECORD) if missing else []
        found = {**known, **{one["passage_id"]: one for one in asked}}
        return {one: record_of(found[one]) for one in wanted if one in found}

    def of_entry(self, entry_id: int) -> list[PassageRecord]:
        """Give the terms of the passages of an entry, in order."""
        query = self._view.seen("passage", {"term": {"entry_id": entry_id}})
        return [record_of(one) for one in self._view.all_of(query, RECORD, "start")]

    def entries(self, ids: Collection[int]) -> dict[int, EntryTerms]:
        """Give the terms that place entries, by id."""
        met = {one: self._view.met[one] for one in ids if one in self._view.met}
        known = {one: told for one, told in met.items() if "entry_record" in told}
        missing = [one for one in ids if one not in known]
        fields = ["record", "body.title", "body.media_type"]
        for one in self._view.by_ids("entry", "entry_id", missing, fields) if missing else ():
            known[one["entry_id"]] = {"entry_record": one["record"], **one["body"]}
        return {
            entry_id: EntryTerms(
                entry_id, one["title"], one["media_type"],
                *read_entry(b64decode(one["entry_record"])),
            )
            for entry_id, one in known.items()
        }  # fmt: skip

    def totals(self) -> TermTotals:
        """Count the passages of the whole database, and their words."""
        return TermTotals(*self._view.state["totals"])


def record_of(one: Json) -> PassageRecord:
    """Read the terms of a passage of its document."""
    return read_passage(one["passage_id"], one["entry_id"], b64decode(one["record"]))
