"""A database on an OpenSearch cluster: its readers, its writer, and its state as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_assistant.errors import IndexDamaged, IndexOutdated
from rag_assistant.store.links import Asking, Sending
from rag_assistant.store.opensearch.candidates import OpenSearchCandidates
from rag_assistant.store.opensearch.cluster import Cluster, Json
from rag_assistant.store.opensearch.entries import OpenSearchEntries
from rag_assistant.store.opensearch.ledger import OpenSearchLedger
from rag_assistant.store.opensearch.mapping import VERSION
from rag_assistant.store.opensearch.passages import OpenSearchPassages
from rag_assistant.store.opensearch.state import States, take_lease
from rag_assistant.store.opensearch.suspicions import OpenSearchSuspicions, allow
from rag_assistant.store.opensearch.vectors import OpenSearchVectors
from rag_assistant.store.opensearch.versions import OpenSearchVersions
from rag_assistant.store.opensearch.view import View
from rag_assistant.store.opensearch.vocabulary import OpenSearchRecords, OpenSearchVocabulary
from rag_assistant.values.scope import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rag_assistant.store.opensearch.writer import OpenSearchWriter
    from rag_assistant.store.writing import Carried
    from rag_assistant.values.embeddings import PassageWords, VectorKind


class OpenSearchReader:
    """Reads one generation; `store.reading.StoreReader`."""

    def __init__(self, view: View, asking: Asking | None = None) -> None:
        self.entries = OpenSearchEntries(view)
        self.passages = OpenSearchPassages(view)
        self.ledger = OpenSearchLedger(view)
        self.candidates = OpenSearchCandidates(view)
        self.vocabulary = OpenSearchVocabulary(view, asking)
        self.records = OpenSearchRecords(view)
        self.vectors = OpenSearchVectors(view)
        self.versions = OpenSearchVersions(view)
        self.suspicions = OpenSearchSuspicions(view)


class OpenSearchStore:
    """The database of a name on a cluster; `store.writing.Store`."""

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        sending: Sending | None = None,
        asking: Asking | None = None,
    ) -> None:
        self._cluster, self._name = cluster, name
        self._sending, self._asking = sending, asking
        self._states = States(self._cluster)

    @contextmanager
    def reading(self, scope: Scope | None = None) -> Iterator[OpenSearchReader]:
        """Read one generation, of all or of what is in a scope."""
        yield OpenSearchReader(self._view(scope), self._asking)

    def _view(self, scope: Scope | None = None) -> View:
        assumed = self._states.assumed(self._name)
        state, confirm = (assumed, self._state) if assumed else (self._state(), None)
        return View(self._cluster, self._name, state, scope, confirm=confirm)

    def _state(self) -> Json:
        """Read what readers know of it. Raises IndexDamaged, IndexOutdated."""
        state = self._states.read(self._name)
        where = self._cluster.address.where
        if state is None or not state["index"]:
            raise IndexDamaged(
                f"There is no database {self._name!r} on {where}.",
                hint=f"Index its folder: `rag-assistant index FOLDER --name {self._name}`.",
            )
        if state["version"] != VERSION:
            raise IndexOutdated(
                f"The database {self._name!r} on {where} was made by another version of"
                " rag-assistant.",
                hint="Update the older one, or index its folder: `rag-assistant index FOLDER`.",
            )
        return self._states.assumed(self._name) or state

    @contextmanager
    def writing(
        self, *, anew: bool = False, carry: "Carried | None" = None
    ) -> "Iterator[OpenSearchWriter]":
        """Write it as it is, new, or made anew with what its folder cannot give."""
        from rag_assistant.store.opensearch.making import made_ready  # noqa: PLC0415
        from rag_assistant.store.opensearch.writer import OpenSearchWriter  # noqa: PLC0415

        self.demand_engine()
        self._states.forget_old_indexes(self._name)
        state = take_lease(self._states, self._name)
        ready = made_ready(self._cluster, self._name, state, carry or {}, anew=anew)
        writer = OpenSearchWriter(
            self._cluster, self._name, ready.state, ready.notes, self._sending
        )
        ready.carry_over(writer)
        try:
            yield writer
        finally:
            writer.close()

    def add_vectors(
        self,
        kind: "VectorKind",
        passages: "Sequence[PassageWords]",
        vectors: "Mapping[int, NDArray[np.float32]]",
    ) -> int:
        """Write the vectors of passages into their documents, whatever a run does meanwhile."""
        from rag_assistant.store.opensearch.vector_writing import add_vectors  # noqa: PLC0415

        made = (passages, vectors)
        return add_vectors(self._states, self._view(), kind, made, self._sending)

    def allow(self, entry_id: int | None, *, start: int | None, allowed: bool) -> None:
        """Let models read what is suspicious, or no longer."""
        text_hash = ""
        if entry_id is not None:
            text_hash = OpenSearchEntries(self._view()).get(entry_id).text_hash

        def change(state: Json) -> None:
            allow(state, entry_id, text_hash, start=start, allowed=allowed)

        self._states.change(self._name, change)

    def check(self) -> list[str]:
        """List what is wrong; all passages are counted."""
        view = self._view()
        if not self._is_there(view.state):
            return [f"the index {view.index} is not there"]
        found = view.all_of(view.of_kind("entry"), ["entry_id", "passages"], "entry_id")
        promised = {one["entry_id"]: one["passages"] for one in found}
        counted: dict[int, int] = {}
        for one in view.all_of(view.of_kind("passage"), ["entry_id"], "passage_id"):
            counted[one["entry_id"]] = counted.get(one["entry_id"], 0) + 1
        problems = [
            f"the entry {one} has {counted.get(one, 0)} passages of {promised.get(one, 0)}"
            for one in sorted(promised.keys() | counted.keys())
            if counted.get(one, 0) != promised.get(one, 0)
        ]
        if self._cluster.health(view.index) in ("yellow", "red"):
            problems.append(
                "copies of it are on no node: with the next node that dies, entries may be gone"
            )
        if sum(counted.values()) != view.state["totals"][0]:
            problems.append("the passages are not as many as were counted")
        return problems

    def demand_engine(self) -> None:
        """See that the engine is no older than is needed. Raises LibraryError."""
        self._cluster.demand_version()

    def is_damaged(self) -> bool:
        """Whether the index that the state names is not there."""
        state = self._states.read(self._name)
        return state is not None and bool(state["index"]) and not self._is_there(state)

    def _is_there(self, state: Json) -> bool:
        answer = self._cluster.asked("GET", f"/{state['index']}", ignore=404)
        return "error" not in answer

    def last_folder(self, *, salvage: bool = False) -> str:
        """Give the folder that the state says it is of."""
        state = self._states.read(self._name)
        return str(state["facts"].get("folder", "")) if state else ""

    def settle(self) -> None:
        """Nothing waits: what is committed is on the cluster."""

    def remove(self) -> None:
        """Delete the database from the cluster."""
        state = self._states.read(self._name)
        for index in (state["index"], *state["old_indexes"]) if state else ():
            if index:
                self._cluster.asked("DELETE", f"/{index}", ignore=404)
        self._states.forget(self._name)
