"""Python source: the file's own text, with its functions and classes as headings."""

from dataclasses import replace

from rag_assistant.ingest.loaders import text
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.python_code import python_definitions
from rag_assistant.values.documents import Document


def load(source: LoadInput) -> list[Document]:
    """Read source; what is no Python of today is plain text, and its metadata say why."""
    return [_with_definitions(document) for document in text.load(source)]


def _with_definitions(document: Document) -> Document:
    found = python_definitions(document.text)
    fault = {"not_parsed": found.fault} if found.fault else {}
    return replace(document, headings=found.headings, metadata={**document.metadata, **fault})


# Not plain: what Python's parser takes for a text is up to the text, and it may crash.
LOADER = Loader("python", 1, frozenset({".py", ".pyi"}), "text/plain", load)
