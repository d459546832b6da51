"""One run that brings a database into step with its folder, under the writer's lock.

A database that another version made, or that is damaged, is made anew on the way.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from rag_assistant.errors import IndexDamaged
from rag_assistant.files.aside import discard_file
from rag_assistant.ingest.abilities import abilities
from rag_assistant.library.folders import check_owner, refuse_empty
from rag_assistant.library.progress import Listener, SyncReport
from rag_assistant.library.rebuild import folder_of_damaged
from rag_assistant.library.rules import ReadingRules, rules_of
from rag_assistant.library.sync import FolderSync, SyncOptions
from rag_assistant.library.unseen import known_disks
from rag_assistant.library.writing import opened_for_writing, writers_lock
from rag_assistant.store.sqlite.families import group_versions
from rag_assistant.store.sqlite.reader import meta
from rag_assistant.store.sqlite.vectors import restore_vectors
from rag_assistant.store.sqlite.writer import IndexWriter


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person asked of a run; see `Library.index`.

    `anew`: all is read again, ids stay. `named`: whatever the file says, the folder is its own.
    """

    reading: ReadingRules | None = None
    prune: bool = False
    retry: bool = False
    anew: bool = False
    named: bool = False


def bring_into_step(folder: Path, path: Path, wishes: Wishes, listener: Listener) -> SyncReport:
    """Index `folder` into the database file `path`. Raises FolderError, LibraryError.

    What turns out to be damaged on the way is made anew.
    """
    try:
        return _one_run(folder, path, wishes, listener)
    except IndexDamaged:
        if wishes.anew:
            raise
        return _one_run(folder, path, replace(wishes, anew=True), listener)


def _one_run(folder: Path, path: Path, wishes: Wishes, listener: Listener) -> SyncReport:
    report = SyncReport(path.stem)
    with writers_lock(path):
        if wishes.anew and not wishes.named:  # before anything is replaced
            check_owner(folder, path.stem, folder_of_damaged(path))
        with opened_for_writing(path, report.notes, anew=wishes.anew) as connection:
            known, able = meta(connection), abilities()
            if not wishes.named:
                check_owner(folder, path.stem, known.get("folder", ""))
            writer = IndexWriter(connection)
            rules = wishes.reading or rules_of(path, known)
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
                SyncOptions(rules, wishes.prune, retry, known_disks(known))
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
