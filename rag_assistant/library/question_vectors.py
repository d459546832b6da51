"""The vector of a question, made to read one database by meaning, not only to search it."""

from typing import TYPE_CHECKING

from rag_assistant.egress.provenance import carrying, carrying_more
from rag_assistant.errors import ModelError
from rag_assistant.library.database import Database

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def question_vector(database: Database, text: str) -> "NDArray[np.float32] | None":
    """Give the vector of a question, None where words alone can tell what matters to it.

    That is so without vectors of the database's embedder, and where it fails: the search that the
    reading follows has said why.
    """
    embedder = database.embedder
    if embedder is None or not text.strip():
        return None
    with database.reading() as reader:
        kind = reader.vectors.kind()
    try:
        if kind is None or kind.model != embedder.name:
            return None
        with carrying(carrying_more("embedding", [database.name])):
            vector = embedder.embed_query(text)
    except ModelError:
        return None
    return vector if len(vector) == kind.dimension else None
