"""The one writer of a database on a cluster, as long as its lease holds.

What it writes is of a generation that nobody reads. A commit ends what is replaced, lets all
shards see it, and publishes the generation by changing one document: readers see all or nothing.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag_assistant.store.families import group_versions
from rag_assistant.store.links import Sending
from rag_assistant.store.opensearch.alias import point_alias
from rag_assistant.store.opensearch.cluster import Cluster, Json
from rag_assistant.store.opensearch.documents import file_document
from rag_assistant.store.opensearch.family_documents import FamilyDocuments
from rag_assistant.store.opensearch.generations import (
    clean,
    end_replaced,
    let_be_seen,
    totals_of,
)
from rag_assistant.store.opensearch.ledger import WriterLedger
from rag_assistant.store.opensearch.pending import PendingEntries
from rag_assistant.store.opensearch.state import LEASE_SECONDS, States, demand, holder, next_token
from rag_assistant.store.opensearch.vector_writing import restore_vectors
from rag_assistant.store.opensearch.view import View
from rag_assistant.store.record_making import RecordMaker
from rag_assistant.values.ledger import FileChange, FileRecord, FileWritten, KnownFile

KEPT = " (the text of the last good reading is kept)"
"""Follows the reason of a failure where entries of before stay."""

MOST_PUBLISHED = 200
"""Generations that a state remembers the time of."""

COMMIT_PAUSE = 30.0
"""Seconds between commits: all shards write out what they were given, and count it anew."""


class OpenSearchWriter:
    """Writes what a run finds; `store.writing.StoreWriter`."""

    commit_pause = COMMIT_PAUSE

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        state: Json,
        notes: Sequence[str] = (),
        sending: Sending | None = None,
    ) -> None:
        self.notes = tuple(notes)
        self._sending = sending
        self._cluster, self._name = cluster, name
        self._waited = len(cluster.waits)
        self._states = States(cluster)
        self._records = RecordMaker()
        self._terms: set[str] = set()
        self._state = state
        self.ledger = WriterLedger(self._view(state), state["facts"])
        self._withheld: Json | None = None
        self._is_new = state["index"] != (self._states.read(name) or {}).get("index")
        self._begin()

    def _view(self, state: Json) -> View:
        return View(self._cluster, self._name, state, known_terms=self._terms)

    def _begin(self) -> None:
        self._writing = PendingEntries(
            self._view(self._state), self._state["next"], self._records, self._sending
        )
        self._files_before: dict[str, KnownFile | None] = {}
        self._facts_before = dict(self.ledger.own_facts)
        self._renewed = time.time()

    def set_facts(self, values: Mapping[str, str]) -> None:
        """Remember facts of the database itself."""
        self.ledger.own_facts |= values

    def write(self, change: FileChange) -> FileWritten:
        """Write what came of one file."""
        file, known = change.file, change.known
        self._renew()
        match change.action:
            case "store":
                return self._store(change, known)
            case "move" | "move and store" if known:
                moved = self._move(known, file, change.action == "move")
                if change.action == "move and store":
                    return self._store(change, moved)
            case "delete" if known:
                self._writing.delete_all_of(known.id)
                self._writing.replaced["file"].add(known.id)
                self._know(known.record.path, None)
            case action:
                if known and action == "skip":
                    self._writing.delete_all_of(known.id)
                if known and action == "fail" and self._writing.entries_of(known.id):
                    file = replace(file, reason=file.reason + KEPT)
                self._record(file, known)
        return FileWritten(file)

    def _store(self, change: FileChange, known: KnownFile | None) -> FileWritten:
        file = change.file
        file_id = self._record(file, known)
        before = change.known
        same_loader = before is not None and before.record.loader == file.loader
        passages, renumbered = self._writing.replace(
            file_id, file, change.entries, same_loader=same_loader
        )
        return FileWritten(file, passages, tuple(renumbered))

    def _record(self, file: FileRecord, known: KnownFile | None) -> int:
        """Write a ledger line, over the one of `known` if there is one; give its id."""
        file_id = known.id if known else self._writing.next("file")
        if known:
            self._writing.replaced["file"].add(file_id)
        else:
            self._writing.is_new(file_id)
        is_changed = known is not None and known.record.mtime_ns != file.mtime_ns
        document = file_document(file_id, file, self._writing.token if is_changed else None)
        self._writing.put(document, f"file:{file_id}", file_id)
        if known and known.record.path != file.path:
            self._know(known.record.path, None)
        self._know(file.path, KnownFile(file_id, file))
        return file_id

    def _move(self, known: KnownFile, file: FileRecord, with_entries: bool) -> KnownFile:
        """Give a file its new path; its entries keep their ids and their text."""
        over = self.ledger.known.get(file.path)
        if over and over.id != known.id:
            # A line of the new path can only be of a failure or a skip that is over.
            self._writing.replaced["file"].add(over.id)
        path, size, changed, created = file.path, file.size, file.mtime_ns, file.ctime_ns
        moved = replace(known.record, path=path, size=size, mtime_ns=changed, ctime_ns=created)
        self._record(moved, known)
        if with_entries:
            self._writing.move(known.id, moved)
        return KnownFile(known.id, moved)

    def _know(self, path: str, known: KnownFile | None) -> None:
        self._files_before.setdefault(path, self.ledger.known.get(path))
        if known is None:
            self.ledger.known.pop(path, None)
        else:
            self.ledger.known[path] = known

    def remember(self, gone: Json) -> None:
        """Remember the id of an entry of a database that is made anew."""
        self._writing.remember(gone, gone["file_id"])

    def withhold(self, reasons: Mapping[int, str]) -> None:
        """Withhold these files, by id with the reason, and no others any more."""
        paths = {known.id: path for path, known in self.ledger.known.items()}
        self._withheld = {
            str(file_id): [paths.get(file_id, ""), reason] for file_id, reason in reasons.items()
        }

    def commit(self) -> None:
        """Make everything since the last commit durable, and let it be read."""
        view, writing = self._view(self._state), self._writing
        writing.outbox.flush()
        totals = self._state["totals"]
        if not writing.is_empty:
            end_replaced(view, writing.ended(), writing.token)
            written = self._view({**self._state, "generation": writing.token})
            let_be_seen(written, self._renew)
            totals = totals_of(written)

        def publish(state: Json) -> None:
            demand(state, self._name, writing.token)
            state |= {
                "index": self._state["index"], "version": self._state["version"],
                "old_indexes": self._state["old_indexes"], "generation": writing.token,
                "next": writing.counters, "facts": self._merged(state["facts"]), "totals": totals,
                "grouped": self._state["grouped"], "versions": self._state["versions"],
                "vectors_kept_in": self._state["vectors_kept_in"],
            }  # fmt: skip
            if self._withheld is not None:
                state["withheld"] = self._withheld
            published = {**state["published"], str(writing.token): time.time()}
            state["published"] = dict(list(published.items())[-MOST_PUBLISHED:])
            state["lease"] = {"holder": holder(), "until": time.time() + LEASE_SECONDS}
            next_token(state)

        self._state = self._states.change(self._name, publish)
        self._is_new = False
        writing.outbox.close()
        self._begin()

    def _merged(self, now: Json) -> Json:
        """Give the facts with those that this run set; others may have set some meanwhile."""
        own, before = self.ledger.own_facts, self._state["facts"]
        changed = {key: value for key, value in own.items() if before.get(key) != value}
        kept = {**(before if self._is_new else now), **changed}
        self.ledger.own_facts = dict(kept)
        return kept

    def roll_back(self) -> None:
        """Undo everything since the last commit."""
        for path, known in self._files_before.items():
            if known is None:
                self.ledger.known.pop(path, None)
            else:
                self.ledger.known[path] = known
        self.ledger.own_facts = self._facts_before
        self._withheld = None
        self._terms.clear()  # some may not have been sent
        self._writing.outbox.close()
        if self._writing.outbox.is_written:
            token = self._writing.token

            def abandon(state: Json) -> None:
                demand(state, self._name, token)
                next_token(state)

            changed = self._states.change(self._name, abandon)
            self._state |= {name: changed[name] for name in ("token", "abandoned")}
        self._begin()

    def finish(self) -> list[str]:
        """End a whole run: commit, find versions, and delete what no reader sees any more."""
        self.commit()
        notes = self._group()
        point_alias(self._view(self._state))
        clean(self._cluster, self._state)
        if waits := self._cluster.waits[self._waited :]:
            notes.append(
                f"{self._cluster.address.where} was busy: it was waited for {len(waits)} times,"
                f" {sum(waits):.0f} s in all"
            )
        return notes

    def _group(self) -> list[str]:
        """Find the families of what was committed, and publish them; give back kept vectors."""
        view = self._view(self._state)
        keeper = FamilyDocuments(view, self.ledger.known, self._writing, self._renew)
        notes = group_versions(keeper)
        kept_in = self._state["vectors_kept_in"]
        if kept_in:
            restore_vectors(view, kept_in, self._renew)
        if keeper.is_used or kept_in or keeper.count != self._state["versions"]:
            self._state |= {"grouped": self._writing.token, "versions": keeper.count}
            self._state["vectors_kept_in"] = ""
            self.commit()
        return notes

    def close(self) -> None:
        """Undo what is not committed, and let others write."""
        token = self._writing.token
        self._writing.outbox.close()

        def release(state: Json) -> None:
            if state["token"] == token:
                state["lease"] = None

        self._states.change(self._name, release)

    def _renew(self) -> None:
        """Say that this run goes on, now and then."""
        if time.time() - self._renewed < LEASE_SECONDS / 4:
            return
        token = self._writing.token

        def renew(state: Json) -> None:
            demand(state, self._name, token)
            state["lease"] = {"holder": holder(), "until": time.time() + LEASE_SECONDS}

        self._states.change(self._name, renew)
        self._renewed = time.time()
