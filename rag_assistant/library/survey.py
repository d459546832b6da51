"""Which databases a question goes to, and what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.errors import LibraryError, RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.threads import left_out
from rag_assistant.values.coverage import Coverage, DatabaseLeftOut, DatabaseSeen
from rag_assistant.values.ledger import IndexFigures
from rag_assistant.values.scope import Wanted


@dataclass(frozen=True, slots=True)
class SearchedDatabases:
    """Databases that can be asked, what they hold together, and a line for each that cannot.

    `known` names all databases of the library, asked or not.
    """

    databases: tuple[Database, ...]
    coverage: Coverage
    notes: tuple[str, ...]
    known: tuple[str, ...]


def survey(library: Library, names: Sequence[Wanted]) -> SearchedDatabases:
    """Open the named databases or parts of them, or all of them when none are named.

    One that a person named must be whole; of all of them, those that cannot be read are left out.
    A part that nothing is left of is left out as well.
    Raises LibraryError or IndexDamaged when one of these is not so, or none is left.
    """
    figures: dict[Database, IndexFigures] = {}
    failures: dict[str, RagError] = {}
    for database in library.databases(names):
        try:
            counted = database.figures()
            if database.scope and not counted.entries:
                failures[database.name] = _empty_scope(database.name)
            else:
                figures[database] = counted
        except RagError as error:
            if names:
                raise
            failures[database.name] = error
    if not figures:
        raise next(iter(failures.values()), LibraryError("There is no database."))
    coverage = Coverage(
        databases=tuple(database.name for database in figures),
        entries_indexed=sum(f.entries for f in figures.values()),
        entries_failed=sum(f.failed for f in figures.values()),
        files_partial=sum(f.partial for f in figures.values()),
        by_database=tuple(_seen(database.name, f) for database, f in figures.items()),
        left_out=tuple(DatabaseLeftOut(name, str(error)) for name, error in failures.items()),
        scope=tuple(database.scope for database in figures if database.scope),
    )
    notes = tuple(f"{left_out(name, error)}." for name, error in failures.items())
    return SearchedDatabases(tuple(figures), coverage, notes, tuple(library.names()))


def _seen(name: str, figures: IndexFigures) -> DatabaseSeen:
    counted = (figures.entries, figures.failed, figures.skipped)
    rest = (figures.indexed_at, figures.unfinished, figures.partial)
    return DatabaseSeen(name, *counted, *rest)


def _empty_scope(name: str) -> LibraryError:
    return LibraryError(
        f"None of the chosen documents of {name} is there any more.", hint="Choose others."
    )
