"""Generations of a database on a cluster: what ends with one, what it holds, what may go."""

import time
from collections.abc import Callable, Iterable
from typing import Any

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.cluster import Cluster, Json
from rag_assistant.store.opensearch.view import View, every_of, is_any

GRACE_SECONDS = 600
"""How long documents are kept that no new reader sees: a reader may have begun before."""

COPIES_SECONDS, LOOKED_AFTER = 600, 0.05
"""How long copies may take to have what was written, and seconds between looks at them."""

_END = (
    "if (ctx._source.died == null || ctx._source.died < params.at) {ctx._source.died = params.at}"
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
        view.cluster.asked("POST", path, body, conflicts="proceed", refresh="true")


def let_be_seen(view: View, while_waiting: Callable[[], None]) -> None:
    """Let all that is written be found, on whichever copy a search is made.

    Copies take over what was indexed once, and come after it: a generation that was published
    before would be seen on one and lack a part on another. Raises LibraryError where they do not
    come.
    """
    cluster, until = view.cluster, time.monotonic() + COPIES_SECONDS
    cluster.asked("POST", f"/{view.index}/_refresh")
    while _is_behind(view):
        if time.monotonic() > until:
            raise LibraryError(
                f"The copies of the database {view.name!r} on {cluster.address.where} do not get"
                f" what is written, in {COPIES_SECONDS} s.",
                hint="Ask its administrator whether a node is slow or full, and run it again.",
            )
        time.sleep(LOOKED_AFTER)
        while_waiting()


def _is_behind(view: View) -> bool:
    """Say whether any copy of the index lacks what another one has."""
    path = f"/_cat/segment_replication/{view.index}"
    copies: Any = view.cluster.asked("GET", path, format="json", h="checkpoints_behind")
    return any(one["checkpoints_behind"] != "0" for one in copies)


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
