"""Why a path can, or cannot, be found in the databases: what each knows of it, in one line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rag_assistant.errors import RagError
from rag_assistant.ingest.paths import locate, name_of
from rag_assistant.library.database import Database
from rag_assistant.library.folders import absolute
from rag_assistant.library.library import Library
from rag_assistant.values.ledger import FileRecord, KnownFile


@dataclass(frozen=True, slots=True)
class PathAccount:
    """What a database knows of a path in its folder, as a sentence that begins with the path.

    `indexed` says that there are entries of it, whatever became of the file since.
    """

    database: str
    path: str
    said: str
    indexed: bool = False


def why_not(library: Library, written: str) -> list[str]:
    """Say of a path what became of it: one line for each database whose folder holds it."""
    found = [f"{one.database}: {one.said}" for one in path_accounts(library, written)]
    return found or [nowhere(written)]


def nowhere(written: str) -> str:
    """Say that no database knows of a path."""
    return f"{written}: no database indexes a folder that holds it. Add its folder."


def path_accounts(library: Library, written: str) -> list[PathAccount]:
    """Give what each database whose folder holds a path knows of it.

    A relative path is looked for in the folder of every database. It walks the folder where nothing
    is known of the path yet.
    """
    return [one for name in library.names() for one in _told(library, name, written)]


def _told(library: Library, name: str, written: str) -> Iterator[PathAccount]:
    try:
        database = library.database(name)
        folder = Path(database.folder())
        whole = Path(written).expanduser()
        path = absolute(whole) if whole.is_absolute() or written.startswith("~") else folder / whole
        if not path.is_relative_to(folder) or path == folder:
            return
        relative = name_of(path.relative_to(folder).as_posix())
        known = _known(database, folder, relative)
        if known:
            yield known
        elif whole.is_absolute() or path.exists():
            said = f"{relative} {_planned(library, name, folder, relative)}"
            yield PathAccount(name, relative, said)
    except RagError as error:
        yield PathAccount(name, written, str(error))


def _known(database: Database, folder: Path, relative: str) -> PathAccount | None:
    """Say what the ledger has of a path or of a folder above it; None where it has nothing."""
    with database.reading_all() as reader:
        known = reader.ledger.files()
        withheld = {line.path: line.reason for line in reader.ledger.lines("withheld")}
    for place, file in _along(known, relative):
        record = file.record
        if place in withheld:
            said = f"{relative} is withheld: {withheld[place]}."
            return PathAccount(database.name, place, said)
        if record.status == "indexed":
            said = f"{relative} is indexed{_since(folder, record)}."
            return PathAccount(database.name, place, said, indexed=True)
        above = "" if place == relative else f", for its folder {place} is"
        said = f"{relative} is not indexed{above}: {record.status}, {record.reason}."
        return PathAccount(database.name, relative, said)
    return None


def _along(known: Mapping[str, KnownFile], relative: str) -> Iterator[tuple[str, KnownFile]]:
    for place in (relative, *map(str, PurePosixPath(relative).parents)):
        if place in known:
            yield place, known[place]


def _since(folder: Path, record: FileRecord) -> str:
    try:
        now = locate(folder, record.path).stat()
    except OSError:
        return ", but the file is gone: index the folder again"
    if (now.st_size, now.st_mtime_ns) != (record.size, record.mtime_ns):
        return ", as it was before its last change: index the folder again"
    return ""


def _planned(library: Library, name: str, folder: Path, relative: str) -> str:
    """Say what indexing the folder now would do with a path that was not met yet."""
    if not locate(folder, relative).exists():
        return "is not there: check the path."
    plan = library.plan(folder, name=name)
    parts = {relative, *map(str, PurePosixPath(relative).parents)}
    for path, reason in plan.skipped:
        if path in parts:
            above = "" if path == relative else f", for its folder {path} is"
            return f"would not be indexed{above}: skipped, {reason}."
    if any(path == relative for path, _ in plan.read):
        return "is new: index the folder again."
    return "is no file that is read."
