"""JSON: a list of records with texts is an entry for each record; any other value is one entry,
laid out as lines `path.to.key: value` in the order of the file. What is no JSON after all is read
as the plain text it is.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import json_lines
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.records import records
from rag_assistant.ingest.parsing.records.json_values import (
    Json,
    NotJson,
    Object,
    TooManyValues,
    elements,
    flattened,
    parse,
    scalar,
)
from rag_assistant.ingest.parsing.text_start import TextStart, decode_start
from rag_assistant.ingest.room import span, with_left_out
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/json"
_TITLES = ("title", "name")
_LOOKED_AT = 1_000  # elements, by which a list too long to be held is judged


def load(source: LoadInput) -> list[Document]:
    """Read a file, of one that is too long the first of its records, or else of its text.

    Raises LoadError for too many values that are no records, and for too deep a nesting.
    """
    start = decode_start(source.data, source.most)
    text = start.decoded.text
    if start.characters:
        return _records_of_start(source, start) or _other(source, start, "longer than is read")
    try:
        value = parse(text)
    except NotJson as error:
        return _other(source, start, str(error))
    except TooManyValues:
        if found := _records_of_start(source, start):
            return found
        raise
    if isinstance(value, list) and _are_records(value, source.fields):
        return _records(iter(value), source, "")
    words, left_out = flattened(value, source.most)
    title = ""
    if isinstance(value, Object):
        title = next((said for name in _TITLES if (said := scalar(value.get(name)))), "")
    title = " ".join(title.split())[:500]
    return [Document(words, _MEDIA_TYPE, title=title, left_out=left_out)]


def _are_records(values: list[Json], fields: Mapping[str, str]) -> bool:
    """Say whether a list is of objects, most of which have a text."""
    if not values or not all(isinstance(value, Object) for value in values):
        return False
    return 2 * sum(records.has_text(value, fields) for value in values) > len(values)


def _records(values: Iterator[Json], source: LoadInput, behind: str) -> list[Document]:
    """Make documents of records until they fill the room; `behind` is what the file has more."""
    found = records.RecordDocuments(_MEDIA_TYPE, source.fields, source.most)
    number, last = 0, 0
    try:
        for last, value in enumerate(values, 1):
            name = f"record {last}"
            try:
                if number < last - 1 or not found.add(name, value):
                    continue
            except LoadError as error:
                found.leave_out(name, error.message)
            number = last
    except NotJson as error:  # its end is cut off, or broken
        behind = behind or f"what follows record {last:,}: {error}"
    documents = records.with_gaps(found.documents, found.left_out, "records")
    left_out = "; ".join(
        part for part in (span("record", number + 1, last) if number < last else "", behind) if part
    )
    if documents and left_out:
        documents[-1] = with_left_out(documents[-1], left_out)
    return documents


def _records_of_start(source: LoadInput, start: TextStart) -> list[Document]:
    """Read the records of a list that is too long to be parsed whole; nothing for other JSON."""
    text = start.decoded.text
    first: list[Json] = []
    with suppress(NotJson):  # where the text is cut
        first.extend(islice(elements(text), _LOOKED_AT))
    if not _are_records(first, source.fields):
        return []
    behind = f"the records in the last {start.characters:,} characters" if start.characters else ""
    return _records(elements(text), source, behind)


def _other(source: LoadInput, start: TextStart, why: str) -> list[Document]:
    """Read what breaks the grammar: records on lines of their own, or text with comments in it."""
    first = start.decoded.text.lstrip().partition("\n")[0]
    try:
        if isinstance(parse(first), Object):
            return json_lines.load(source)
    except NotJson:
        pass
    return _as_text(start, why)


def _as_text(start: TextStart, why: str) -> list[Document]:
    return [
        Document(
            start.decoded.text,
            "text/plain",
            metadata={"not_json": why},
            lines_match_file=True,
            left_out=start.left_out(),
        )
    ]


LOADER = Loader("json", 2, frozenset({".json"}), _MEDIA_TYPE, load)
