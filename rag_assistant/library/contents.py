"""What a database holds, file by file: for choosing among its documents by their paths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.errors import LibraryError
from rag_assistant.library.database import Database
from rag_assistant.search.filters import condition_of
from rag_assistant.search.query_language import Filter
from rag_assistant.values.scope import Scope

if TYPE_CHECKING:
    from rag_assistant.library.library import Library


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file with the ids of its entries, one or one for each record, and the title of a first."""

    path: str
    entries: tuple[int, ...]
    title: str = ""


def files_of(database: Database) -> tuple[IndexedFile, ...]:
    """List the files of which something is indexed, by path."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT files.path, group_concat(entries.id), min(entries.title) FROM files"
            " JOIN entries ON entries.file_id = files.id GROUP BY files.id ORDER BY files.path"
        )
        return tuple(
            IndexedFile(path, tuple(map(int, ids.split(","))), title) for path, ids, title in rows
        )


def documents_at(
    library: "Library", names: Sequence[str], patterns: Sequence[str]
) -> tuple[Scope, ...]:
    """Give the documents whose paths `path:` finds by any of some patterns, in some databases.

    All of them where none is named. Raises LibraryError where there is no such document.
    """
    wanted = [Filter("path", pattern) for pattern in patterns]
    found: list[Scope] = []
    for database in library.databases(names):
        with database.reading() as connection:
            condition, parameters = condition_of(connection, wanted)
            rows = connection.execute(
                "SELECT entries.id FROM entries JOIN files ON files.id = file_id"
                f" WHERE {condition}",
                parameters,
            ).fetchall()
        if rows:
            found.append(Scope(database.name, entries=tuple(entry for (entry,) in rows)))
    if not found:
        raise LibraryError(
            f"No document has a path like {' or '.join(patterns)}.",
            hint="Try a part of the path, or a pattern such as `notes/*.md`.",
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class EntryName:
    """What an entry goes by: its id, its file's path, and its key if it is a record of the file."""

    id: int
    path: str
    key: str


def names_of(database: Database) -> tuple[EntryName, ...]:
    """List what all entries go by, by id; nothing else of them is read."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT entries.id, files.path, entries.key FROM entries"
            " JOIN files ON files.id = file_id ORDER BY entries.id"
        )
        return tuple(EntryName(*row) for row in rows)
