"""JSON Lines (https://jsonlines.org): each record is an entry of its own, known by its id or else
by its line. A line that cannot be read costs only itself, and the first entry's metadata names it.
"""

from collections.abc import Iterator

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.records import records
from rag_assistant.ingest.parsing.records.json_values import NotJson, parse
from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.ingest.room import span, with_left_out
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/x-ndjson"


def load(source: LoadInput) -> list[Document]:
    """Read the records of a file. Raises LoadError when not one of its lines can be read.

    Those that were left out are named in `lines_not_read` of the first document's metadata. Those
    that do not fit are counted by their lines.
    """
    found = records.RecordDocuments(_MEDIA_TYPE, source.fields, source.most)
    start = decode_start(source.data, source.most)
    text = start.decoded.text
    whole = text[: text.rfind("\n") + 1] if start.characters else text
    first_left = whole.count("\n") + 1 if start.characters else 0
    for number, line in _lines(whole):
        name = f"line {number}"
        try:
            if not found.add(name, parse(line)):
                first_left = number
                break
        except NotJson as error:
            # The parser counts lines within this one.
            found.leave_out(name, f"not JSON: {str(error).replace(' at line 1,', ' at')}")
        except LoadError as error:
            found.leave_out(name, error.message)
    if not found.documents and text and not whole:  # its first line alone is too long
        return [Document(text, "text/plain", left_out=start.left_out())]
    if found.left_out and not found.documents:
        raise LoadError(
            f"no line can be read as a JSON record ({found.left_out[0]})",
            hint="A .jsonl file has one JSON object on each line.",
        )
    documents = records.with_gaps(found.documents, found.left_out, "lines")
    if first_left and documents:
        last = text.count("\n") + (start.lines if start.characters else text[-1] != "\n")
        documents[-1] = with_left_out(documents[-1], span("line", first_left, last))
    return documents


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank with their numbers, without a list of them all.

    Only at line feeds: strings may hold U+2028 and other ends of lines that Unicode knows.
    """
    start, number = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        if line := text[start:end].strip():
            yield number, line
        start = end + 1


LOADER = Loader("json lines", 2, frozenset({".jsonl", ".ndjson"}), _MEDIA_TYPE, load)
