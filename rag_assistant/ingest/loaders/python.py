"""Python source: the file's own text, with its functions and classes as headings."""

from rag_assistant.ingest.loaders import text
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.code.definitions import with_definitions
from rag_assistant.ingest.parsing.code.python import python_definitions
from rag_assistant.values.documents import Document


def load(source: LoadInput) -> list[Document]:
    """Read source; what is no Python of today is plain text, and its metadata say why."""
    return [
        with_definitions(document, python_definitions(document.text))
        for document in text.load(source)
    ]


# Not plain: what Python's parser takes for a text is up to the text, and it may crash.
LOADER = Loader("python", 1, frozenset({".py", ".pyi"}), "text/plain", load)
