"""The vectors of passages on a cluster: how many there are, which lack, and which are nearest.

A vector stands in the document of its passage, and goes with it. It counts where it bears the mark
of the vectors that the state names, so that those of another model are gone with one change.
"""

from base64 import b64decode
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from rag_assistant.store.opensearch.candidates import OF_ENTRY, LetThrough
from rag_assistant.store.opensearch.cluster import Json, hits_of
from rag_assistant.store.opensearch.view import View, is_any, none_of
from rag_assistant.store.opensearch.vocabulary import RECORD
from rag_assistant.store.vector_blobs import rows_of
from rag_assistant.values.embeddings import (
    MOST_COMPARED,
    EmbeddingCoverage,
    PassageWords,
    VectorKind,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_LISTED = 10_000
"""Passages that the engine gives in one answer."""

COMPARED = 20
"""Vectors compared for each that is wanted, where their signs choose them."""

WORDS = ["entry_id", "body.title", "body.heading", "body.text"]


class OpenSearchVectors:
    """Reads vectors; `store.searching.Vectors`."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._told: list[Json | None] = []
        self._asked_by = b""
        self._cosines: dict[int, float | None] = {}
        self._nearest: dict[tuple[int, object], dict[int, float]] = {}

    def kind(self) -> VectorKind | None:
        """Say what vectors there are, as this process last knew; None where there never were any.

        Nothing is asked for that: it is what a search begins with. Where it is another one by now,
        nothing is found, and the next search knows.
        """
        self._told.append(self._view.last_known["vectors"])
        return kind_in(self._told[-1])

    def _are_there(self, dimension: int) -> bool:
        """Whether there are vectors of a length, which are none but those that `kind` told of."""
        now: Json | None = self._view.state["vectors"]
        is_told = all(told == now for told in self._told)
        return is_told and now is not None and now["dimension"] == dimension

    @property
    def _with_vector(self) -> Json:
        return with_vector(self._view.state["vectors"])

    def coverage(self) -> EmbeddingCoverage:
        """Count the passages and those that have a vector."""
        state = self._view.state
        counted = {"size": 0, "track_total_hits": True}
        asked: list[Json] = [{"query": self._view.seen("passage"), **counted}]
        if state["vectors"]:
            asked.append({"query": self._view.seen("passage", self._with_vector), **counted})
        found = [one["hits"]["total"]["value"] for one in self._view.answers(lambda _: asked)]
        vectors = found[1] if state["vectors"] else 0
        return EmbeddingCoverage(kind_in(state["vectors"]), vectors, found[0])

    def without(self, kind: VectorKind, after: int, limit: int) -> list[PassageWords]:
        """Give the first `limit` passages with ids over `after` that have no vector of a kind."""
        told = self._view.state["vectors"]
        lacking = [none_of([with_vector(told)])] if kind_in(told) == kind else []
        hits = self._view.hits(
            self._view.seen("passage", {"range": {"passage_id": {"gt": after}}}, *lacking),
            ["passage_id", *WORDS],
            size=min(limit, MOST_LISTED),
            sort=[{"passage_id": "asc"}],
        )
        return [words_of(hit["_source"]) for hit in hits]

    def nearest(
        self, vector: "NDArray[np.float32]", limit: int, among: Iterable[int] | None = None
    ) -> dict[int, float]:
        """Give the `limit` nearest passages, of some or of all, with their cosines, best first.

        The passages that were found by words are compared by the same request.
        """
        limit = min(limit, MOST_LISTED)
        if limit <= 0 or not self._are_there(len(vector)):
            return {}
        self._begin(vector)
        some = among if among is None or isinstance(among, LetThrough) else list(among)
        key = (limit, some.filters if isinstance(some, LetThrough) else repr(some))
        if key not in self._nearest:
            conditions = _among(some)
            is_cut = self._view.state["totals"][0] > MOST_COMPARED and (
                some is None or isinstance(some, LetThrough) or len(some) > MOST_COMPARED
            )
            search = self._search(vector, limit, conditions, is_cut=is_cut)
            self._nearest[key] = self._take(vector, search, self._unknown(self._view.read))
        return dict(self._nearest[key])

    def cosines(self, vector: "NDArray[np.float32]", passages: Iterable[int]) -> dict[int, float]:
        """Give the cosines of passages; those without a vector are absent."""
        if not self._are_there(len(vector)):
            return {}
        self._begin(vector)
        wanted = sorted(set(passages))
        self._take(vector, None, self._unknown(wanted))
        return {
            one: cosine for one in wanted if (cosine := self._cosines.get(one)) is not None
        }  # fmt: skip

    def rows(self, passages: Collection[int]) -> "dict[int, NDArray[np.float32]]":
        """Give the vectors of passages, by id."""
        told = self._view.state["vectors"]
        if not told:
            return {}
        found = self._view.by_ids("passage", "passage_id", passages, ["vector", "embedded"])
        own = [one for one in found if one.get("embedded") == told["mark"]]
        return rows_of({one["passage_id"]: b64decode(one["vector"]) for one in own})

    def _begin(self, vector: "NDArray[np.float32]") -> None:
        """Forget what was compared with another vector."""
        if self._asked_by != vector.tobytes():
            self._asked_by = vector.tobytes()
            self._cosines, self._nearest = {}, {}

    def _unknown(self, passages: Iterable[int]) -> list[int]:
        return [one for one in passages if one not in self._cosines]

    def _search(
        self, vector: "NDArray[np.float32]", limit: int, conditions: list[Json], *, is_cut: bool
    ) -> Json:
        """Search for the nearest passages, with what ranking will ask of them."""
        from rag_assistant.store.opensearch.vector_scripts import (  # noqa: PLC0415 - loads numpy
            by_cosine,
            by_signs,
        )

        seen = self._view.seen("passage", self._with_vector, *conditions)
        body: Json = {"size": limit, "_source": [*RECORD, *OF_ENTRY], "track_total_hits": False}
        if not is_cut:
            sort = [{"_score": "desc"}, {"passage_id": "asc"}]
            return {"query": by_cosine(seen, vector), "sort": sort, "track_scores": True, **body}
        exact = by_cosine({"match_all": {}}, vector)
        again = {"rescore_query": exact, "query_weight": 0, "rescore_query_weight": 1}
        window = min(MOST_LISTED, COMPARED * limit)
        rescore = {"window_size": window, "query": again}
        return {"query": by_signs(seen, vector), "rescore": rescore, **body}

    def _take(
        self, vector: "NDArray[np.float32]", search: Json | None, passages: Sequence[int]
    ) -> dict[int, float]:
        """Search, and compare passages, by one request; give what the search found."""
        from rag_assistant.store.opensearch.vector_scripts import (  # noqa: PLC0415 - loads numpy
            by_cosine,
            cosine_of,
        )

        parts = [passages[at : at + MOST_LISTED] for at in range(0, len(passages), MOST_LISTED)]
        asked = [
            {
                "query": by_cosine(
                    self._view.seen("passage", self._with_vector, is_any("passage_id", some)),
                    vector,
                ),
                "size": len(some),
                "_source": ["passage_id"],
                "track_total_hits": False,
            }
            for some in parts
        ]
        answers = iter(self._view.answers(lambda _: [*([search] if search else []), *asked]))
        found: dict[int, float] = {}
        for hit in hits_of(next(answers)) if search else ():
            one = hit["_source"]
            self._view.meet_passage(one)
            found[one["passage_id"]] = cosine_of(hit["_score"])
        self._cosines |= dict.fromkeys(passages) | found
        for hit in (hit for answer in answers for hit in hits_of(answer)):
            self._cosines[hit["_source"]["passage_id"]] = cosine_of(hit["_score"])
        return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _among(some: Collection[int] | None) -> list[Json]:
    if some is None:
        return []
    if isinstance(some, LetThrough):
        return list(some.conditions)
    return [is_any("passage_id", some)]


def kind_in(told: Json | None) -> VectorKind | None:
    """Read the kind of vectors of what a state says of them."""
    return VectorKind(told["model"], told["dimension"]) if told else None


def with_vector(told: Json) -> Json:
    """Demand passages that have a vector of those that a state tells of."""
    return {"term": {"embedded": told["mark"]}}


def words_of(one: Json) -> PassageWords:
    """Read what goes into a vector of the document of a passage."""
    body = one["body"]
    return PassageWords(
        one["passage_id"], body["title"], body["heading"], body["text"], one["entry_id"]
    )
