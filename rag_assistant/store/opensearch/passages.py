"""The passages of entries, read from a cluster."""

from collections.abc import Collection

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.view import View, is_any
from rag_assistant.values.documents import Location, Passage
from rag_assistant.values.search_plan import CandidatePassage, PassageSource

PLACE = ["start", "end", "body"]
_RANKED = ["passage_id", "start", "body"]


class OpenSearchPassages:
    """Reads passages; `store.reading.Passages`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def of_entry(self, entry_id: int, start: int = 0, end: int | None = None) -> list[Passage]:
        """Give the passages of an entry that overlap `start` to `end`, in order."""
        spans = [{"range": {"end": {"gt": start}}}]
        if end is not None:
            spans.append({"range": {"start": {"lt": end}}})
        return [passage_of(one) for one in self._all(entry_id, PLACE, *spans)]

    def of_entries(self, entry_ids: Collection[int]) -> dict[int, list[Passage]]:
        """Give all passages of entries, by id, in order."""
        query = self._view.seen("passage", is_any("entry_id", list(entry_ids)))
        found: dict[int, list[Passage]] = {}
        for one in self._view.all_of(query, ["entry_id", *PLACE], "passage_id"):
            found.setdefault(one["entry_id"], []).append(passage_of(one))
        for passages in found.values():
            passages.sort(key=lambda passage: passage.location.start)
        return found

    def around(self, entry_id: int, offset: int, neighbours: int) -> list[Passage]:
        """Give the passage that holds the character at `offset`, with so many on either side."""
        at = max(0, offset)
        before = self._some(entry_id, {"lte": at}, "desc", neighbours + 1)
        after = self._some(entry_id, {"gt": at}, "asc", neighbours) if neighbours else []
        return [passage_of(one) for one in (*before[::-1], *after)]

    def count(self, entry_id: int) -> int:
        """Count the passages of an entry."""
        return self._view.count(self._own(entry_id))

    def text(self, entry_id: int, start: int = 0, end: int | None = None) -> str:
        """Give the characters `start` to `end` of an entry's text (shorter at the text's end)."""
        found = self.of_entry(entry_id, start, end)
        if not found:
            return ""
        first = found[0].location.start
        whole = "".join(passage.text for passage in found)
        return whole[max(0, start - first) : None if end is None else end - first]

    def candidates(self, ids: Collection[int]) -> dict[int, CandidatePassage]:
        """Read passages as ranking knows them, by id."""
        return {one["passage_id"]: _ranked(one) for one in self._by_ids(ids, _RANKED)}

    def candidates_of(self, entry_id: int) -> list[CandidatePassage]:
        """Read all passages of an entry as ranking knows them, in order."""
        return [_ranked(one) for one in self._all(entry_id, _RANKED)]

    def starts(self, ids: Collection[int]) -> dict[int, int]:
        """Give where passages begin in the texts of their entries, by id."""
        return {one["passage_id"]: one["start"] for one in self._by_ids(ids, ["start"])}

    def sources(self, ids: Collection[int]) -> dict[int, PassageSource]:
        """Read passages with what names their entries, by id."""
        found = self._by_ids(ids, ["entry_id", "path", "key", "suspicious", *PLACE])
        for one in found:
            self._view.meet({"entry_id": one["entry_id"], "suspicious": one["suspicious"]})
        return {
            one["passage_id"]: PassageSource(
                one["entry_id"], one["body"]["title"], one["path"], one["key"], passage_of(one),
                bool(one["body"]["variants"]),
            )
            for one in found
        }  # fmt: skip

    def entries_of(self, ids: Collection[int]) -> dict[int, int]:
        """Give the entry of each passage, by id."""
        known = self._view.read
        missing = [one for one in ids if one not in known]
        asked = self._by_ids(missing, ["entry_id"]) if missing else []
        found = {**known, **{one["passage_id"]: one for one in asked}}
        return {one: found[one]["entry_id"] for one in ids if one in found}

    def _own(self, entry_id: int, *conditions: Json) -> Json:
        return self._view.seen("passage", {"term": {"entry_id": entry_id}}, *conditions)

    def _all(self, entry_id: int, fields: list[str], *conditions: Json) -> list[Json]:
        return list(self._view.all_of(self._own(entry_id, *conditions), fields, "start"))

    def _some(self, entry_id: int, span: Json, order: str, limit: int) -> list[Json]:
        query = self._own(entry_id, {"range": {"start": span}})
        hits = self._view.hits(query, PLACE, size=limit, sort=[{"start": order}], routing=entry_id)
        return [hit["_source"] for hit in hits]

    def _by_ids(self, ids: Collection[int], fields: list[str]) -> list[Json]:
        return self._view.by_ids("passage", "passage_id", ids, fields)


def passage_of(one: Json) -> Passage:
    """Read a passage of a document."""
    body = one["body"]
    place = Location(one["start"], one["end"], body["page"], body["heading"], body["line"])
    return Passage(body["text"], place, tuple((at, path) for at, path in body["sections"]))


def _ranked(one: Json) -> CandidatePassage:
    body = one["body"]
    return CandidatePassage(
        one["passage_id"], body["title"], body["heading"] or "", body["text"], body["variants"],
        one["start"], body["media_type"],
    )  # fmt: skip
