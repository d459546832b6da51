"""What the interface shows of each database, read in one go."""

from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.indexing.progress import IndexTarget


@dataclass(frozen=True, slots=True)
class DatabaseRow:
    """A database; `problem` says why it cannot be read.

    `whole` says whether the last reading of its folder came to its end.

    `lacking` counts the passages without a vector of the embedder; 0 where there is no embedder.
    """

    name: str
    entries: int = 0
    failed: int = 0
    folder: str = ""
    whole: bool = True
    problem: str = ""
    lacking: int = 0

    @property
    def target(self) -> IndexTarget:
        """What to index to bring it into step."""
        return IndexTarget(Path(self.folder), self.name)


def read_rows(library: Library) -> tuple[DatabaseRow, ...]:
    """List the databases. It blocks: call it in a thread."""
    return tuple(_row(library, name) for name in library.names())


def _row(library: Library, name: str) -> DatabaseRow:
    try:
        database = library.database(name)
        figures = database.figures()
        lacking = database.coverage().lacking(library.embedder.name) if library.embedder else 0
    except RagError as error:
        return DatabaseRow(name, problem=told(error))
    whole = bool(figures.indexed_at) and not figures.unfinished
    return DatabaseRow(
        name, figures.entries, figures.failed, figures.folder, whole, lacking=lacking
    )
