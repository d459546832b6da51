"""Reads bytes as the library does: the loader of the name, then the documents."""

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput


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
