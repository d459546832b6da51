"""JSON: a list of records with texts is an entry for each record; any other value is one entry,
laid out as lines `path.to.key: value` in the order of the file. What is no JSON after all is read
as the plain text it is.
"""

from collections.abc import Mapping

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders import json_lines
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing import records
from rag_assistant.ingest.parsing.json_values import Json, NotJson, Object, flattened, parse, scalar

_MEDIA_TYPE = "application/json"
_TITLES = ("title", "name")


def load(source: LoadInput) -> list[Document]:
    """Read a file. Raises LoadError for too many values and for too deep a nesting."""
    text = decode(source.data).text
    try:
        value = parse(text)
    except NotJson as error:
        return _other(source, text, str(error))
    if isinstance(value, list) and _are_records(value, source.fields):
        return _records(value, source.fields)
    words, cut = flattened(value)
    title = ""
    if isinstance(value, Object):
        title = next((said for name in _TITLES if (said := scalar(value.get(name)))), "")
    metadata = {"truncated": "longer than 20 million characters"} if cut else {}
    return [Document(words, _MEDIA_TYPE, title=" ".join(title.split())[:500], metadata=metadata)]


def _are_records(values: list[Json], fields: Mapping[str, str]) -> bool:
    """Say whether a list is of objects, most of which have a text."""
    if not values or not all(isinstance(value, Object) for value in values):
        return False
    return 2 * sum(records.has_text(value, fields) for value in values) > len(values)


def _records(values: list[Json], fields: Mapping[str, str]) -> list[Document]:
    found = records.Gathered(_MEDIA_TYPE, fields)
    for number, value in enumerate(values, 1):
        name = f"record {number}"
        try:
            found.add(name, value)
        except LoadError as error:
            found.leave_out(name, error.message)
    return records.with_gaps(found.documents, found.left_out, "records")


def _other(source: LoadInput, text: str, why: str) -> list[Document]:
    """Read what breaks the grammar: records on lines of their own, or text with comments in it."""
    first = text.lstrip().partition("\n")[0]
    try:
        if isinstance(parse(first), Object):
            return json_lines.load(source)
    except NotJson:
        pass
    return [Document(text, "text/plain", metadata={"not_json": why}, lines_match_file=True)]


LOADER = Loader("json", 1, frozenset({".json"}), _MEDIA_TYPE, load)
