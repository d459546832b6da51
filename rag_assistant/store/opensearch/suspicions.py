"""The findings of injection in a database on a cluster, and which of them models may read."""

from collections.abc import Collection, Iterator

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.passages import OpenSearchPassages
from rag_assistant.store.opensearch.view import View
from rag_assistant.values.documents import HIDDEN, Suspicion
from rag_assistant.values.suspicions import SuspicionCounts, SuspicionRow

ALLOW_ALL = "suspicious_allowed"
"""The fact that lets models read all of a database."""

WHOLE = -1
"""Stands for the start of a span where the leave is for all of an entry."""

_SHOWN = 300
_FIELDS = ["path", "body.title", "body.text_hash", "body.suspicions"]


class OpenSearchSuspicions:
    """Reads what was found; `store.reading.Suspicions`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def of_entries(self, entry_ids: Collection[int]) -> dict[int, tuple[Suspicion, ...]]:
        """Give what was found in entries, by id, in order of start; those without are left out."""
        met = self._view.met
        asked = [one for one in entry_ids if met.get(one, {}).get("suspicious") is not False]
        found = self._view.by_ids("entry", "entry_id", asked, _FIELDS) if asked else []
        return {one["entry_id"]: told for one in found if (told := self._told(one))}

    def entries(self) -> list[int]:
        """Give the entries in whose text something was found."""
        return [
            one["entry_id"]
            for one in self._suspicious()
            if any(told.place == "text" for told in self._told(one))
        ]

    def listed(self, entry_id: int | None = None) -> list[SuspicionRow]:
        """List what was found, in all entries or in one, by path."""
        found: list[SuspicionRow] = []
        passages = OpenSearchPassages(self._view)
        own = [one for one in self._suspicious() if entry_id in (None, one["entry_id"])]
        for one in sorted(own, key=lambda one: (one["path"], one["entry_id"])):
            for told in self._told(one):
                page = line = None
                words = ""
                around = passages.around(one["entry_id"], told.start, 0)
                if told.place == "text" and around:
                    place, text = around[0].location, around[0].text
                    at = told.start - place.start
                    page, words = place.page, text[at : at + min(_SHOWN, told.end - told.start)]
                    line = None if place.line is None else place.line + text.count("\n", 0, at)
                row = (one["entry_id"], one["body"]["title"], one["path"], told, page, line, words)
                found.append(SuspicionRow(*row))
        return found

    def counts(self) -> SuspicionCounts:
        """Count what was found."""
        found = {one["entry_id"]: self._told(one) for one in self._suspicious()}
        every = [told for those in found.values() for told in those]
        allowed = sum(told.allowed for told in every)
        return SuspicionCounts(
            len(every), len(found), allowed, sum(told.kind == HIDDEN for told in every)
        )

    def _suspicious(self) -> Iterator[Json]:
        query = self._view.seen("entry", {"term": {"suspicious": True}})
        return self._view.all_of(query, ["entry_id", *_FIELDS], "entry_id")

    def _told(self, one: Json) -> tuple[Suspicion, ...]:
        state, text_hash = self._view.state, one["body"]["text_hash"]
        own = {
            start
            for entry_id, of_text, start in state["allowed"]
            if entry_id == one["entry_id"] and of_text == text_hash
        }
        every = ALLOW_ALL in state["facts"] or WHOLE in own
        told = [
            Suspicion(kind, start, end, reason, place, place == "text" and (every or start in own))
            for place, kind, start, end, reason in one["body"]["suspicions"]
        ]
        return tuple(sorted(told, key=lambda one: one.start))


def allow(
    state: Json, entry_id: int | None, text_hash: str, *, start: int | None, allowed: bool
) -> None:
    """Let models read all of a database, an entry as its text is now, or its span; or no longer.

    Taking it back for the database takes back all, for an entry that for its spans.
    """
    at = WHOLE if start is None else start
    if entry_id is None:
        state["facts"].pop(ALLOW_ALL, None)
        if allowed:
            state["facts"][ALLOW_ALL] = "1"
        else:
            state["allowed"] = []
        return
    state["allowed"] = [
        given
        for given in state["allowed"]
        if given[0] != entry_id or (given[2] != at if allowed or start is not None else False)
    ]
    if allowed:
        state["allowed"].append([entry_id, text_hash, at])
