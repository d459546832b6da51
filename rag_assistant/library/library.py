"""The databases in a home directory: which there are, and making, changing and removing them."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rag_assistant.errors import FolderError, IndexDamaged, LibraryError
from rag_assistant.index.checks import problems
from rag_assistant.index.connections import open_writer
from rag_assistant.index.connections import reading as open_reader
from rag_assistant.index.reader import meta
from rag_assistant.index.schema import SCHEMA_VERSION, create_tables, damaged, read_version
from rag_assistant.index.writer import IndexWriter, known_files
from rag_assistant.library.database import Database
from rag_assistant.library.embedder import Embedder
from rag_assistant.library.names import check_name, is_name, name_for
from rag_assistant.library.progress import Listener, Progress, SyncReport
from rag_assistant.library.rebuild import carry_over_ids

if TYPE_CHECKING:
    from rag_assistant.library.plan import Plan
    from rag_assistant.library.rules import ReadingRules

SUFFIX = ".db"

LOCK_SECONDS = 1.0
"""How long to wait for another writer. Embedding holds the lock for a moment at a time."""


def _silently(_: Progress) -> None:
    return


class Library:
    """All databases of one person: one SQLite file each in the folder `home`.

    `embedder` makes the vectors of questions, for databases that have vectors.
    """

    def __init__(self, home: Path, embedder: Embedder | None = None) -> None:
        self.home = home
        self._embedder = embedder

    def names(self) -> list[str]:
        """List the databases by name."""
        # conversations.db lives beside them and is no database of documents.
        stems = {path.stem for path in self.home.glob(f"*{SUFFIX}")} - {"conversations"}
        return sorted(stem for stem in stems if is_name(stem))

    def database(self, name: str) -> Database:
        """Give a database for reading. Raises LibraryError naming the nearest ones."""
        path = self._path(name)
        if not path.is_file():
            raise LibraryError(f"There is no database {name!r}.", hint=self._nearest(name))
        return Database(name, path, self._embedder)

    def databases(self, names: list[str] | None = None) -> list[Database]:
        """Give the named databases, each once; all of them when no names are given."""
        wanted = list(dict.fromkeys(names)) if names else self.names()
        if not wanted:
            raise LibraryError(
                "There is no database yet.", hint="Index a folder: rag-assistant index FOLDER"
            )
        return [self.database(name) for name in wanted]

    def _nearest(self, name: str) -> str:
        from rapidfuzz import process  # noqa: PLC0415 - only a mistake needs it

        names = self.names()
        if not names:
            return "There is none yet; index a folder: rag-assistant index FOLDER"
        near = [match[0] for match in process.extract(name, names, limit=3, score_cutoff=50)]
        if near:
            return f"Did you mean {' or '.join(near)}?"
        return f"There are: {', '.join(names)}."

    def _path(self, name: str) -> Path:
        return self.home / f"{check_name(name)}{SUFFIX}"

    def index(
        self,
        folder: Path,
        *,
        name: str | None = None,
        reading: "ReadingRules | None" = None,
        prune: bool = False,
        retry: bool = False,
        listener: Listener = _silently,
    ) -> SyncReport:
        """Bring the database of `folder` into step with it, made if there is none.

        `reading` says how to read the folder, from now on; without it the rules stay as they were.
        When more than half of its files are gone their entries stay and are reported as
        `withheld`, unless `prune` is set; `retry` reads again what failed. Ctrl-C
        (KeyboardInterrupt) ends the run early with what was done kept. Raises FolderError,
        LibraryError.
        """
        # Imported here: what reads folders is not needed to search.
        from rag_assistant.ingest.abilities import abilities  # noqa: PLC0415
        from rag_assistant.library.rules import ReadingRules  # noqa: PLC0415
        from rag_assistant.library.sync import FolderSync, SyncOptions  # noqa: PLC0415

        started = time.perf_counter()
        folder = _absolute(folder)
        database = check_name(name) if name else self._name_of(folder)
        report = SyncReport(database)
        path = self._path(database)
        self._check_folder(folder, database, path, prune)
        self._check_new_name(database)
        with self._lock(database):
            with self._writing(path, report) as connection:
                self._check_owner(connection, folder, database)
                writer = IndexWriter(connection)
                known, able = meta(connection), abilities()
                rules = reading or ReadingRules.from_json(known.get("reading", ""))
                options = SyncOptions(rules, prune, retry or known.get("abilities") != able)
                writer.set_meta(
                    {
                        "folder": str(folder),
                        "unfinished": "yes",
                        "reading": rules.to_json(),
                        "abilities": able,
                    }
                )
                writer.commit()
                FolderSync(folder, writer, report, listener).run(options)
                empty = writer.holds_nothing()
            if empty and not (report.deleted or report.interrupted):
                discard_file(path)
                _refuse_empty(folder, report)
        report.seconds = time.perf_counter() - started
        return report

    def plan(
        self, folder: Path, *, name: str | None = None, reading: "ReadingRules | None" = None
    ) -> "Plan":
        """Say what `index` would do with the same arguments. Raises FolderError, LibraryError."""
        from rag_assistant.library.plan import make_plan  # noqa: PLC0415 - as above
        from rag_assistant.library.rules import ReadingRules  # noqa: PLC0415 - as above

        folder = _absolute(folder)
        database = check_name(name) if name else self._name_of(folder)
        path = self._path(database)
        if not path.is_file():
            return make_plan(database, folder, (reading or ReadingRules()).walk, {})
        with open_reader(path) as connection:
            self._check_owner(connection, folder, database)
            kept = ReadingRules.from_json(meta(connection).get("reading", ""))
            return make_plan(database, folder, (reading or kept).walk, known_files(connection))

    def _name_of(self, folder: Path) -> str:
        """Give the name of the database that already holds `folder`, or a new one's."""
        for name in self.names():
            try:
                if self.database(name).folder() == str(folder):
                    return name
            except IndexDamaged:
                continue
        return name_for(folder.resolve().name or "root")

    def _check_folder(self, folder: Path, name: str, path: Path, prune: bool) -> None:
        if folder.is_dir():
            return
        if folder.exists():
            raise FolderError(
                f"{folder} is a file, not a folder.", hint=f"Index its folder: {folder.parent}"
            )
        if not path.is_file():
            raise FolderError(f"There is no folder {folder}.", hint="Check the path.")
        if not prune:
            raise FolderError(
                f"The folder {folder} has gone; the database {name!r} keeps its entries.",
                hint=f"Bring it back, or empty the database: rag-assistant index {folder} --prune",
            )

    def _check_new_name(self, name: str) -> None:
        """Refuse a name that differs from another one's only in '-' and '_': tools name both so."""
        for other in self.names():
            if other != name and other.replace("-", "_") == name.replace("-", "_"):
                raise LibraryError(
                    f"The names {name!r} and {other!r} are too much alike.",
                    hint="Choose another: --name NAME",
                )

    @contextmanager
    def _lock(self, name: str) -> Iterator[None]:
        """Hold the one writer's lock, which the system frees when the process dies."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - only writing needs it

        try:
            self.home.mkdir(parents=True, exist_ok=True)
            with FileLock(self.home / f"{name}.lock", timeout=LOCK_SECONDS):
                yield
        except sqlite3.OperationalError as error:
            raise LibraryError(
                f"The database {name!r} cannot be written: {error}.",
                hint="Check the space left on the disk, and run the same command again.",
            ) from error
        except sqlite3.DatabaseError as error:
            raise damaged(self._path(name), error) from error
        except Timeout as error:
            raise LibraryError(
                f"The database {name!r} is being changed by another process.",
                hint="Wait for it to end; searching works meanwhile.",
            ) from error
        except OSError as error:
            raise LibraryError(
                f"The home directory {self.home} cannot be written: {error.strerror or error}.",
                hint="Give another: --home DIR or RAG_ASSISTANT_HOME.",
            ) from error

    @contextmanager
    def _writing(self, path: Path, report: SyncReport) -> Iterator[sqlite3.Connection]:
        """Open the database for writing: as it is, new, or anew with the ids of an old version."""
        version = self._set_aside_damaged(path, report)
        if version != SCHEMA_VERSION:
            # Beside it and then in its place, so that a database is whole whenever there is one.
            fresh = path.with_suffix(".new")
            discard_file(fresh)
            with closing(open_writer(fresh)) as connection:
                create_tables(connection)
                if version is not None:
                    carry_over_ids(path, connection)
                    report.notes.append("rebuilt: the database was made by another version")
            discard_file(path)
            fresh.replace(path)
        with closing(open_writer(path)) as connection:
            yield connection

    def _set_aside_damaged(self, path: Path, report: SyncReport) -> int | None:
        """Give the version of the file, None where there is none or none that can be read."""
        if not path.exists():
            return None
        try:
            with closing(open_writer(path)) as connection:
                version = read_version(connection, path)
                if version == SCHEMA_VERSION:
                    connection.execute("SELECT count(*) FROM files").fetchone()
                return version
        except (IndexDamaged, sqlite3.DatabaseError):
            aside = path.with_suffix(f".damaged-{time.strftime('%Y%m%d-%H%M%S')}")
            path.replace(aside)
            discard_file(path)
            report.notes.append(f"the database was damaged; it was set aside as {aside}")
            return None

    def _check_owner(self, connection: sqlite3.Connection, folder: Path, name: str) -> None:
        """Refuse to index a folder into a database that is another folder's."""
        owner = meta(connection).get("folder", str(folder))
        if owner != str(folder):
            raise LibraryError(
                f"The database {name!r} already holds {owner}.",
                hint=f"Choose another name: rag-assistant index {folder} --name NAME",
            )

    def remove(self, name: str) -> None:
        """Delete a database (never its folder)."""
        path = self.database(name).path
        with self._lock(name):
            discard_file(path)
        (self.home / f"{name}.lock").unlink(missing_ok=True)

    def rename(self, name: str, new_name: str) -> None:
        """Give a database another name. Raises LibraryError where that is taken."""
        path, new_path = self.database(name).path, self._path(new_name)
        self._check_new_name(new_name)
        with self._lock(name), self._lock(new_name):
            if new_path.exists():
                raise LibraryError(
                    f"There is a database {new_name!r} already.", hint="Choose another name."
                )
            with closing(open_writer(path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            path.rename(new_path)
            discard_file(path)
        (self.home / f"{name}.lock").unlink(missing_ok=True)

    def check(self, name: str) -> list[str]:
        """List what is wrong with a database, each in one line; nothing when it is whole."""
        database = self.database(name)
        database.figures()  # a file that is no database of this version says so here
        with self._lock(name):
            try:
                with closing(open_writer(database.path)) as connection:
                    return problems(connection)
            except sqlite3.DatabaseError as error:
                return [str(error)]


def _absolute(folder: Path) -> Path:
    try:
        return folder.expanduser().absolute()
    except RuntimeError as error:  # "~someone" whom the system does not know
        raise FolderError(f"There is no folder {folder}.", hint="Check the path.") from error


def _refuse_empty(folder: Path, report: SyncReport) -> NoReturn:
    """Say that a folder holds nothing to index."""
    skipped = f" ({len(report.skipped)} skipped)" if report.skipped else ""
    first = f" {report.skipped[0][0]}: {report.skipped[0][1]}." if report.skipped else ""
    raise FolderError(
        f"The folder {folder} holds no file that can be read{skipped}.{first}",
        hint="Give a folder with documents.",
    )


def discard_file(path: Path) -> None:
    """Delete a database file with the files SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
