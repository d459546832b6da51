"""What a reader sees of a database on a cluster: one generation, of all or of what is in scope.

Documents of other generations are left out by a filter, so that no request depends on another's
moment: a snapshot without anything kept open on the cluster.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.cluster import Cluster, Json, hits_of
from rag_assistant.store.opensearch.state import index_of_states, search_for
from rag_assistant.values.scope import Scope

MOST_NAMED = 50_000
"""Values of one condition; an engine takes 65,536."""


def is_any(field: str, values: Iterable[Any]) -> Json:
    """Demand one of some values of a field."""
    given = list(values)
    parts = [given[at : at + MOST_NAMED] for at in range(0, len(given), MOST_NAMED)] or [[]]
    if len(parts) == 1:
        return {"terms": {field: parts[0]}}
    return {"bool": {"should": [{"terms": {field: part}} for part in parts]}}


def every_of(conditions: Iterable[Json]) -> Json:
    """Demand all of some conditions, without any score."""
    return {"bool": {"filter": list(conditions)}}


def none_of(conditions: Iterable[Json]) -> Json:
    """Demand that none of some conditions holds."""
    return {"bool": {"must_not": list(conditions)}}


class View:
    """A generation of a database, and the part of it that is seen.

    `confirm` reads the state where `state` is only what it was when this process last asked.
    `known_terms` are those that a writer has put into the vocabulary.
    """

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        state: Json,
        scope: Scope | None = None,
        known_terms: set[str] | None = None,
        confirm: Callable[[], Json] | None = None,
    ) -> None:
        self.cluster, self.name, self.scope = cluster, name, scope
        self._state, self._confirm = state, confirm
        self.known_terms = set() if known_terms is None else known_terms
        self.met: dict[int, Json] = {}
        """What documents of passages told of their entries, by id."""
        self.read: dict[int, Json] = {}
        """Documents of passages that were read with their records, by id."""

    @property
    def state(self) -> Json:
        """The state that all is read by."""
        if self._confirm:
            self._state, self._confirm = self._confirm(), None
        return self._state

    @property
    def last_known(self) -> Json:
        """The state as this process last knew it, for what need not wait for an answer."""
        return self._state

    def answers(self, searches: Callable[["View"], list[Json]]) -> list[Json]:
        """Search several times by one request; `searches` makes them of a view.

        Where the state is only assumed, it is asked for with them, and where it is another one by
        now, they are made anew.
        """
        if self._confirm:
            assumed = View(self.cluster, self.name, self._state, self.scope)
            asked = [(assumed.index, body) for body in searches(assumed)]
            of_state = (index_of_states(self.cluster), search_for(self.name))
            try:
                told, *answers = self.cluster.searched([of_state, *asked])
            except LibraryError:
                told, answers = {}, []  # its index may have been deleted since
            if [hit["_source"]["state"] for hit in hits_of(told)] == [self._state]:
                self._confirm = None
                return answers
        asked = [(self.index, body) for body in searches(self)]
        return self.cluster.searched(asked) if asked else []

    def meet(self, one: Json) -> None:
        """Remember what the document of a passage tells of its entry."""
        self.met.setdefault(one["entry_id"], {}).update(
            {name: one[name] for name in ("entry_record", "suspicious") if name in one},
            **one.get("body", {}),
        )

    def meet_passage(self, one: Json) -> None:
        """Remember the document of a passage with its record, and what it tells of its entry."""
        self.meet(one)
        self.read[one["passage_id"]] = one

    @property
    def index(self) -> str:
        """The index that is searched."""
        index: str = self.state["index"]
        return index

    @property
    def generation(self) -> Json:
        """The condition on documents of this generation."""
        now, abandoned = self.state["generation"], self.state["abandoned"]
        return {
            "bool": {
                "filter": [{"range": {"born": {"lte": now}}}],
                "must_not": [
                    is_any("born", abandoned),
                    {
                        "bool": {
                            "filter": [{"range": {"died": {"lte": now}}}],
                            "must_not": [is_any("died", abandoned)],
                        }
                    },
                ],
            }
        }

    @property
    def withheld(self) -> dict[int, list[str]]:
        """The path and the reason of each file that is withheld, by its id."""
        return {int(file_id): told for file_id, told in self.state["withheld"].items()}

    @property
    def is_narrowed(self) -> bool:
        """Whether a part is seen only."""
        return self.scope is not None or bool(self.state["withheld"])

    def of_kind(self, kind: str, *conditions: Json) -> Json:
        """Demand documents of a kind, in this generation whatever is in scope."""
        return every_of([{"term": {"kind": kind}}, self.generation, *conditions])

    def seen(self, kind: str, *conditions: Json) -> Json:
        """Demand documents of a kind that are in scope and not withheld."""
        return self.of_kind(kind, *self._part(), *conditions)

    @property
    def whole(self) -> Json:
        """The condition on documents of any kind that are seen."""
        return every_of([self.generation, *self._part()])

    def _part(self) -> Iterator[Json]:
        if self.state["withheld"]:
            yield none_of([is_any("file_id", self.withheld)])
        if self.scope:
            files = [path for path in self.scope.paths if not path.endswith("/")]
            ways = [is_any("path", files), is_any("entry_id", self.scope.entries)]
            ways += [{"prefix": {"path": one}} for one in self.scope.paths if one.endswith("/")]
            yield {"bool": {"should": ways, "minimum_should_match": 1}}

    def hits(self, query: Json, fields: list[str], **given: Any) -> list[Json]:
        """Give the first hits of a query, with these fields of each; `size` is one of `given`."""
        routing = given.pop("routing", "")
        body = {"query": query, "_source": fields, "track_total_hits": False, **given}
        return hits_of(self.cluster.found(self.index, body, str(routing)))

    def all_of(self, query: Json, fields: list[str], sort: str) -> Iterator[Json]:
        """Give the documents that a query finds, in order of a number that no two share."""
        body = {"query": query, "_source": fields}
        return (hit["_source"] for hit in self.cluster.every(self.index, body, sort))

    def by_ids(self, kind: str, field: str, ids: Collection[int], fields: list[str]) -> list[Json]:
        """Give the documents of a kind that are seen and have these numbers, in their order."""
        wanted = list(dict.fromkeys(ids))
        found: dict[int, Json] = {}
        for at in range(0, len(wanted), 5_000):
            some = wanted[at : at + 5_000]
            query = self.seen(kind, is_any(field, some))
            for hit in self.hits(query, [field, *fields], size=len(some)):
                found[hit["_source"][field]] = hit["_source"]
        return [found[one] for one in wanted if one in found]

    def count(self, query: Json) -> int:
        """Count what a query finds."""
        answer = self.cluster.asked("POST", f"/{self.index}/_count", {"query": query})
        return int(answer["count"])

    def finds_any(self, query: Json) -> bool:
        """Say whether a query finds anything."""
        body = {"query": query, "size": 0, "terminate_after": 1, "track_total_hits": 1}
        total = self.cluster.found(self.index, body)["hits"]["total"]["value"]
        return bool(total)
