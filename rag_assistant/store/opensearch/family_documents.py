"""What finding the families of versions asks of a cluster, at the end of a run.

Nothing is marked as compared: what is new bears a later generation than the one in which families
were last looked for, which the state names. So a run that was cut off leaves all of it to the next.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rag_assistant.store.families import FamilyMember
from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.pending import PendingEntries
from rag_assistant.store.opensearch.sketched import sketch_of_document
from rag_assistant.store.opensearch.view import View, every_of, is_any, none_of
from rag_assistant.store.sketching import Sketch
from rag_assistant.store.version_order import Dated
from rag_assistant.text.likeness import LONGEST, ComparedText, compared_text
from rag_assistant.values.ledger import KnownFile

Value = TypeVar("Value")

FEW = 1_000
"""New entries whose keys are looked up; of more, all keys that there are are read."""

MOST_BUCKETS = 60_000
"""Families counted by one request, of which an engine gives 65,535; of more, all are looked at."""

_FIELDS = [
    "entry_id", "file_id", "path", "body.stem", "body.sentences", "body.metadata",
    "body.text_hash", "body.length", "body.title",
]  # fmt: skip


class _Made(dict[int, Value]):
    """What is known of entries, made when it is asked for."""

    def __init__(self, make: Callable[[int], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, entry_id: int) -> Value:
        self[entry_id] = made = self._make(entry_id)
        return made


class FamilyDocuments:
    """Families and sketches for one run; `store.families.FamilyKeeper`.

    `view` sees what was committed; families are written with `writing`, and `renew` is called now
    and then. `count` is how many entries are of a family, once these were replaced, which `is_used`
    says.
    """

    def __init__(
        self,
        view: View,
        files: Mapping[str, KnownFile],
        writing: PendingEntries,
        renew: Callable[[], None],
    ) -> None:
        self._view, self._files, self._writing = view, files, writing
        self._renew = renew
        self._grouped: int = view.state["grouped"]
        self.count: int = view.state["versions"]
        self.is_used = False
        self._family_of: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._read: dict[int, Json] = {}
        self._texts: dict[int, ComparedText] = {}
        self.sketches = _Made(self._sketch)
        self.dated = _Made(self._dated)

    def new(self) -> set[int]:
        """Give the entries that are new since families were last looked for, or lost a relative."""
        query = self._view.of_kind("entry", {"range": {"sketched": {"gt": self._grouped}}})
        new = {one["entry_id"] for one in self._view.all_of(query, ["entry_id"], "entry_id")}
        if self.count:
            self._read_families()
            self.count = len(self._family_of)
            for family in set(self._touched()):
                new.update(self._members.get(family, ()))
        return new

    def _read_families(self) -> None:
        fields = ["entry_id", "family"]
        for one in self._view.all_of(self._view.of_kind("version"), fields, "entry_id"):
            self._family_of[one["entry_id"]] = one["family"]
            self._members.setdefault(one["family"], []).append(one["entry_id"])

    def _touched(self) -> Iterator[int]:
        """Give the families of which an entry is gone, or one's file has changed its time."""
        view, since = self._view, {"gt": self._grouped}
        abandoned, now = view.state["abandoned"], view.state["generation"]
        gone: list[Json] = [
            {"term": {"kind": "version"}},
            {"range": {"born": {"lte": self._grouped}}},
            {"range": {"died": {**since, "lte": now}}},
            none_of([is_any("born", abandoned), is_any("died", abandoned)]),
        ]
        # Several generations of an entry may have ended: no number tells their documents apart.
        counted = {"terms": {"field": "family", "size": MOST_BUCKETS}}
        body = {"query": every_of(gone), "size": 0, "aggs": {"found": counted}}
        answer = view.cluster.found(view.index, body)
        buckets = answer["aggregations"]["found"]["buckets"]
        yield from (one["key"] for one in buckets)
        if len(buckets) == MOST_BUCKETS:
            yield from self._members
        changed = view.of_kind("file", {"range": {"changed": since}})
        files = [one["file_id"] for one in view.all_of(changed, ["file_id"], "file_id")]
        for at in range(0, len(files), FEW):
            query = view.of_kind("version", is_any("file_id", files[at : at + FEW]))
            yield from (one["family"] for one in view.all_of(query, ["family"], "entry_id"))

    def families(self) -> Iterable[tuple[int, int]]:
        """Give each entry that is of a family, with the family."""
        return self._family_of.items()

    def sharing(self, new: Collection[int]) -> Iterator[tuple[int, list[int]]]:
        """Give the entries that share a key with a new one, by id, with the key; stems first."""
        every = self._view.of_kind("entry", {"exists": {"field": "sketched"}})
        if len(new) <= FEW:
            own = self._keys_in(self._view.of_kind("entry", is_any("entry_id", sorted(new))))
            query = self._view.of_kind("entry", is_any("sketch_keys", sorted(own)))
            found = {key: ids for key, ids in self._keys_in(query).items() if key in own}
        else:
            found = self._keys_in(every)
        shared = {
            key: sorted(ids)
            for key, ids in found.items()
            if len(ids) > 1 and any(entry_id in new for entry_id in ids)
        }
        self._load({entry_id for ids in shared.values() for entry_id in ids})
        yield from sorted(shared.items())

    def _keys_in(self, query: Json) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for one in self._view.all_of(query, ["entry_id", "sketch_keys"], "entry_id"):
            for key in one.get("sketch_keys", ()):
                found.setdefault(key, []).append(one["entry_id"])
        return found

    def expect(self, entry_ids: Iterable[int]) -> None:
        """Read some texts at once."""
        self._renew()
        expected = set(entry_ids)
        self._texts = {one: text for one, text in self._texts.items() if one in expected}
        wanted = sorted(expected - self._texts.keys())
        if not wanted:
            return
        parts: dict[int, list[tuple[int, str]]] = {one: [] for one in wanted}
        query = self._view.of_kind(
            "passage", is_any("entry_id", wanted), {"range": {"start": {"lt": LONGEST}}}
        )
        for one in self._view.all_of(query, ["entry_id", "start", "body.text"], "passage_id"):
            parts[one["entry_id"]].append((one["start"], one["body"]["text"]))
        for entry_id, own in parts.items():
            body = self._document(entry_id)["body"]
            text = "".join(part for _, part in sorted(own))
            self._texts[entry_id] = compared_text(body["text_hash"], body["length"], text)

    def compared(self, entry_id: int) -> ComparedText:
        """Give the text of an entry."""
        if entry_id not in self._texts:
            self.expect([entry_id])
        return self._texts[entry_id]

    def replace(self, gone: Collection[int], members: Sequence[FamilyMember]) -> None:
        """Take entries out of their families, and write the families that were found."""
        self.is_used = True
        self._load({one.entry_id for one in members})
        self._writing.replaced["version"].update(self._family_of.keys() & gone)
        for one in members:
            of = self._document(one.entry_id)
            told = {"title": of["body"]["title"], "text_hash": of["body"]["text_hash"],
                    "dated": one.dated, "told_by": one.told_by}  # fmt: skip
            document = {"kind": "version", "entry_id": one.entry_id, "file_id": of["file_id"],
                        "path": of["path"], "family": one.family, "place": one.place,
                        "body": told}  # fmt: skip
            self._writing.put(document, f"version:{one.entry_id}", one.entry_id)
        left = self._family_of.keys() - set(gone)
        self.count = len(left) + len(members)

    def _load(self, entry_ids: Collection[int]) -> None:
        """Read the documents of entries."""
        missing = sorted(set(entry_ids) - self._read.keys())
        for at in range(0, len(missing), FEW):
            self._renew()
            query = self._view.of_kind("entry", is_any("entry_id", missing[at : at + FEW]))
            for one in self._view.all_of(query, _FIELDS, "entry_id"):
                self._read[one["entry_id"]] = one

    def _document(self, entry_id: int) -> Json:
        if entry_id not in self._read:
            # Of a family, the others will be asked for as well.
            self._load([entry_id, *self._members.get(self._family_of.get(entry_id, 0), ())])
        return self._read[entry_id]

    def _sketch(self, entry_id: int) -> Sketch:
        return sketch_of_document(self._document(entry_id))

    def _dated(self, entry_id: int) -> Dated:
        one = self._document(entry_id)
        changed = self._files[one["path"]].record.mtime_ns
        return Dated.of(entry_id, one["path"], one["body"]["metadata"], changed)
