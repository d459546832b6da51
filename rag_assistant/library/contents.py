"""What a database holds, file by file: for choosing among its documents by their paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag_assistant.errors import LibraryError
from rag_assistant.values.scope import Scope

if TYPE_CHECKING:
    from rag_assistant.library.database import Database
    from rag_assistant.library.library import Library
    from rag_assistant.values.documents import EntryName
    from rag_assistant.values.ledger import IndexedFile


def files_of(database: Database) -> tuple[IndexedFile, ...]:
    """List the files of which something is indexed, by path."""
    with database.reading() as reader:
        return tuple(reader.ledger.indexed())


def authors_of(database: Database) -> Counter[str]:
    """Count the documents of each author."""
    with database.reading() as reader:
        return Counter(reader.entries.authors())


def languages_of(database: Database) -> Counter[str]:
    """Count the documents in each language, by its code; "" where none is told."""
    with database.reading() as reader:
        return Counter(reader.entries.languages())


def documents_at(
    library: Library, names: Sequence[str], patterns: Sequence[str]
) -> tuple[Scope, ...]:
    """Give the documents whose paths `path:` finds by any of some patterns, in some databases.

    All of them where none is named. Raises LibraryError where there is no such document.
    """
    from rag_assistant.values.search_plan import Filter  # noqa: PLC0415 - only for this

    wanted = [Filter("path", pattern) for pattern in patterns]
    found: list[Scope] = []
    for database in library.databases(names):
        with database.reading() as reader:
            entries = reader.candidates.let_through(wanted)
        if entries:
            found.append(Scope(database.name, entries=tuple(entries)))
    if not found:
        raise LibraryError(
            f"No document has a path like {' or '.join(patterns)}.",
            hint="Try a part of the path, or a pattern such as `notes/*.md`.",
        )
    return tuple(found)


def names_of(database: Database) -> tuple[EntryName, ...]:
    """List what all entries go by, by id; nothing else of them is read."""
    with database.reading() as reader:
        return tuple(reader.entries.names())
