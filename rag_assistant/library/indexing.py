"""One run that brings a database into step with its folder, under the writer's lock.

A database that another version made, or that is damaged, is made anew on the way.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from rag_assistant.errors import IndexDamaged
from rag_assistant.files.aside import discard_file
from rag_assistant.ingest.abilities import abilities
from rag_assistant.library.about import ABOUT, NOTE, about_json
from rag_assistant.library.elsewhere import sending_from
from rag_assistant.library.folders import check_owner, refuse_empty
from rag_assistant.library.progress import Listener, SyncReport
from rag_assistant.library.rules import ReadingRules, rules_of
from rag_assistant.library.sync import FolderSync, SyncOptions
from rag_assistant.library.unseen import DISKS, known_disks
from rag_assistant.library.writing import writers_lock
from rag_assistant.store.opening import store_at
from rag_assistant.store.writing import Carried, StoreWriter

CARRIED: Carried = {
    "folder": str,
    "reading": lambda written: ReadingRules.from_json(written).to_json(),
    DISKS: str,
    NOTE: str,
}
"""What a database that is made anew keeps of what it knew of itself."""


@dataclass(frozen=True, slots=True)
class IndexingOptions:
    """What a person asked of a run; see `Library.index`.

    `anew`: all is read again, ids stay. `named`: whatever the file says, the folder is its own.
    """

    reading: ReadingRules | None = None
    prune: bool = False
    retry: bool = False
    anew: bool = False
    named: bool = False


def bring_into_step(
    folder: Path, path: Path, options: IndexingOptions, listener: Listener
) -> SyncReport:
    """Index `folder` into the database file `path`. Raises FolderError, LibraryError.

    What turns out to be damaged on the way is made anew.
    """
    try:
        return _one_run(folder, path, options, listener)
    except IndexDamaged:
        if options.anew:
            raise
        return _one_run(folder, path, replace(options, anew=True), listener)


def _one_run(folder: Path, path: Path, options: IndexingOptions, listener: Listener) -> SyncReport:
    report, store = SyncReport(path.stem), store_at(path, sending_from(path))
    with writers_lock(path):
        if options.anew and not options.named:  # before anything is replaced
            check_owner(folder, path.stem, store.last_folder(salvage=True))
        with store.writing(anew=options.anew, carry=CARRIED) as writer:
            report.notes += writer.notes
            FolderSync(folder, writer, report, listener).run(_begun(folder, path, writer, options))
            if not report.interrupted:
                report.notes += writer.finish()
                _describe(path, writer, report)
            files = writer.ledger.files() if report.is_empty() else {}
            empty = report.is_empty() and all(
                known.record.status == "skipped" for known in files.values()
            )
        if empty and not report.interrupted:
            discard_file(path)
            refuse_empty(folder, report)
    return report


def _begun(folder: Path, path: Path, writer: StoreWriter, options: IndexingOptions) -> SyncOptions:
    """Note that a run has begun, and say how it goes."""
    known, able = writer.ledger.facts(), abilities()
    if not options.named:
        check_owner(folder, path.stem, known.get("folder", ""))
    rules = options.reading or rules_of(path, known)
    retry = options.retry or known.get("abilities") != able
    writer.set_facts(
        {
            "folder": str(folder),
            "unfinished": "yes",
            "reading": rules.to_json(),
            "abilities": able,
        }
    )
    writer.commit()
    return SyncOptions(rules, options.prune, retry, known_disks(known))


def _describe(path: Path, writer: StoreWriter, report: SyncReport) -> None:
    """Keep what the database holds in words, made anew where something changed."""
    changed = report.added or report.updated or report.moved or report.deleted
    if not changed and writer.ledger.facts().get(ABOUT):
        return
    with store_at(path).reading() as reader:
        made = about_json(reader)
    writer.set_facts({ABOUT: made})
    writer.commit()
