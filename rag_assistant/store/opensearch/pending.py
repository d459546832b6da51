"""What a run has written since its last commit: documents on their way, and what they replace.

Documents that are written go to the cluster in portions and are seen by nobody: they are of the
run's own generation. What they replace is noted, and ends with a commit.
"""

from collections.abc import Iterable, Iterator

from rag_assistant.store.links import Sending
from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.documents import (
    about,
    add_terms,
    entry_document,
    passage_documents,
)
from rag_assistant.store.opensearch.former_ids import FormerIds
from rag_assistant.store.opensearch.mapping import LONGEST_TERM
from rag_assistant.store.opensearch.outbox import Outbox
from rag_assistant.store.opensearch.passages import OpenSearchPassages
from rag_assistant.store.opensearch.sketched import keep_sketch, sketch, sketch_anew
from rag_assistant.store.opensearch.vector_writing import without_vector
from rag_assistant.store.opensearch.view import View, every_of, is_any
from rag_assistant.store.record_making import RecordMaker, name_of
from rag_assistant.store.term_grams import grams_of
from rag_assistant.text.term_counts import term_id
from rag_assistant.text.terms import variants_of
from rag_assistant.values.ledger import FileRecord, ReadEntry

PASSAGES_AT_ONCE = 200
"""Passages whose terms are made together."""


class PendingEntries:
    """Writes entries for one commit, over what `view` sees."""

    def __init__(
        self,
        view: View,
        counters: dict[str, int],
        records: RecordMaker,
        sending: Sending | None,
    ) -> None:
        self.outbox = Outbox(view.cluster, view.index, sending)
        self._view, self._records = view, records
        self.token: int = view.state["token"]
        self.counters = dict(counters)
        self.replaced: dict[str, set[int]] = {
            "file": set(), "entry": set(), "passage": set(), "former": set(), "version": set()
        }  # fmt: skip
        self._documents: dict[int, list[tuple[str, int]]] = {}
        self._passages: list[Json] = []
        """Of the file that is written: they go out before what comes next."""
        self._entries: dict[int, dict[str, Json]] = {}
        self._alive: dict[int, bool] = {}
        self._former = FormerIds(view, self._alive)

    @property
    def is_empty(self) -> bool:
        """Whether a commit would change nothing of the documents."""
        return self.outbox.is_empty and not any(self.replaced.values())

    def next(self, counter: str, count: int = 1) -> int:
        """Give the first of so many new numbers."""
        first = self.counters[counter]
        self.counters[counter] += count
        return first

    def put(self, document: Json, name: str, routing: int) -> None:
        """Write a document of this generation."""
        name = f"{name}:{self.token}"
        document["born"] = self.token
        if "entry_id" in document:
            self._documents.setdefault(document["entry_id"], []).append((name, routing))
        self.outbox.put(name, document, routing)

    def is_new(self, file_id: int) -> None:
        """Say that a file has no entries yet, so that none are looked for."""
        self._entries[file_id] = {}

    def entries_of(self, file_id: int) -> dict[str, Json]:
        """Give the documents of a file's entries by key, as they are with what was written."""
        if file_id in self._entries:
            return dict(self._entries[file_id])
        query = self._view.of_kind("entry", {"term": {"file_id": file_id}})
        found = self._view.cluster.every(self._view.index, {"query": query}, "entry_id")
        return {one["key"]: one for one in (hit["_source"] for hit in found)}

    def replace(
        self, file_id: int, file: FileRecord, entries: Iterable[ReadEntry], *, same_loader: bool
    ) -> tuple[int, list[int]]:
        """Write a file's entries in place of those it held.

        Entries of the `same_loader` whose texts are as they were keep their passages. Gives how
        many passages are new, and the ids that records wanted and others have.
        """
        old, now = self.entries_of(file_id), dict[str, Json]()
        passages, renumbered = 0, []
        for entry in entries:
            before = old.pop(entry.key, None)
            title = entry.title or name_of(file.path)
            if before and same_loader and self._is_same(before, entry, title):
                now[entry.key] = self._keep(before, file, title, entry)
                continue
            entry_id = before["entry_id"] if before else self._new_id(file, entry)
            if not before and entry.wanted_id not in (None, entry_id):
                renumbered.append(entry.wanted_id or 0)
            made = entry_document((entry_id, file_id), file, title, entry, self._records)
            sketch(made, entry, self.token)
            if before:
                self.replaced["version"].add(entry_id)
                made["body"]["previous"] = self._previous(before)
                self._disown(entry_id)
            if entry.previous:
                made["body"]["previous"] = list(entry.previous)
            now[entry.key] = made
            first = self.next("passage", len(entry.passages))
            made["body"]["first_passage"] = first
            self._put_entry(made, is_new=before is None)
            if before:
                self.replaced["passage"].add(entry_id)
            self._add_passages(passage_documents(made, title, entry.passages, first))
            passages += len(entry.passages)
        self._put_passages()
        for gone in old.values():
            self._delete(gone, file_id)
        self._entries[file_id] = now
        return passages, renumbered

    def delete_all_of(self, file_id: int) -> None:
        """Delete the entries of a file; their ids are remembered."""
        for one in self.entries_of(file_id).values():
            self._delete(one, file_id)
        self._entries[file_id] = {}

    def move(self, file_id: int, file: FileRecord) -> None:
        """Give a file's entries its new path, and its name where they have no own title."""
        moved: dict[str, Json] = {}
        for key, one in self.entries_of(file_id).items():
            body = one["body"]
            title = name_of(file.path) if body["titled_by_name"] else body["title"]
            entry = _entry_again(one, "" if body["titled_by_name"] else title)
            moved[key] = self._keep(one, file, title, entry, is_moved=True)
        self._put_passages()
        self._entries[file_id] = moved

    def _is_same(self, before: Json, entry: ReadEntry, title: str) -> bool:
        # Passages that are on their way cannot be read back.
        body = before["body"]
        is_same = (body["text_hash"], body["title"]) == (entry.text_hash, title)
        return is_same and before["entry_id"] not in self._documents

    def _keep(
        self,
        before: Json,
        file: FileRecord,
        title: str,
        entry: ReadEntry,
        *,
        is_moved: bool = False,
    ) -> Json:
        """Write an entry whose text is as it was; its passages where they say it otherwise."""
        ids = before["entry_id"], before["file_id"]
        made = entry_document(ids, file, title, entry, self._records)
        body = before["body"]
        for name in ("suspicions", "first_passage", "previous", "lead"):
            made["body"][name] = body.get(name)
        made |= {"suspicious": before["suspicious"], "passages": before["passages"]}
        keep_sketch(made, before)
        if is_moved:
            sketch_anew(made, self.token)
            self.replaced["version"].add(ids[0])
        named = (ids[0], title, file.path, ", ".join(entry.facts.authors), body["lead"])
        made["record"] = _blob(self._records, named)
        now = about(file, title, entry)
        if any(before[name] != value for name, value in now.items()) or body["title"] != title:
            query = self._view.of_kind("passage", {"term": {"entry_id": ids[0]}})
            found = self._view.cluster.every(self._view.index, {"query": query}, "start")
            rows = [hit["_source"] for hit in found]
            for one in rows:
                one.update(now, entry_record=made["record"], suspicious=made["suspicious"])
                one.pop("died", None)
                if one["body"]["title"] != title:
                    without_vector(one)
                    told = one["body"]
                    told |= {
                        "title": title,
                        "variants": variants_of(title, told["heading"], told["text"]),
                    }
            self.replaced["passage"].add(ids[0])
            self._add_passages(rows)
        self._put_entry(made)
        return made

    def _put_entry(self, made: Json, *, is_new: bool = False) -> None:
        if not is_new:
            self.replaced["entry"].add(made["entry_id"])
        self._alive[made["entry_id"]] = True
        made.pop("died", None)
        self.put(made, f"entry:{made['entry_id']}", made["entry_id"])

    def _add_passages(self, rows: list[Json]) -> None:
        self._passages += rows
        if len(self._passages) >= PASSAGES_AT_ONCE:
            self._put_passages()

    def _put_passages(self) -> None:
        rows, self._passages = self._passages, []
        terms = add_terms(rows, self._records)
        for one in rows:
            self.put(one, f"passage:{one['passage_id']}", one["entry_id"])
        self._put_terms(terms)

    def _put_terms(self, terms: set[str]) -> None:
        """Write the terms that the vocabulary may lack; those of it are of no generation."""
        known = self._view.known_terms
        new = terms - known
        known |= new
        for term in new:
            if 0 < len(term) <= LONGEST_TERM:
                document = {
                    "kind": "term", "term": term, "number": term_id(term), "grams": grams_of(term)
                }  # fmt: skip
                self.outbox.put_new(f"term:{term}", document)

    def _disown(self, entry_id: int) -> None:
        """Take back documents of an entry that are of this commit already."""
        self.outbox.take_back(self._documents.pop(entry_id, []))

    def _previous(self, before: Json) -> list[str] | None:
        """Give the hash and the text that readers have of an entry that changes."""
        if before["entry_id"] in self._documents:
            previous: list[str] | None = before["body"].get("previous")
            return previous
        text = OpenSearchPassages(self._view).text(before["entry_id"])
        return [before["body"]["text_hash"], text] if text else before["body"].get("previous")

    def _delete(self, gone: Json, file_id: int) -> None:
        entry_id = gone["entry_id"]
        self._disown(entry_id)
        self.replaced["entry"].add(entry_id)
        self.replaced["passage"].add(entry_id)
        self.replaced["version"].add(entry_id)
        self._alive[entry_id] = False
        self.remember(gone, file_id)

    def remember(self, gone: Json, file_id: int) -> None:
        """Remember the id of an entry that is deleted by what finds it again."""
        former = self._former.remember(gone, file_id)
        self.put(former, f"former:{gone['entry_id']}", gone["entry_id"])

    def _new_id(self, file: FileRecord, entry: ReadEntry) -> int:
        wanted = entry.wanted_id
        if wanted is None:
            wanted = self._former.of(file, entry)
        if wanted is None:
            return self.next("entry")
        if self._former.forget(wanted):
            self.replaced["former"].add(wanted)
        if not self._former.is_free(wanted, self.counters["entry"]):
            return self.next("entry")
        self._disown(wanted)  # it was deleted since the last commit
        self.counters["entry"] = max(self.counters["entry"], wanted + 1)
        return wanted

    def ended(self) -> Iterator[Json]:
        """Give conditions on the documents that end with this commit."""
        fields = {
            "file": "file_id",
            "entry": "entry_id",
            "passage": "entry_id",
            "former": "entry_id",
            "version": "entry_id",
        }
        for kind, ids in self.replaced.items():
            if ids:
                yield every_of([{"term": {"kind": kind}}, is_any(fields[kind], sorted(ids))])


def _entry_again(one: Json, title: str) -> ReadEntry:
    """Make what was read of an entry of its document, but for its passages and suspicions."""
    from rag_assistant.values.outline import facts_of  # noqa: PLC0415

    body = one["body"]
    return ReadEntry(
        title, one["key"], body["media_type"], body["metadata"], None, body["length"],
        body["text_hash"], (), (), facts_of(body["facts"]),
    )  # fmt: skip


def _blob(records: RecordMaker, named: tuple[int, str, str, str, str]) -> str:
    from base64 import b64encode  # noqa: PLC0415

    return b64encode(records.of_entries([named])[0]).decode("ascii")
