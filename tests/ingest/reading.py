"""Reads bytes as the library does: the loader of the name, then the documents."""

import json

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Document


def read(path: str, data: bytes) -> Document:
    """Give the one document of a file."""
    loader = loader_for(path, data)
    assert loader is not None, f"no loader for {path}"
    (document,) = load(loader, LoadInput(path, data))
    return document


def refusal(path: str, data: bytes) -> str:
    """Give the reason why a file is refused; an assertion fails if it is not."""
    try:
        document = read(path, data)
    except LoadError as error:
        assert error.message
        return error.message
    raise AssertionError(f"{path} was read as {document.text[:100]!r}")


def read_all(path: str, data: bytes, fields: dict[str, str] | None = None) -> list[Document]:
    """Give all documents of a file."""
    loader = loader_for(path, data)
    assert loader is not None
    documents = load(loader, LoadInput(path, data, fields or {}))
    for document in documents:
        assert "".join(passage.text for passage in split(document)) == document.text
        json.dumps([document.text, document.key, dict(document.metadata)]).encode()
    return documents


def outline(document: Document) -> list[tuple[int, str]]:
    """Give the headings with their levels; an assertion fails where one is not at its place."""
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)
    return [(heading.level, heading.title) for heading in document.headings]
