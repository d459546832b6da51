"""A database in one SQLite file: its readers, its writer, and the file as a whole.

What only writing and trouble need is imported where it is used: a search needs none of it.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.store.sqlite.connections import open_writer, opened, writing_faults
from rag_assistant.store.sqlite.entries import SqliteEntries
from rag_assistant.store.sqlite.passages import SqlitePassages
from rag_assistant.store.sqlite.records import SqliteRecords
from rag_assistant.store.sqlite.schema import check_version, create_later_tables
from rag_assistant.store.sqlite.suspicions import SqliteSuspicions, allow
from rag_assistant.store.sqlite.term_tables import are_terms_current
from rag_assistant.store.sqlite.versions import SqliteVersions
from rag_assistant.store.sqlite.vocabulary import SqliteVocabulary
from rag_assistant.values.scope import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rag_assistant.store.sqlite.candidates import SqliteCandidates
    from rag_assistant.store.sqlite.ledger import SqliteLedger
    from rag_assistant.store.sqlite.vectors import SqliteVectors
    from rag_assistant.store.sqlite.writer import SqliteWriter
    from rag_assistant.store.writing import Carried
    from rag_assistant.values.embeddings import PassageWords, VectorKind


class SqliteReader:
    """Reads by one connection, which is in a transaction; `store.reading.StoreReader`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self._path = connection, path
        self.entries = SqliteEntries(connection)
        self.passages = SqlitePassages(connection)
        self.vocabulary = SqliteVocabulary(connection)
        self.records = SqliteRecords(connection)
        self.versions = SqliteVersions(connection)
        self.suspicions = SqliteSuspicions(connection)

    @cached_property
    def candidates(self) -> "SqliteCandidates":
        """What a search proposes, which no list of entries asks for."""
        from rag_assistant.store.sqlite.candidates import SqliteCandidates  # noqa: PLC0415

        return SqliteCandidates(self._connection)

    @cached_property
    def ledger(self) -> "SqliteLedger":
        """The files, which no search asks for."""
        from rag_assistant.store.sqlite.ledger import SqliteLedger  # noqa: PLC0415

        return SqliteLedger(self._connection)

    @cached_property
    def vectors(self) -> "SqliteVectors":
        """The vectors, which a search without an embedder does not ask for."""
        from rag_assistant.store.sqlite.vectors import SqliteVectors  # noqa: PLC0415

        return SqliteVectors(self._connection, self._path)


class SqliteStore:
    """The database file at `path`; `store.writing.Store`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def reading(self, scope: Scope | None = None) -> Iterator[SqliteReader]:
        """Read one snapshot, of all or of what is in a scope."""
        with opened(self._path, scope) as connection:
            yield SqliteReader(connection, self._path)

    @contextmanager
    def writing(
        self, *, anew: bool = False, carry: "Carried | None" = None
    ) -> "Iterator[SqliteWriter]":
        """Write it as it is, new, or made anew with what its folder cannot give."""
        from rag_assistant.store.sqlite.rebuild import made_ready  # noqa: PLC0415
        from rag_assistant.store.sqlite.term_remaking import remake_terms  # noqa: PLC0415
        from rag_assistant.store.sqlite.writer import SqliteWriter  # noqa: PLC0415

        with writing_faults(self._path):
            notes = made_ready(self._path, carry or {}, anew=anew)
            with closing(open_writer(self._path)) as connection:
                create_later_tables(connection)
                if not are_terms_current(connection):
                    remake_terms(connection)
                    notes.append("the words of its passages were counted anew")
                yield SqliteWriter(connection, notes)

    def add_vectors(
        self,
        kind: "VectorKind",
        passages: "Sequence[PassageWords]",
        vectors: "Mapping[int, NDArray[np.float32]]",
    ) -> int:
        """Write the vectors of passages in one transaction."""
        from rag_assistant.store.sqlite.vector_writing import store_vectors  # noqa: PLC0415
        from rag_assistant.store.vector_blobs import blobs_of  # noqa: PLC0415

        blobs = blobs_of([vectors.get(passage.id) for passage in passages], kind.dimension)
        with writing_faults(self._path), closing(open_writer(self._path)) as connection:
            check_version(connection, self._path)
            return store_vectors(connection, kind, passages, blobs)

    def allow(self, entry_id: int | None, *, start: int | None, allowed: bool) -> None:
        """Let models read what is suspicious, or no longer."""
        with writing_faults(self._path), closing(open_writer(self._path)) as connection:
            connection.execute("BEGIN")
            allow(connection, entry_id, start=start, allowed=allowed)
            connection.execute("COMMIT")

    def check(self) -> list[str]:
        """List what is wrong; its own full-text check is a statement that writes."""
        from rag_assistant.store.sqlite.checks import (  # noqa: PLC0415
            full_text_problems,
            problems,
        )

        with writing_faults(self._path), closing(open_writer(self._path)) as connection:
            return [*problems(connection), *full_text_problems(connection)]

    def is_damaged(self) -> bool:
        """Whether something is wrong with the file, which is only read."""
        from rag_assistant.store.sqlite.checks import is_damaged  # noqa: PLC0415

        return is_damaged(self._path)

    def last_folder(self, *, salvage: bool = False) -> str:
        """Give the folder that the file says it is of."""
        if salvage:
            from rag_assistant.store.sqlite.rebuild import folder_of_damaged  # noqa: PLC0415

            return folder_of_damaged(self._path)
        with (
            suppress(sqlite3.DatabaseError),
            closing(
                # One that is locked has been waited for already.
                sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)
            ) as connection,
        ):
            row = connection.execute("SELECT value FROM meta WHERE key = 'folder'").fetchone()
            return str(row[0]) if row else ""
        return ""

    def settle(self) -> None:
        """Bring what the write-ahead log has into the file."""
        with writing_faults(self._path), closing(open_writer(self._path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
