"""What the interface shows of each database, read in one go."""

from dataclasses import dataclass

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library


@dataclass(frozen=True, slots=True)
class DatabaseRow:
    """A database; `problem` says why it cannot be read, `whole` whether all was read once."""

    name: str
    entries: int = 0
    failed: int = 0
    folder: str = ""
    whole: bool = True
    problem: str = ""


def read_rows(library: Library) -> tuple[DatabaseRow, ...]:
    """List the databases. It blocks: call it in a thread."""
    return tuple(_row(library, name) for name in library.names())


def _row(library: Library, name: str) -> DatabaseRow:
    try:
        figures = library.database(name).figures()
    except RagError as error:
        return DatabaseRow(name, problem=str(error))
    return DatabaseRow(
        name, figures.entries, figures.failed, figures.folder, bool(figures.indexed_at)
    )
