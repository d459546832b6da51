"""Making a database on a cluster, and making one anew: another index, which takes the old one's
place with the first commit. Ids, what the person allowed, and some facts come along.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.store.opensearch.cluster import Cluster, Json
from rag_assistant.store.opensearch.mapping import VERSION, index_body, index_name
from rag_assistant.store.opensearch.view import View

if TYPE_CHECKING:
    from rag_assistant.store.opensearch.writer import OpenSearchWriter
    from rag_assistant.store.writing import Carried


@dataclass(frozen=True)
class MadeReady:
    """A state that a writer may begin with, what to say of it, and the entries of before."""

    state: Json
    notes: Sequence[str]
    former: Sequence[Json] = ()

    def carry_over(self, writer: "OpenSearchWriter") -> None:
        """Let a writer remember the ids of before."""
        for one in self.former:
            writer.remember(one)


def made_ready(
    cluster: Cluster, name: str, state: Json, carry: "Carried", *, anew: bool
) -> MadeReady:
    """Give the state as it is, or that of a new index where there is none that can be used."""
    old = state["index"]
    is_there = bool(old) and "error" not in cluster.asked("GET", f"/{old}", ignore=404)
    if is_there and state["version"] == VERSION and not anew:
        return MadeReady(state, ())
    address = cluster.address
    index = index_name(address.prefix, name, state["token"])
    body = index_body(address.shards, address.replicas)
    cluster.make(index, body)
    facts: dict[str, str] = {}
    for key, given in carry.items():
        with suppress(ValueError, TypeError, LookupError, AttributeError):
            facts[key] = given(state["facts"][key])
    former: list[Json] = []
    if is_there:
        view = View(cluster, name, state)
        for kind in ("former", "entry"):
            fields = ["entry_id", "file_id", "path", "key", "hash"]
            former += view.all_of(view.of_kind(kind), fields, "entry_id")
    made = {
        **state,
        "index": index,
        "version": VERSION,
        "facts": facts,
        "withheld": {},
        "old_indexes": [*state["old_indexes"], *([old] if old else [])],
        "totals": [0, 0, 0],
        "grouped": 0,
        "versions": 0,
        "vectors_kept_in": _with_vectors(state, is_there=is_there),
    }
    return MadeReady(made, ("it was made anew",) if old else (), former)


def _with_vectors(state: Json, *, is_there: bool) -> str:
    """Give the index whose vectors passages with the same words get; empty for none."""
    if not (is_there and state["vectors"] and state["version"] == VERSION):
        return ""
    return str(state["vectors_kept_in"] or state["index"])
