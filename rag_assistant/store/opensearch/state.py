"""The state of each database on a cluster: one document, changed under optimistic concurrency.

It says which generation readers see, counts ids, and bears the writer's lease. Who writes holds a
token, which is the generation that it writes; the state is published only by who holds the latest,
so that a writer that slept through the end of its lease changes nothing that is seen.
"""

import os
import platform
import time
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.cluster import Cluster, Json
from rag_assistant.store.opensearch.mapping import STATE_BODY

LEASE_SECONDS = 60
"""How long a writer that says nothing keeps others out."""

READ = (
    "index", "version", "generation", "abandoned", "facts", "withheld", "allowed", "totals",
    "versions", "vectors",
)  # fmt: skip
"""What readers know of a state; the rest is the writers'."""

CONFLICTS = 20
"""How often a change is made anew because another came first."""

EMPTY: Mapping[str, Any] = {
    "index": "",
    "old_indexes": [],
    "version": 0,
    "generation": 0,
    "token": 0,
    "next": {"file": 1, "entry": 1, "passage": 1},
    "facts": {},
    "withheld": {},
    "abandoned": [],
    "published": {},
    "allowed": [],
    "lease": None,
    "totals": [0, 0, 0],
    "grouped": 0,
    "versions": 0,
    "vectors": None,
    "vectors_kept_in": "",
}


class States:
    """The states of all databases of a store."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._index = index_of_states(cluster)

    def read(self, name: str) -> Json | None:
        """Give the state of a database; None where there is none."""
        found = self._document(name)
        self._cluster.states.pop(name, None)
        if not found:
            return None
        state: Json = {**EMPTY, **found["_source"]["state"]}  # one of before may lack something
        self._cluster.states[name] = {key: state[key] for key in READ}
        return state

    def assumed(self, name: str) -> Json | None:
        """Give what this process last read of a state, for readers; None where it read none."""
        return self._cluster.states.get(name)

    def names(self) -> list[str]:
        """List the databases that there are."""
        if not self._is_made():
            return []
        self._cluster.asked("POST", f"/{self._index}/_refresh")
        hits = self._cluster.every(self._index, {"_source": ["name"]}, "name")
        return [hit["_source"]["name"] for hit in hits]

    def change(self, name: str, change: Callable[[Json], None]) -> Json:
        """Change a state, made if there is none; `change` is called anew where another came first.

        Gives the state as it is then. What `change` raises ends it, and nothing is changed. Each
        change is marked: one whose answer was lost on the way is known again, and not made twice.
        """
        import copy  # noqa: PLC0415

        self._make()
        self._cluster.states.pop(name, None)
        mark = uuid4().hex
        for _ in range(CONFLICTS):
            found = self._document(name)
            state = copy.deepcopy({**EMPTY, **(found["_source"]["state"] if found else {})})
            if state.get("change") == mark:
                return state
            change(state)
            state["change"] = mark
            if self._put(name, state, found):
                return state
        raise LibraryError(
            f"Others change the database {name!r} all the time.",
            hint="Run the same command again.",
        )

    def forget_old_indexes(self, name: str) -> None:
        """Delete the indexes that others took the place of; one whose vectors are needed stays."""
        state = self.read(name)
        if state is None:
            return
        kept = [one for one in state["old_indexes"] if one == state["vectors_kept_in"]]
        if gone := [one for one in state["old_indexes"] if one not in kept]:
            for index in gone:
                self._cluster.asked("DELETE", f"/{index}", ignore=404)
            self.change(name, lambda state: state.update(old_indexes=kept))

    def forget(self, name: str) -> None:
        """Delete a state."""
        self._cluster.states.pop(name, None)
        if self._document(name):
            self._cluster.asked("DELETE", f"/{self._index}/_doc/{_id(name)}", refresh="true")

    def _document(self, name: str) -> Json | None:
        found = self._cluster.asked("GET", f"/{self._index}/_doc/{_id(name)}", ignore=404)
        return found if found.get("found") else None

    def _put(self, name: str, state: Json, over: Json | None) -> bool:
        # Readers find it by searching, so that it comes with the answer to what they ask first.
        given: Json = {"ignore": 409, "refresh": "true"}
        if over:
            given |= {"if_seq_no": over["_seq_no"], "if_primary_term": over["_primary_term"]}
        else:
            given["op_type"] = "create"
        body = {"name": name, "state": state}
        answer = self._cluster.asked("PUT", f"/{self._index}/_doc/{_id(name)}", body, **given)
        return "result" in answer

    def _is_made(self) -> bool:
        return bool(self._cluster.client.indices.exists(self._index))

    def _make(self) -> None:
        answer = self._cluster.asked("GET", f"/{self._index}", ignore=404)
        if "error" in answer:
            self._cluster.make(self._index, dict(STATE_BODY))


def index_of_states(cluster: Cluster) -> str:
    """Name the index that has the states of a store's databases."""
    return f"{cluster.address.prefix}-databases"


def search_for(name: str) -> Json:
    """Give the search for what readers know of a state."""
    return {
        "query": {"term": {"name": name}},
        "_source": [f"state.{key}" for key in READ],
        "size": 1,
        "track_total_hits": False,
    }


def take_lease(states: States, name: str) -> Json:
    """Become the one writer of a database; give its state, with a token that no other has.

    What an earlier writer left unpublished is abandoned. Raises LibraryError where another writes.
    """
    own = holder()

    def change(state: Json) -> None:
        lease = state["lease"]
        left = lease["until"] - time.time() if lease else 0
        if lease and left > 0:
            raise LibraryError(
                f"The database {name!r} is being written by {lease['holder']}.",
                hint=f"Wait for it to end; if it has died, try again in {int(left) + 1} s.",
            )
        next_token(state)
        state["lease"] = {"holder": own, "until": time.time() + LEASE_SECONDS}

    return states.change(name, change)


def next_token(state: Json) -> None:
    """Give a state a new token; what was written under the last, and not published, is void."""
    if state["token"] != state["generation"]:
        state["abandoned"].append(state["token"])
    state["token"] = max(state["token"], state["generation"]) + 1


def demand(state: Json, name: str, token: int) -> None:
    """Raise LibraryError where another writer has come since."""
    if state["token"] != token:
        raise LibraryError(
            f"Another run writes the database {name!r}, since this one was silent for too long.",
            hint="Let that one end; what this one had committed is kept.",
        )


def holder() -> str:
    """Name this process to others."""
    return f"process {os.getpid()} on {platform.node()}"


def _id(name: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415

    return quote(name, safe="")
