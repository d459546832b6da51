"""What is read of a database while it is being changed."""

from pathlib import Path

import pytest

from rag_assistant.errors import EntryNotFound
from rag_assistant.library.library import Library


def test_what_is_listed_can_be_read_whatever_is_deleted_meanwhile(
    indexed: Library, handbook: Path
) -> None:
    """A program that lists documents beside an indexing run would be told of an id that it never
    named, and text would be cut by the hidden places of another version of it."""
    database = indexed.database("handbook")
    with database.at_once():
        gone = database.entries()[0]
        text = database.text(gone.id)
        (handbook / gone.path).unlink()
        indexed.index(handbook, prune=True)
        assert gone in database.entries()
        assert database.part(gone.id, database.passages(gone.id)).passages
        assert database.text(gone.id) == text
    with pytest.raises(EntryNotFound):
        database.passages(gone.id)
