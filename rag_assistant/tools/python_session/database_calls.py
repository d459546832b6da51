"""What the databases of a run answer to code: searches, whole entries, and lists of all entries.

Code may ask for anything: each argument is checked here, and what is wrong comes back to the code
as an exception that says so. All of it blocks, and is called from a thread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from rag_assistant.errors import ToolFailed
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.injection.naming import prompt_title
from rag_assistant.library.database import Database
from rag_assistant.library.hidden import snippet_for_models, text_for_models
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Entry, Hit

PAGE, PAGE_CHARACTERS = 1_000, 4_000_000
"""Entries of a list that are handed over at once, and characters of their texts."""

MOST_HITS = 1_000
"""Hits of one search: with more, going through all entries is the better way."""


class DatabaseCalls:
    """Answers for the databases of one run; lists of entries stay as they were when first asked.

    `handed` are the entries that code was given anything of, by database and id.
    """

    def __init__(self, databases: Sequence[Database]) -> None:
        self._databases = {database.name: database for database in databases}
        self._listed: dict[str | None, list[tuple[str, Entry]]] = {}
        self.handed: set[tuple[str, int]] = set()

    def answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Give the JSON value that `name` has for the arguments. Raises RagError."""
        given = arguments.get
        match name:
            case "search":
                return self._search(given("query"), given("limit"), given("database"))
            case "read":
                return self._read(given("id"), given("database"))
            case "entries":
                return self._entries(given("start"), given("texts"), given("database"))
        raise ToolFailed(f"There is no function {name!r:.40}.")

    def _search(self, query: object, limit: object, database: object) -> dict[str, Any]:
        if not isinstance(query, str):
            raise ToolFailed("search: query must be a text.")
        limit = _whole_number("search: limit", limit)
        if not 1 <= limit <= MOST_HITS:
            raise ToolFailed(
                f"search: limit must be from 1 to {MOST_HITS}.", hint="Use entries() for all."
            )
        found = search_databases(self._chosen(database), query, limit)
        self.handed.update((hit.database, hit.entry_id) for hit in found.hits)
        return {"hits": [_hit(hit) for hit in found.hits], "notes": list(found.notes)}

    def _read(self, id: object, database: object) -> dict[str, Any]:
        entry_id = _whole_number("read: id", id)
        chosen = self._chosen(database)
        if len(chosen) > 1:
            raise ToolFailed(f"read: say of which database: {', '.join(self._databases)}.")
        with chosen[0].reading() as reader:
            entry = reader.entries.get(entry_id)
            text = text_for_models(reader, entry_id)
            self.handed.add((chosen[0].name, entry_id))
            return {**_entry(chosen[0].name, entry), "text": text}

    def _entries(self, start: object, texts: object, database: object) -> dict[str, Any]:
        chosen = self._chosen(database)
        name = None if database is None else chosen[0].name
        if name not in self._listed:
            self._listed[name] = [(one.name, entry) for one in chosen for entry in one.entries()]
        listed = self._listed[name]
        first = max(0, _whole_number("entries: start", start))
        page = listed[first : first + PAGE]
        if texts:
            sizes = accumulate(entry.length for _, entry in page)
            page = page[: max(1, sum(size <= PAGE_CHARACTERS for size in sizes))]
        following = first + len(page)
        self.handed.update((name, entry.id) for name, entry in page)
        return {
            "entries": self._with_texts(page) if texts else [_entry(*pair) for pair in page],
            "next": following if page and following < len(listed) else None,
        }

    def _with_texts(self, page: list[tuple[str, Entry]]) -> list[dict[str, Any]]:
        shown: list[dict[str, Any]] = []
        for name, pairs in groupby(page, key=itemgetter(0)):
            with self._databases[name].reading() as reader:
                for _, entry in pairs:
                    text = text_for_models(reader, entry.id)
                    if entry.length and not text:
                        raise ToolFailed(f"Entry {entry.id} of {name} is gone.", hint="Run again.")
                    shown.append({**_entry(name, entry), "text": text})
        return shown

    def _chosen(self, name: object) -> list[Database]:
        if name is None and self._databases:
            return list(self._databases.values())
        if not isinstance(name, str) or name not in self._databases:
            known = ", ".join(self._databases) or "none"
            raise ToolFailed(
                f"There is no database {name!r:.40} here.", hint=f"The databases are: {known}."
            )
        return [self._databases[name]]


def _whole_number(what: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 1 << 63:
        raise ToolFailed(f"{what} must be a whole number, not {value!r:.40}.")
    return value


def _entry(database: str, entry: Entry) -> dict[str, Any]:
    return {
        "database": database,
        "id": entry.id,
        "title": prompt_title(entry.title, entry.path),
        "path": entry.path,
        "media_type": entry.media_type,
        "length": entry.length,
        "metadata": {k: v for k, v in entry.metadata.items() if not why_suspicious(f"{k}: {v}")},
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "database": hit.database,
        "id": hit.entry_id,
        "title": prompt_title(hit.title, hit.path),
        "path": hit.path,
        "score": hit.score,
        "snippet": snippet_for_models(hit),
        "location": asdict(hit.location),
    }
