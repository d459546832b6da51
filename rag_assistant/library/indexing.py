"""One run that brings a database into step with its folder, under the writer's lock.

A database that another version made, or that is damaged, is made anew on the way.
"""

from dataclasses import dataclass
from pathlib import Path

from rag_assistant.index.families import group_versions
from rag_assistant.index.reader import meta
from rag_assistant.index.vectors import restore_vectors
from rag_assistant.index.writer import IndexWriter
from rag_assistant.ingest.abilities import abilities
from rag_assistant.library.folders import check_owner, refuse_empty
from rag_assistant.library.progress import Listener, SyncReport
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.sync import FolderSync, SyncOptions
from rag_assistant.library.writing import discard_file, opened_for_writing, writers_lock


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person asked of a run; see `Library.index`."""

    reading: ReadingRules | None = None
    prune: bool = False
    retry: bool = False


def bring_into_step(folder: Path, path: Path, wishes: Wishes, listener: Listener) -> SyncReport:
    """Index `folder` into the database file `path`. Raises FolderError, LibraryError."""
    report = SyncReport(path.stem)
    with writers_lock(path):
        with opened_for_writing(path, report.notes) as connection:
            known, able = meta(connection), abilities()
            check_owner(folder, path.stem, known.get("folder", ""))
            writer = IndexWriter(connection)
            rules = wishes.reading or ReadingRules.from_json(known.get("reading", ""))
            retry = wishes.retry or known.get("abilities") != able
            writer.set_meta(
                {
                    "folder": str(folder),
                    "unfinished": "yes",
                    "reading": rules.to_json(),
                    "abilities": able,
                }
            )
            writer.commit()
            FolderSync(folder, writer, report, listener).run(
                SyncOptions(rules, wishes.prune, retry)
            )
            if not report.interrupted:
                restore_vectors(connection)
                report.notes += group_versions(connection)
                writer.give_back()
            empty = writer.holds_nothing()
        if empty and not (report.deleted or report.interrupted):
            discard_file(path)
            refuse_empty(folder, report)
    return report
