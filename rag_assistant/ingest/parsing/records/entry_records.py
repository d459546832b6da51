"""Files of records that each stand for themselves (contacts, events, references): every record is a
document, with a key of its own where there are several.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rag_assistant.ingest.parsing.records.records import unique
from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.ingest.room import Room, span, with_left_out
from rag_assistant.values.documents import Document

_LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """A record: its key in its file, "" if it has none, and what is to be read of it.

    `fields` are names and values in the order in which they are shown; a field without a name is
    text of its own, below the others.
    """

    key: str
    title: str
    fields: tuple[tuple[str, str], ...]
    metadata: Mapping[str, str] = field(default_factory=dict)


def documents_of(
    data: bytes, most: int, media_type: str, unit: str, read: Callable[[str], Iterator[EntryRecord]]
) -> list[Document]:
    """Decode a file and make documents of the records that `read` finds in it and that have words.

    A single one is the file itself, and needs no key. What does not fit is counted; `unit` names
    what a record is. Raises LoadError as `decode` does.
    """
    start = decode_start(data, most)
    found: list[Document] = []
    seen: set[str] = set()
    room = Room(most)
    numbered = enumerate(read(start.decoded.text), 1)
    for number, record in numbered:
        text = "\n".join(_lines(record))
        if not text:
            continue
        if not room.takes(len(text)):
            last = number + sum(1 for _ in numbered)
            found[-1] = with_left_out(found[-1], span(unit, number, last))
            break
        key = unique(record.key or record.title[:_LONGEST_TITLE], f"{unit} {number}", seen)
        metadata = {name: said for name, said in record.metadata.items() if said}
        title = record.title[:_LONGEST_TITLE]
        found.append(Document(text, media_type, title=title, key=key, metadata=metadata))
    if found and start.characters:
        found[-1] = with_left_out(found[-1], start.left_out())
    return [replace(found[0], key="")] if len(found) == 1 else found


def _lines(record: EntryRecord) -> Iterator[str]:
    if record.title:
        yield record.title
    yield from (f"{name}: {value}" for name, value in record.fields if name and value)
    yield from (f"\n{value}" for name, value in record.fields if value and not name)
