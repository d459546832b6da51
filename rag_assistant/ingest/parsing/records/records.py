"""From a record of a file of records to a document: which of its fields are its title, its text and
its id is said by the person, or guessed from the names that data sets use. Whatever is not chosen
is kept: what is short as metadata, what is long below the text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.records.json_values import (
    Json,
    Number,
    Object,
    flattened,
    scalar,
    storable,
)
from rag_assistant.ingest.room import NOT_INDEXED, Room
from rag_assistant.values.documents import Document

# In order of preference; BEIR's are `_id`, `title` and `text` (https://github.com/beir-cellar/beir).
_NAMES = {
    "title": "title name headline subject".split(),
    "text": "text body content abstract description contents".split(),
    "id": "_id id docid doc_id key".split(),
    "author": "author authors creator".split(),
    "date": "date published created timestamp".split(),
    "url": "url link href".split(),
}
_SHOWN = ("author", "date", "url")
_RESERVED = frozenset({NOT_INDEXED, "lines_not_read", "records_not_read", "title", "text"})
_LONGEST_TITLE = 500
_LONGEST_KEY = 200
_SHORT = 200
_MOST_METADATA = 50
_MOST_NAMED = 20
_LARGEST_ID = 2**63 - 1  # of SQLite


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The values of a record that were asked for, and the paths that they came from."""

    values: Mapping[str, tuple[str, ...]]
    used: frozenset[str]
    used_by_id: frozenset[str]

    def first(self, what: str) -> str:
        """Give the first value of a field, without white space around it."""
        return next((value.strip() for value in self.values.get(what, ())), "")


def has_text(record: Json, fields: Mapping[str, str]) -> bool:
    """Say whether a value is a record whose text is found, so that it can stand for itself."""
    return isinstance(record, Object) and any(
        not isinstance(value, Number) for _, value in _found(record, "text", fields)
    )


def document_of(record: Json, media_type: str, fields: Mapping[str, str]) -> Document | None:
    """Make a document of a record, `key` its id if it has one; None when it holds no words.

    A record without a text field is laid out line by line. `fields` may give several paths for
    `text`, with commas between them.
    """
    if not isinstance(record, Object):
        text, left_out = flattened(record)
        return _document(text, media_type, {}, left_out=left_out)
    chosen = _choose(record, fields)
    title = " ".join(chosen.first("title")[:_LONGEST_TITLE].split())
    parts = [value for value in chosen.values["text"] if value.strip()]
    if len(parts) > 1:  # one alone stays as it is: others may know offsets in it
        parts = [part.strip("\n") for part in parts]
    rest = _without(record, chosen.used)
    metadata: dict[str, str] = {}
    if parts:
        metadata, long = _short_and_long(rest)
        rest = Object(()) if "text" in fields else long  # who names the texts wants no others
    elif rest.members:
        rest = _without(record, chosen.used_by_id)
    below, left_out = flattened(rest)
    metadata |= {name: " ".join(chosen.first(name).split()) for name in _SHOWN}
    text = "\n\n".join(part for part in (*parts, below) if part) or chosen.first("title")
    found = _document(text, media_type, metadata, title=title, left_out=left_out)
    return replace(found, key=chosen.first("id")) if found else None


def _without(record: Object, names: frozenset[str]) -> Object:
    return Object(tuple(member for member in record.members if member[0] not in names))


def _document(
    text: str, media_type: str, metadata: Mapping[str, str], *, title: str = "", left_out: str = ""
) -> Document | None:
    if not text.strip():
        return None
    kept = {name: value for name, value in metadata.items() if value}
    return Document(text, media_type, title=title, metadata=kept, left_out=left_out)


class RecordDocuments:
    """The documents of a file of records, each with a key of its own, and why others are none.

    Together they have at most `most` characters, but for a single one.
    """

    def __init__(self, media_type: str, fields: Mapping[str, str], most: int) -> None:
        self._room = Room(most)
        self.documents: list[Document] = []
        self.left_out: list[str] = []
        """The records that are no documents: the name of each, and the reason."""
        self._media_type = media_type
        self._fields = fields
        self._keys: set[str] = set()

    def add(self, name: str, record: Json) -> bool:
        """Take a record, which goes by `name` if it has no id; say whether it fits.

        Raises LoadError if it is unfit.
        """
        document = document_of(record, self._media_type, self._fields)
        if document is None:
            raise LoadError("no text in it")
        if not self._room.takes(len(document.text)):
            return False
        self.documents.append(replace(document, key=unique(document.key, name, self._keys)))
        return True

    def leave_out(self, name: str, reason: str) -> None:
        """Note that a record is no document."""
        self.left_out.append(f"{name}: {reason}")


def with_gaps(documents: list[Document], left_out: list[str], unit: str) -> list[Document]:
    """Note on the first document which parts of the file were left out, and why.

    A LoadError would lose the good parts, and a document for each bad one would be found and cited.
    """
    if not left_out or not documents:
        return documents
    more = len(left_out) - _MOST_NAMED
    said = "; ".join(left_out[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
    first = documents[0]
    noted = replace(first, metadata={**first.metadata, f"{unit}_not_read": said})
    return [noted, *documents[1:]]


def unique(key: str, fallback: str, seen: set[str]) -> str:
    """Give a key that no record before has, and note it: the id, or else `fallback` with it."""
    key = " ".join(key.split())
    short = key[:_LONGEST_KEY] or fallback
    if short in seen or len(key) > _LONGEST_KEY:
        short = f"{short} ({fallback})"
    while short in seen:
        short += "'"
    seen.add(short)
    return short


def wanted_id(value: Json) -> int | None:
    """Give an id that a record brings, if it is a whole number from 1 that a store can keep."""
    if isinstance(value, Number) and value.isascii() and value.isdigit() and len(value) < 20:
        number = int(value)
        return number if 0 < number <= _LARGEST_ID else None
    return None


def _choose(record: Object, fields: Mapping[str, str]) -> _Chosen:
    values: dict[str, tuple[str, ...]] = {}
    used: dict[str, set[str]] = {}
    for what in _NAMES:
        found = _found(record, what, fields)
        values[what] = tuple(_plain(value) for _, value in found)
        used[what] = {path for path, _ in found}
    return _Chosen(values, frozenset().union(*used.values()), frozenset(used["id"]))


def _found(record: Object, what: str, fields: Mapping[str, str]) -> list[tuple[str, Json]]:
    """Find the values of a field that have words, each with its path."""
    if what in fields:
        named = fields[what]
        whole = _at(record, named)
        paths = [named] if whole else [path.strip() for path in named.split(",")]
        return [found for path in paths if (found := _at(record, path)) and _plain(found[1])]
    names = _NAMES[what]
    known = [
        (names.index(key.strip().lower()), key, value)
        for key, value in record.members
        if key.strip().lower() in names and _guessable(what, value)
    ]
    if what != "text":
        known = sorted(known, key=lambda found: found[0])[:1]
    return [(key, value) for _, key, value in known]


def _guessable(what: str, value: Json) -> bool:
    """Say whether a value can be what its name says: a text has words, an id is one word or so."""
    if isinstance(value, Object) or not _plain(value).strip():
        return False
    if what == "text":
        return not isinstance(value, Number | bool)
    return isinstance(value, str) or what == "author"


def _at(record: Object, path: str) -> tuple[str, Json] | None:
    """Follow a dotted path, through lists by number; a key that is the whole path comes first."""
    whole = record.get(path)
    if whole is not None:
        return path, whole
    value: Json = record
    for step in path.split("."):
        if isinstance(value, Object):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return None
    return None if value is None else (path, value)


def _plain(value: Json) -> str:
    """Give a value as text: paragraphs of a list apart, names of a short one together."""
    if isinstance(value, list):
        said = [scalar(element).strip() for element in value]
        if all(said) and all(isinstance(element, str) for element in value):
            return ("\n\n" if max(map(len, said), default=0) > _SHORT // 4 else ", ").join(said)
    if isinstance(value, list | Object):
        return flattened(value)[0]
    return scalar(value)


def _short_and_long(rest: Object) -> tuple[dict[str, str], Object]:
    """Part members that fit into metadata from those that are to be read."""
    short: dict[str, str] = {}
    long: list[tuple[str, Json]] = []
    for key, value in rest.members:
        name = storable(key.strip().lower())
        nested = isinstance(value, Object) or (isinstance(value, list) and not _flat(value))
        said = "" if nested else _plain(value)
        fits = len(said) <= _SHORT and len(name) <= _SHORT and len(short) < _MOST_METADATA
        if nested or not fits or name in short or name in _RESERVED:
            long.append((key, value))
        elif said.strip():
            short[name] = " ".join(said.split())
    return short, Object(tuple(long))


def _flat(elements: Iterable[Json]) -> bool:
    return not any(isinstance(element, list | Object) for element in elements)
