"""Words of entries as a tool hands them over: exact, without what is hidden from models, citable.

What a tool quotes so was cut from the entry's text by code and needs no looking up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rag_assistant.injection.naming import prompt_path
from rag_assistant.library.database import Database
from rag_assistant.text.version_names import named_version
from rag_assistant.tools.run_cache import TextRead
from rag_assistant.values.coverage import Tally
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


def passage_items(database: str, texts: Iterable[EntryText]) -> Iterator[EvidenceItem]:
    """Give the passages that were read of entries as they can be cited, whole."""
    for text in texts:
        for passage in text.passages:
            item = item_of(database, text.entry, passage, 0, len(passage.text))
            if item.quote:
                yield replace(item, is_passage=True)


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


def dates_told(dated: Iterable[tuple[str, str, str]]) -> Iterator[Tally]:
    """Give the dates that no path says, by database and path: an answer may state them.

    No quote has them; they are those of the document itself, or of its file.
    """
    for database, path, date in dict.fromkeys(dated):
        if date and named_version(path).date != date:
            yield Tally(database, f"date of {prompt_path(path)}", date)


def as_read(database: Database, text: EntryText) -> TextRead:
    """Give what was handed over, for the checks of the answer."""
    return TextRead(database.name, "", text)


def in_part(database: Database, entries: Iterable[Entry]) -> list[str]:
    """Give the paths of those entries of whose files only a part is indexed: too long for more.

    What is counted in them is not all that there is. It blocks.
    """
    known = {line.path for line in database.ledger("partial")}
    return sorted({entry.path for entry in entries if entry.path in known}) if known else []
