"""What comes nearest to a question where no answer is given."""

from collections.abc import Sequence

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.values.documents import Hit
from rag_assistant.values.evidence import EvidenceItem
from rag_assistant.values.scope import Wanted

NEAREST = 3
"""Passages that are given."""


def nearest_passages(
    library: Library, question: str, databases: Sequence[Wanted]
) -> tuple[EvidenceItem, ...]:
    """Give the best passages for a question, to be looked at. It blocks: call it in a thread.

    None where nothing can be searched: the run that was asked the same has said so.
    """
    try:
        opened, _ = open_databases(library, databases or None)
        hits = search_databases(opened, question, NEAREST, rerank=False).hits
    except RagError:
        return ()
    return as_items(hits)


def as_items(hits: Sequence[Hit]) -> tuple[EvidenceItem, ...]:
    """Give the best of some hits as words that can be looked at in their place."""
    return tuple(
        EvidenceItem(
            hit.database,
            hit.entry_id,
            hit.title,
            hit.path,
            hit.snippet,
            hit.location,
            verified=True,  # they are the source's own words
        )
        for hit in hits[:NEAREST]
    )
