"""A document that is read, as a value: its entry, the place it was opened at, how its words stand.

All of it is read from databases, which blocks: call it in threads.
"""

from dataclasses import dataclass

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.source_files import is_changed
from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.tui.sources.reading import OpenEntry, open_entry, place_at
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.values.documents import Entry, Location
from rag_assistant.values.evidence import Citation, QuoteState
from rag_assistant.values.outline import EntryFacts


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document, opened at the words from `place.start` to `place.end`, which `excerpt` holds.

    `citation` is the one that led to it, and `state` how its quote stands. `stale` says that the
    file has changed since it was indexed, `suspicious` what of it is hidden from the model. `facts`
    are what is known of it, with its outline.
    """

    opened: OpenEntry
    place: Location
    excerpt: Excerpt
    citation: Citation | None = None
    state: QuoteState = QuoteState.FOUND
    stale: bool = False
    suspicious: str = ""
    facts: EntryFacts = EntryFacts()

    @property
    def database(self) -> Database:
        """The database that it is in."""
        return self.opened.database

    @property
    def entry(self) -> Entry:
        """The document itself."""
        return self.opened.entry

    @property
    def span(self) -> tuple[int, int]:
        """Where the words stand that it was opened for."""
        return self.place.start, self.place.end


def read_document(database: Database, entry_id: int, start: int, end: int) -> OpenDocument:
    """Read the text of an entry round some words. Raises RagError where the entry is gone."""
    entry = database.entry(entry_id)
    place = place_at(database, entry_id, start, end)
    opened = open_entry(database, entry)
    excerpt = opened.window(start, end)
    stale = is_changed(database, entry.path)
    suspicious = _suspicious(database, entry_id, (start, end))
    known = database.facts(entry_id)
    return OpenDocument(opened, place, excerpt, stale=stale, suspicious=suspicious, facts=known)


def read_cited(library: Library, citation: Citation) -> OpenDocument:
    """Read the document that a citation is from. Raises RagError where it is gone."""
    passage = read_passage(library, citation)
    opened = passage.opened
    if opened is None:
        raise RagError(passage.problem, hint=passage.hint)
    database, entry_id = opened.database, opened.entry.id
    place = place_at(database, entry_id, passage.start, passage.end)
    span = (passage.start, passage.end)
    suspicious = _suspicious(database, entry_id, span)
    known = database.facts(entry_id)
    state = (citation, passage.state, passage.stale, suspicious)
    return OpenDocument(opened, place, passage.excerpt, *state, known)


def read_words(document: OpenDocument, selected: str, *, referenced: bool) -> str:
    """Give what is `selected`, or else the words that the document was opened for, for pasting.

    Where they are `referenced`, a line says where they are from.
    """
    entry = document.entry
    words = selected or document.database.text(entry.id, *document.span)
    if not referenced:
        return words
    return with_reference(words, entry.title, entry.path, document.place)


def find_page(document: OpenDocument, at: int) -> tuple[int | None, str]:
    """Give the page of a character, None where there are none, and the words to mark on it."""
    database, entry = document.database, document.entry
    return place_at(database, entry.id, at, at).page, database.text(entry.id, *document.span)


def _suspicious(database: Database, entry_id: int, span: tuple[int, int]) -> str:
    """Say what of a document no model reads, and why: where it is opened, or else first."""
    found = [row.suspicion for row in database.suspicions(entry_id) if not row.suspicion.allowed]
    if not found:
        return ""
    here = [one for one in found if one.place == "text" and one.start < span[1] > span[0] < one.end]
    one = (here or found)[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"! hidden from the model{' here' if here else ''}: {one.reason}{more}"
