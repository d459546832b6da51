"""Source code in other languages than Python: the file's own text, with its functions and classes
as headings where the grammars of the extra `code` are installed.
"""

from pathlib import PurePosixPath

from rag_assistant.ingest.loaders import text
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.code.definitions import with_definitions
from rag_assistant.ingest.parsing.code.grammars import GRAMMARS, has_grammars
from rag_assistant.ingest.parsing.code.trees import tree_definitions
from rag_assistant.values.documents import Document


def load(source: LoadInput) -> list[Document]:
    """Read source; without its grammar it is plain text."""
    suffix = PurePosixPath(source.path).suffix.lower()
    return [
        with_definitions(document, tree_definitions(document.text, suffix))
        for document in text.load(source)
    ]


# Named for what it can do, so that files are read again when the extra has been installed.
_NAME, _PLAIN = ("code", False) if has_grammars() else ("code as text", True)
LOADER = Loader(_NAME, 1, frozenset(GRAMMARS), "text/plain", load, plain=_PLAIN)
