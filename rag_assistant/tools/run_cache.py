"""What the tools of a run found and read, in full, so that no check of its answer looks it up anew.

It stays beside what a model is given, and is gone with the run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rag_assistant.search.ranking import SearchResult
from rag_assistant.values.coverage import EntryRead
from rag_assistant.values.documents import EntryText


@dataclass(frozen=True, slots=True)
class SearchDone:
    """What a search of some databases together for the `limit` best passages gave."""

    databases: tuple[str, ...]
    words: str
    limit: int
    result: SearchResult


@dataclass(frozen=True, slots=True)
class TextRead:
    """An entry of a database as it was read, without what is kept from models.

    `words` are those that a part of it was chosen by, empty where it was read round a place. One
    that was `found` is what a search showed of it.
    """

    database: str
    words: str
    text: EntryText
    found: bool = False


@dataclass(slots=True)
class RunCache:
    """All that a run has looked up so far."""

    searches: list[SearchDone] = field(default_factory=list)
    texts: list[TextRead] = field(default_factory=list)

    def search(self, databases: Sequence[str], words: str, limit: int) -> SearchResult | None:
        """Give what a search for the `limit` best found; None where none was made for these words
        in these databases, or for fewer.
        """
        for one in self.searches:
            if (one.databases, one.words) == (tuple(databases), words) and one.limit >= limit:
                return replace(one.result, hits=one.result.hits[:limit])
        return None

    def read_once(self) -> list[tuple[str, EntryText]]:
        """Give what was read, by database, and what searches showed besides; each passage once."""
        read = [one for one in self.texts if not one.found]
        known = {
            (one.database, one.text.entry.id, p.location) for one in read for p in one.text.passages
        }
        texts = [(one.database, one.text) for one in read]
        for one in self.texts:
            key = one.database, one.text.entry.id
            kept = tuple(p for p in one.text.passages if (*key, p.location) not in known)
            if one.found and kept:
                known |= {(*key, passage.location) for passage in kept}
                texts.append((one.database, replace(one.text, passages=kept)))
        return texts

    def entries_read(self, read: Iterable[EntryRead]) -> list[tuple[str, int]]:
        """Give what was read by database and entry: what searches only showed comes last."""
        keys = list(dict.fromkeys((one.database, one.entry_id) for one in read))
        opened = {(one.database, one.text.entry.id) for one in self.texts if not one.found}
        shown = {(one.database, one.text.entry.id) for one in self.texts if one.found} - opened
        return sorted(keys, key=lambda key: key in shown)

    def readings(self, database: str, entry_id: int) -> list[TextRead]:
        """Give an entry as it was read, once for each time."""
        return [
            one for one in self.texts if one.database == database and one.text.entry.id == entry_id
        ]
