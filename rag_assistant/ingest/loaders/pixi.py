"""Databases of Pixi, a chat bot: JSON compressed with Zstandard (RFC 8878), of one entry or of
many, each with its title, content, id and source. An entry keeps its id if it is a whole
number from 1.
"""

import io
from collections.abc import Iterator
from dataclasses import replace

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.records import records
from rag_assistant.ingest.parsing.records.json_values import Json, NotJson, Object, parse, scalar
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/zstd"
_FIELDS = {"title": "title", "text": "content", "id": "id"}
_MOST_BYTES = 512 * 1024 * 1024
_WINDOW = 128 * 1024 * 1024  # what `zstd` itself allows without being asked for more
_CHUNK = 1024 * 1024
_BOMB_FROM = 10 * 1024 * 1024
_BOMB_RATIO = 200


def load(source: LoadInput) -> list[Document]:
    """Read a database file. Raises LoadError for bombs, damage, and content of another kind."""
    try:
        value = parse(decode(_decompressed(source.data)).text)
    except NotJson as error:
        raise LoadError(
            f"not a Pixi database: its content is not JSON ({error})",
            hint="Of .zst files only those databases are read; unpack others.",
        ) from None
    documents: list[Document] = []
    left_out: list[str] = []
    seen: set[str] = set()
    for name, entry in _entries(value):
        document = _document(entry)
        if document is None:
            left_out.append(f"{name or 'entry'}: no text in it")
            continue
        key = document.key or name
        documents.append(replace(document, key=records.unique(key, name, seen) if key else ""))
    return records.with_gaps(documents, left_out, "records")


def _document(entry: Object) -> Document | None:
    document = records.document_of(entry, _MEDIA_TYPE, _FIELDS)
    return document and replace(document, wanted_id=records.wanted_id(entry.get("id")))


def _entries(value: Json) -> Iterator[tuple[str, Object]]:
    """Give the entries, each with what it goes by when it has no id: a key, or its number."""
    if isinstance(value, Object) and not _is_mapping(value):
        yield "", value
        return
    pairs: list[tuple[str, Json]] = []
    if isinstance(value, Object):
        pairs = list(value.members)
    elif isinstance(value, list):
        pairs = [(f"record {number}", element) for number, element in enumerate(value, 1)]
    for name, element in pairs:
        if isinstance(element, Object):
            yield name, element
    if not any(isinstance(element, Object) for _, element in pairs):
        raise LoadError("not a Pixi database: there are no entries in it")


def _is_mapping(value: Object) -> bool:
    """Say whether an object holds entries rather than being one."""
    return not scalar(value.get("content")) and all(
        isinstance(member, Object) for _, member in value.members
    )


def _decompressed(data: bytes) -> bytes:
    from rag_assistant.ingest.parsing.extras import require  # noqa: PLC0415  with what it requires

    zstandard = require("zstandard", "formats")
    decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    chunks: list[bytes] = []
    size = 0
    try:
        # Read with a cap: the size that a frame declares may be a lie.
        with decompressor.stream_reader(io.BytesIO(data), read_across_frames=True) as stream:
            while chunk := stream.read(_CHUNK):
                chunks.append(chunk)
                size += len(chunk)
                if size > _MOST_BYTES or size > max(_BOMB_FROM, _BOMB_RATIO * len(data)):
                    raise LoadError("unpacks to far more than it should: not read")
    except zstandard.ZstdError as error:
        said = " ".join(str(error).split())[:200]
        raise LoadError(f"broken zstd file: {said}", hint="Fetch or export it anew.") from None
    if not chunks:
        raise LoadError("broken zstd file: nothing in it, or it is cut short")
    return b"".join(chunks)


LOADER = Loader("pixi", 1, frozenset({".zst"}), _MEDIA_TYPE, load)
