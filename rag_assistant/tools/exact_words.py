"""Words of entries as a tool hands them over: exact, without what is hidden from models, citable.

What a tool quotes so was cut from the entry's text by code and needs no looking up.
"""

from collections.abc import Sequence

from rag_assistant.library.database import Database
from rag_assistant.tools.run_cache import TextRead
from rag_assistant.values.documents import Entry, EntryText, Passage
from rag_assistant.values.evidence import Evidence, EvidenceItem

CERTAIN = 10
"""The confidence of what code found."""


def item_of(database: str, entry: Entry, passage: Passage, begin: int, end: int) -> EvidenceItem:
    """Give the characters `begin` to `end` of a passage's text as they can be cited."""
    while begin < end and passage.text[begin].isspace():
        begin += 1
    while end > begin and passage.text[end - 1].isspace():
        end -= 1
    return EvidenceItem(
        database=database,
        entry_id=entry.id,
        title=entry.title,
        path=entry.path,
        quote=passage.text[begin:end],
        location=passage.place(begin, end),
        verified=True,
        text_hash=entry.text_hash,
    )


def exact_evidence(
    databases: Sequence[str],
    query: str,
    items: Sequence[EvidenceItem],
    *,
    read: Sequence[int] = (),
    notes: Sequence[str] = (),
) -> Evidence:
    """Give what code found. `read` are entries that were read, of the first database."""
    return Evidence(
        databases[0], query, tuple(items), CERTAIN, entries_read=tuple(read), notes=tuple(notes)
    )


def visible(database: Database, entry: Entry, passages: Sequence[Passage]) -> EntryText:
    """Give passages of an entry without what models may not read; it blocks."""
    return database.for_prompt([EntryText(entry, tuple(passages))])[0]


def as_read(database: Database, text: EntryText) -> TextRead:
    """Give what was handed over, for the checks of the answer."""
    return TextRead(database.name, "", text)
