"""The databases in a home directory: which there are, and making, changing and removing them."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.errors import (
    ConfigError,
    EgressError,
    IndexDamaged,
    IndexGone,
    IndexOutdated,
    LibraryError,
)
from rag_assistant.library.database import Database
from rag_assistant.library.names import check_name, is_name, name_for, nearest
from rag_assistant.store.opening import (
    DATABASE_SUFFIX,
    Link,
    database_file,
    link_at,
    store_at,
    store_elsewhere,
    write_link,
)
from rag_assistant.values.scope import Wanted, name_of

# What reads folders and writes databases is imported where it is used: a search needs none of it.
if TYPE_CHECKING:
    from rag_assistant.library.copying import CopyReport
    from rag_assistant.library.copying import Listener as Copying
    from rag_assistant.library.plan import IndexingPlan
    from rag_assistant.library.progress import Listener, SyncProgress, SyncReport
    from rag_assistant.library.protocols import Embedder, Reranker
    from rag_assistant.library.rules import ReadingRules
    from rag_assistant.library.scan import Scan


def _silently(_: "SyncProgress") -> None:
    return


def _unheard(_done: int, _of: int) -> None:
    return


class Library:
    """All databases of one person: one SQLite file each in the folder `home`.

    `embedder` makes the vectors of questions, for databases that have vectors; `reranker` orders
    what a search found.
    """

    def __init__(
        self, home: Path, embedder: "Embedder | None" = None, reranker: "Reranker | None" = None
    ) -> None:
        self.home = home
        self.embedder = embedder
        self.reranker = reranker

    def names(self) -> list[str]:
        """List the databases by name."""
        stems = {path.stem for path in self.home.glob(f"*{DATABASE_SUFFIX}")}
        return sorted(stem for stem in stems if is_name(stem))

    def database(self, wanted: Wanted) -> Database:
        """Give a database for reading, or a part of it. Raises LibraryError naming the nearest."""
        name, scope = name_of(wanted), None if isinstance(wanted, str) else wanted
        path = self._path(name)
        if not path.is_file() and not path.is_symlink():  # a link to nowhere is said on reading
            raise LibraryError(f"There is no database {name!r}.", hint=nearest(name, self.names()))
        return Database(name, path, self.embedder, self.reranker, scope)

    def databases(self, names: Sequence[Wanted] | None = None) -> list[Database]:
        """Give the named databases or parts, each once; all of them when none are named."""
        wanted = list(dict.fromkeys(names or self.names()))
        if not wanted:
            raise LibraryError(
                "There is no database yet.", hint="Index a folder: `rag-assistant index FOLDER`."
            )
        return [self.database(name) for name in wanted]

    def _path(self, name: str) -> Path:
        return database_file(self.home, check_name(name))

    def last_folder(self, name: str) -> str:
        """Give the folder of a database of whichever version; empty where it cannot be told."""
        return store_at(self._path(name)).last_folder()

    def index(
        self,
        folder: Path,
        *,
        name: str | None = None,
        reading: "ReadingRules | None" = None,
        prune: bool = False,
        retry: bool = False,
        listener: "Listener" = _silently,
    ) -> "SyncReport":
        """Bring the database of `folder` into step with it, made if there is none.

        `reading` says how to read the folder, from now on; without it the rules stay as they were.
        When more than half of its files are gone their entries stay and are reported as
        `withheld`, unless `prune` is set; `retry` reads again what failed. Ctrl-C
        (KeyboardInterrupt) ends the run early with what was done kept. Raises FolderError,
        LibraryError.
        """
        from rag_assistant.library.folders import absolute, check_folder  # noqa: PLC0415
        from rag_assistant.library.indexing import IndexingOptions, bring_into_step  # noqa: PLC0415

        started = time.perf_counter()
        folder = absolute(folder)
        database = check_name(name) if name else self._name_of(folder)
        path = self._path(database)
        check_folder(folder, database, there=path.is_file(), prune=prune)
        self._check_new_name(database)
        report = bring_into_step(folder, path, IndexingOptions(reading, prune, retry), listener)
        report.seconds = time.perf_counter() - started
        return report

    def plan(
        self, folder: Path, *, name: str | None = None, reading: "ReadingRules | None" = None
    ) -> "IndexingPlan":
        """Say what `index` would do with the same arguments. Raises FolderError, LibraryError."""
        from rag_assistant.library.folders import absolute  # noqa: PLC0415
        from rag_assistant.library.plan import plan_of  # noqa: PLC0415

        folder = absolute(folder)
        database = check_name(name) if name else self._name_of(folder)
        return plan_of(folder, database, self._path(database), reading)

    def scan(self, folder: Path) -> "Iterator[Scan]":
        """Look through a folder, as `scan.scan` does, before it is indexed. Raises FolderError."""
        from rag_assistant.library.folders import absolute, check_folder  # noqa: PLC0415
        from rag_assistant.library.scan import scan_for  # noqa: PLC0415

        folder = absolute(folder)
        name = self._name_of(folder)
        check_folder(folder, name, there=False, prune=False)
        yield from scan_for(folder, name, self._path(name))

    def name_of(self, folder: Path) -> str:
        """Give the name of the database of a folder as a person wrote it, or a new one's."""
        from rag_assistant.library.folders import absolute  # noqa: PLC0415

        return self._name_of(absolute(folder))

    def _name_of(self, folder: Path) -> str:
        """Give the name of the database that already holds `folder`, or a new one's."""
        for name in self.names():
            try:
                if self.database(name).folder() == str(folder):
                    return name
            except LibraryError:
                if link_at(self._path(name)) is None:
                    raise  # a store that is not reached keeps no other folder from being indexed
            except IndexDamaged:
                if store_at(self._path(name)).last_folder(salvage=True) == str(folder):
                    return name
        return name_for(folder.resolve().name or "root")

    def _check_new_name(self, name: str) -> None:
        """Refuse a name that differs from another one's only in '-' and '_': tools name both so."""
        for other in self.names():
            if other != name and other.replace("-", "_") == name.replace("-", "_"):
                raise LibraryError(
                    f"The names {name!r} and {other!r} are too much alike.",
                    hint="Choose another: `--name NAME`.",
                )

    def keep_elsewhere(self, name: str, link: Link) -> bool:
        """Let a new database be kept in a store elsewhere; tells whether that is new of it.

        Raises LibraryError where there is one of this name already, kept otherwise.
        """
        path = self._path(name)
        if path.is_file():
            there = link_at(path)
            if there is None or (there.urls, there.database) != (link.urls, link.database):
                raise LibraryError(
                    f"The database {name!r} is kept {'elsewhere' if there else 'on this machine'}.",
                    hint="Choose another name: `--name NAME` or `--as NAME`.",
                )
            return False
        self._check_new_name(name)
        write_link(path, link)
        return True

    def let_go(self, name: str) -> None:
        """Take away a link to a store elsewhere; what is there stays."""
        path = self._path(name)
        if link_at(path):
            path.unlink()

    def connect(self, name: str, link: Link) -> Database:
        """List a database of a store elsewhere beside those that are here.

        Raises LibraryError where it cannot be reached or is not there, or the name is taken.
        """
        from rag_assistant.library.elsewhere import connect  # noqa: PLC0415

        self._check_new_name(name)
        connect(self.home, self._path(name), link)
        return self.database(name)

    def copy(
        self, name: str, new_name: str, link: Link | None, listener: "Copying" = _unheard
    ) -> "CopyReport":
        """Copy a database under a new name, to the store of a link or to this machine; ids stay.

        One that was cut off is taken up again. Raises EgressError, LibraryError.
        """
        from rag_assistant.library.copying import copy_database  # noqa: PLC0415

        source, target = self.database(name).path, self._path(new_name)
        if link:
            is_new = self.keep_elsewhere(new_name, link)
        elif is_new := not target.is_file():
            self._check_new_name(new_name)
        elif link_at(target):
            raise LibraryError(
                f"The database {new_name!r} is kept elsewhere.", hint="Choose another: `--as NAME`."
            )
        try:
            return copy_database(source, target, listener)
        except (EgressError, ConfigError):
            if is_new:
                self.let_go(new_name)
            raise

    def remove(self, name: str) -> None:
        """Delete a database (never its folder).

        One of a store elsewhere is deleted there if it was made from this home, and else let go.
        """
        from rag_assistant.egress.ledger import EgressLedger  # noqa: PLC0415
        from rag_assistant.files.aside import discard_file  # noqa: PLC0415
        from rag_assistant.library.digest_file import discard_digests  # noqa: PLC0415
        from rag_assistant.library.writing import discard_locks, writers_lock  # noqa: PLC0415

        path = self.database(name).path
        with writers_lock(path):
            if (link := link_at(path)) and link.is_owner:
                store_elsewhere(self.home, link).remove()
            discard_file(path)
            discard_digests(path)
        discard_locks(path)
        EgressLedger(self.home).forget(name)  # a new one of this name is asked for anew

    def rename(self, name: str, new_name: str) -> None:
        """Give a database another name. Raises LibraryError where that is taken."""
        from rag_assistant.egress.policies import forget_policy, keep_policy  # noqa: PLC0415
        from rag_assistant.files.aside import discard_file  # noqa: PLC0415
        from rag_assistant.files.moving import move  # noqa: PLC0415
        from rag_assistant.library.digest_file import discard_digests  # noqa: PLC0415
        from rag_assistant.library.writing import discard_locks, writers_lock  # noqa: PLC0415

        path, new_path = self.database(name).path, self._path(new_name)
        self._check_new_name(new_name)
        keep_policy(self.home, name, new_name)
        with writers_lock(path), writers_lock(new_path):
            if new_path.exists():
                raise LibraryError(
                    f"There is a database {new_name!r} already.", hint="Choose another name."
                )
            store_at(path).settle()
            move(path, new_path)
            discard_file(path)
            discard_digests(path)
        discard_locks(path)
        forget_policy(self.home, name)

    def note(self, name: str, text: str) -> None:
        """Keep what a person says that a database holds; "" for nothing any more."""
        from rag_assistant.library.about import NOTE  # noqa: PLC0415
        from rag_assistant.library.writing import writers_lock  # noqa: PLC0415

        database = self.database(name)
        database.figures()  # of another version, or damaged: that is said, and nothing is rebuilt
        with writers_lock(database.path), store_at(database.path).writing() as writer:
            writer.set_facts({NOTE: " ".join(text.split())})
            writer.commit()

    def check(self, name: str) -> list[str]:
        """List what is wrong with a database, each in one line; nothing when it is whole.

        All of it is read. Raises LibraryError where it is being changed.
        """
        from rag_assistant.library.rules import rules_of  # noqa: PLC0415
        from rag_assistant.library.writing import writers_lock  # noqa: PLC0415

        database = self.database(name)
        try:
            database.figures()  # a file that is no database of this version says so here
            with writers_lock(database.path):
                with database.reading() as reader:
                    rules_of(database.path, reader.ledger.facts())
                return store_at(database.path).check()
        except (IndexOutdated, IndexGone):
            raise
        except IndexDamaged as error:
            return [error.message]

    def repair(
        self, name: str, folder: Path | None = None, *, listener: "Listener" = _silently
    ) -> "SyncReport":
        """Make a database anew from its folder, with the ids and rules that can still be read.

        What it was is set aside, as a note of the report says. `folder` is needed where the file
        does not say any more which one it is. Raises FolderError, LibraryError.
        """
        from rag_assistant.library.folders import absolute, check_folder  # noqa: PLC0415
        from rag_assistant.library.indexing import IndexingOptions, bring_into_step  # noqa: PLC0415

        started = time.perf_counter()
        path = self.database(name).path
        known = (
            store_at(path).last_folder(salvage=True) if folder is None else str(absolute(folder))
        )
        if not known:
            raise LibraryError(
                f"The database {name!r} does not say any more which folder it is of: {path}.",
                hint=f"Name it: `rag-assistant databases repair {name} --folder FOLDER`.",
            )
        check_folder(Path(known), name, there=False, prune=False)
        report = bring_into_step(
            Path(known), path, IndexingOptions(anew=True, named=True), listener
        )
        report.seconds = time.perf_counter() - started
        return report

    def allow(
        self, name: str, entry_id: int | None = None, *, start: int | None = None, allowed: bool
    ) -> None:
        """Let models read what is suspicious, or no longer: of a database, an entry, or one span.

        `start` is where the span begins. Leave for an entry ends when its text changes. Raises
        EntryNotFound, LibraryError.
        """
        from rag_assistant.library.writing import writers_lock  # noqa: PLC0415

        database = self.database(name)
        if entry_id is not None:
            database.entry(entry_id)
        with writers_lock(database.path):
            store_at(database.path).allow(entry_id, start=start, allowed=allowed)
