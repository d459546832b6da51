"""Generations of a database on a cluster: what ends with one, what it holds, what may go."""

import time
from collections.abc import Callable, Iterable, Sequence

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.cluster import TRIES, Cluster, Json
from rag_assistant.store.opensearch.view import View, every_of, is_any

GRACE_SECONDS = 600
"""How long documents are kept that no new reader sees: a reader may have begun before."""

COPIES_SECONDS = 600
"""How long copies may take to have what was written."""

LOOKED_AFTER, LONGEST_PAUSE = 0.05, 1.0
"""Seconds until copies are asked again: at first, then longer."""

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


def let_be_seen(view: View, while_waiting: Callable[[], None]) -> None:
    """Let all that is written be found, on whichever copy a search of this generation is made.

    Copies take over what was indexed once, and come after it: a generation that was published
    before would lack a part on some. Raises LibraryError where they do not come.
    """
    cluster, until, pause = view.cluster, time.monotonic() + COPIES_SECONDS, LOOKED_AFTER
    cluster.asked("POST", f"/{view.index}/_refresh")
    while not all(_are_alike(view, number, nodes) for number, nodes in _copies(view).items()):
        if time.monotonic() > until:
            raise LibraryError(
                f"The copies of the database {view.name!r} on {cluster.address.where} do not get"
                f" what is written, in {COPIES_SECONDS} s.",
                hint="Ask its administrator whether a node is slow or full, and run it again.",
            )
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
        while_waiting()


def _copies(view: View) -> dict[int, list[str]]:
    """Give the nodes that have a copy of each shard and are searched."""
    found: dict[int, list[str]] = {}
    for copies in view.cluster.asked("GET", f"/{view.index}/_search_shards")["shards"]:
        for one in copies:
            if one["state"] in ("STARTED", "RELOCATING"):
                found.setdefault(one["shard"], []).append(one["node"])
    return found


def _are_alike(view: View, number: int, nodes: Sequence[str]) -> bool:
    """Say whether the copies of a shard have the same documents of a generation.

    The engine's own count of what a copy lacks is that of what was sent, not of what is found. Of
    two that differ, one lacks new documents or has old ones: as many of these have smaller numbers.
    """
    if len(nodes) == 1:
        return True
    body = {
        "query": view.generation,
        "size": 0,
        "track_total_hits": True,
        "aggs": {"born": {"sum": {"field": "born"}}},
    }
    told: set[tuple[int, float]] = set()
    for node in nodes:
        where = f"_shards:{number}|_prefer_nodes:{node}"
        answer = view.cluster.asked("POST", f"/{view.index}/_search", body, preference=where)
        told.add((answer["hits"]["total"]["value"], answer["aggregations"]["born"]["value"]))
    return len(told) == 1


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
