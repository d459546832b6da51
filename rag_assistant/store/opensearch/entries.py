"""The entries of a database on a cluster, with what is known of them."""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime

from rag_assistant.errors import EntryNotFound
from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.passages import OpenSearchPassages
from rag_assistant.store.opensearch.versions import OpenSearchVersions
from rag_assistant.store.opensearch.view import View
from rag_assistant.text.likeness import LONGEST, ComparedText, compared_text
from rag_assistant.values.documents import Entry, EntryName
from rag_assistant.values.outline import EntryFacts, ThreadMail, facts_of

_FIELDS = [
    "entry_id", "path", "key", "body.title", "body.media_type", "body.length", "body.text_hash",
    "body.metadata", "body.mtime_ns",
]  # fmt: skip


class OpenSearchEntries:
    """Reads entries; `store.reading.Entries`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def get(self, entry_id: int) -> Entry:
        """Give one entry, with its other versions. Raises EntryNotFound."""
        for one in self._by_ids([entry_id], _FIELDS):
            return replace(_entry_of(one), versions=OpenSearchVersions(self._view).others(entry_id))
        raise self._absent(entry_id)

    def _absent(self, entry_id: int) -> EntryNotFound:
        withheld = self._view.withheld
        query = self._view.of_kind("entry", {"term": {"entry_id": entry_id}})
        for hit in self._view.hits(query, ["file_id"], size=1) if withheld else ():
            path, reason = withheld.get(hit["_source"]["file_id"], ("", ""))
            if path:
                return EntryNotFound(
                    f"The entry {entry_id}, {path}, is withheld: {reason}.",
                    hint="Let its folder be read again, and index it.",
                )
        return EntryNotFound(
            f"No entry has the id {entry_id}.", hint="Search to see the ids that there are."
        )

    def all(self) -> list[Entry]:
        """List all entries by path."""
        found = map(_entry_of, self._every(_FIELDS))
        return sorted(found, key=lambda one: (one.path, one.id))

    def names(self) -> list[EntryName]:
        """List what all entries go by, by id."""
        found = self._every(["entry_id", "path", "key"])
        return [EntryName(one["entry_id"], one["path"], one["key"]) for one in found]

    def titles(self, entry_ids: Collection[int]) -> dict[int, str]:
        """Give the titles of entries by id."""
        known = {one: self._view.met.get(one, {}).get("title") for one in entry_ids}
        missing = [one for one, title in known.items() if title is None]
        for one in self._by_ids(missing, ["body.title"]) if missing else ():
            known[one["entry_id"]] = one["body"]["title"]
        return {one: title for one, title in known.items() if title is not None}

    def digest(self) -> str:
        """Give a digest of all entries: another one as soon as a path, a key or a text is."""
        from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, which a search needs not

        whole = sha256()
        found = self._every(["entry_id", "path", "key", "body.text_hash"])
        rows = [
            (one["path"], one["key"], one["entry_id"], one["body"]["text_hash"]) for one in found
        ]
        for path, key, _, text_hash in sorted(rows):
            whole.update(repr((path, key, text_hash)).encode("utf-8", "surrogatepass"))
        return whole.hexdigest()[:16]

    def facts(self, entry_id: int) -> EntryFacts:
        """Give what is known of an entry besides, and its outline."""
        return self.facts_of([entry_id])[entry_id]

    def facts_of(self, entry_ids: Collection[int]) -> dict[int, EntryFacts]:
        """Give what is known of entries besides, by id."""
        found = self._known_facts(entry_ids)
        return {one: found.get(one, EntryFacts()) for one in entry_ids}

    def _known_facts(self, entry_ids: Collection[int]) -> dict[int, EntryFacts]:
        found = self._by_ids(entry_ids, ["body.facts"])
        return {one["entry_id"]: facts_of(one["body"]["facts"]) for one in found}

    def kinds(self, entry_ids: Collection[int]) -> dict[int, str]:
        """Give the kinds of entries by id."""
        return {one: facts.kind for one, facts in self._known_facts(entry_ids).items()}

    def thread(self, entry_id: int) -> tuple[ThreadMail, ...]:
        """Give the mails of an entry's thread, by time."""
        threads = [one.get("thread", "") for one in self._by_ids([entry_id], ["thread"])]
        if not any(threads):
            return ()
        query = self._view.seen("entry", {"term": {"thread": threads[0]}})
        found = self._view.all_of(query, ["entry_id", "body.title", "body.facts"], "entry_id")
        mails: list[ThreadMail] = []
        for one in found:
            facts = facts_of(one["body"]["facts"])
            author = ", ".join(facts.authors)
            mails.append(ThreadMail(one["entry_id"], one["body"]["title"], author, facts.created))
        mails.sort(key=lambda mail: (mail.sent, mail.entry_id))
        return tuple(mails) if len(mails) > 1 else ()

    def authors(self) -> dict[str, int]:
        """Count the entries of each author."""
        return dict(
            sorted(Counter(n for one in self._every(["names"]) for n in one["names"]).items())
        )

    def languages(self) -> dict[str, int]:
        """Count the entries of each language."""
        return dict(sorted(Counter(one["language"] for one in self._every(["language"])).items()))

    def previous_text(self, entry_id: int) -> tuple[str, str] | None:
        """Give the hash and the text that an entry had before its last change, if it had any."""
        return self.previous_texts([entry_id]).get(entry_id)

    def previous_texts(self, entry_ids: Collection[int]) -> dict[int, tuple[str, str]]:
        """Give the hashes and texts that entries had before, by id."""
        found = {
            one["entry_id"]: one.get("body", {}).get("previous")
            for one in self._by_ids(entry_ids, ["body.previous"])
        }
        return {one: (told[0], told[1]) for one, told in found.items() if told}

    def compared(self, entry_id: int) -> ComparedText:
        """Read an entry's text as texts are compared with one another."""
        for one in self._by_ids([entry_id], ["body.text_hash", "body.length"]):
            body = one["body"]
            text = OpenSearchPassages(self._view).text(entry_id, 0, LONGEST)
            return compared_text(body["text_hash"], body["length"], text)
        raise self._absent(entry_id)

    def _every(self, fields: list[str]) -> list[Json]:
        return list(self._view.all_of(self._view.seen("entry"), fields, "entry_id"))

    def _by_ids(self, ids: Collection[int], fields: list[str]) -> list[Json]:
        return self._view.by_ids("entry", "entry_id", ids, fields)


def changed_at(mtime_ns: int) -> str:
    """Give when a file was changed, ISO 8601 in UTC; empty where that is not to be believed."""
    if mtime_ns <= 0:
        return ""
    return datetime.fromtimestamp(mtime_ns // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _entry_of(one: Json) -> Entry:
    body = one["body"]
    return Entry(
        one["entry_id"], body["title"], one["path"], body["media_type"], body["length"],
        body["text_hash"], one["key"], body["metadata"], changed_at(body["mtime_ns"]),
    )  # fmt: skip
