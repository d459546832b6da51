"""Collections in the layout of BEIR, indexed by the ordinary indexer: each record of their corpus
is an entry that goes by the collection's own id.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.errors import LibraryError, QuestionSetError
from rag_assistant.evaluation.questions.addressing import database_name, database_of
from rag_assistant.evaluation.questions.folders import CORPUS, is_collection
from rag_assistant.library.library import Library

if TYPE_CHECKING:
    from rag_assistant.library.progress import SyncProgress, SyncReport


@dataclass(frozen=True, slots=True)
class Collection:
    """The database that a collection's questions go to, and what was done for that.

    `report` is that of the indexing, None where there was nothing to index; `made` says that the
    database is new; `notes` tell a person what else bears on the figures.
    """

    database: str
    report: "SyncReport | None" = None
    made: bool = False
    notes: tuple[str, ...] = ()


def _silently(_: "SyncProgress") -> None:
    return


def indexed_collection(
    library: Library, path: Path, on_progress: "Callable[[SyncProgress], None]" = _silently
) -> Collection | None:
    """Bring the database of a collection into step with its corpus; None for any other path.

    Where it has none yet it is made, of `corpus.jsonl` alone: the queries and their judgements are
    no documents. Later runs keep to the rules that the database was made with. Raises
    QuestionSetError where the corpus is packed, LibraryError, FolderError.
    """
    if not is_collection(path):
        return None
    from rag_assistant.ingest.walk import WalkRules  # noqa: PLC0415 - a search needs it not
    from rag_assistant.library.rules import ReadingRules  # noqa: PLC0415

    known = database_of(library, path)
    name = known or database_name(path)
    if not (path / CORPUS).is_file():
        if not known and name not in library.names():
            raise _without_corpus(path)
        return Collection(name)
    if not known and name in library.names():
        folder = library.database(name).folder()
        return Collection(
            name, notes=(f"The database {name!r} is that of {folder}, not of {path}",)
        )
    rules = None if known else ReadingRules(WalkRules(include=(f"/{CORPUS}",)))
    report = library.index(path, name=name, reading=rules, listener=on_progress)
    if report.interrupted:
        raise LibraryError(
            f"The collection {path} is not indexed to its end.",
            hint="Run the same command again: it goes on where it stopped.",
        )
    return Collection(name, report, not known)


def _without_corpus(folder: Path) -> QuestionSetError:
    packed = folder / f"{CORPUS}.gz"
    if packed.is_file():
        return QuestionSetError(
            f"The documents of {folder} are packed, and the indexer reads no archives.",
            hint=f"Unpack them: `gunzip --keep {shlex.quote(str(packed))}`.",
        )
    return QuestionSetError(
        f"The folder {folder} has no {CORPUS}, and no database holds its documents.",
        hint="Add it, or name the database that holds them: `-d NAME`.",
    )
