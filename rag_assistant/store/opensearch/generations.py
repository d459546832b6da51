"""Generations of a database on a cluster: what ends with one, what it holds, what may go."""

import time
from collections.abc import Iterable

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.cluster import TRIES, Cluster, Json
from rag_assistant.store.opensearch.view import View, every_of, is_any

GRACE_SECONDS = 600
"""How long documents are kept that no new reader sees: a reader may have begun before."""

_END = (
    "if (ctx._source.died == null || ctx._source.died < params.at) {ctx._source.died = params.at}"
    " else {ctx.op = 'noop'}"
)


def end_replaced(view: View, replaced: Iterable[Json], token: int) -> None:
    """Mark what a generation replaces, by conditions, as the readers of the last one see it."""
    older = {"range": {"born": {"lt": token}}}
    for some in replaced:
        body = {
            "query": every_of([view.generation, older, some]),
            "script": {"source": _END, "params": {"at": token}},
        }
        path = f"/{view.index}/_update_by_query"
        # One that was given a vector at the same moment is left out, and ended the next time.
        for _ in range(TRIES):
            told = view.cluster.asked("POST", path, body, conflicts="proceed", refresh="true")
            if not told["version_conflicts"]:
                break
        else:
            raise LibraryError(
                f"Others change the database {view.name!r} all the time.",
                hint="Run the same command again.",
            )


def totals_of(view: View) -> list[int]:
    """Count the passages of a generation, and their words."""
    sums = {name: {"sum": {"field": name}} for name in ("words", "heading_words")}
    query = view.of_kind("passage")
    body = {"query": query, "size": 0, "track_total_hits": True, "aggs": sums}
    answer = view.cluster.found(view.index, body)
    found = answer["aggregations"]
    words = [int(found[name]["value"]) for name in ("words", "heading_words")]
    return [int(answer["hits"]["total"]["value"]), *words]


def clean(cluster: Cluster, state: Json) -> None:
    """Delete documents that ended long enough ago, and those of runs that were cut off."""
    now, abandoned = time.time(), state["abandoned"]
    past = [int(token) for token, at in state["published"].items() if at < now - GRACE_SECONDS]
    ways = [is_any("born", abandoned)] if abandoned else []
    if past:
        ended = {
            "filter": [{"range": {"died": {"lte": max(past)}}}],
            "must_not": [is_any("died", abandoned)],
        }
        ways.append({"bool": ended})
    if ways:
        body = {"query": {"bool": {"should": ways, "minimum_should_match": 1}}}
        path = f"/{state['index']}/_delete_by_query"
        cluster.asked("POST", path, body, conflicts="proceed", wait_for_completion="true")
