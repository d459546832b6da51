"""Making the vectors that a database lacks, batch by batch, beside whatever else goes on.

Vectors are computed without the writer's lock, which only the writing of a batch takes, for some
milliseconds. Each batch is kept for good, so a run that ends in any way is taken up by the next
one. Another lock keeps two processes from making, and paying for, the same vectors.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.egress.provenance import carrying, carrying_more
from rag_assistant.errors import LibraryError, ModelError
from rag_assistant.library.database import Database
from rag_assistant.library.elsewhere import sending_from
from rag_assistant.library.protocols import Embedder
from rag_assistant.library.writing import embedding_lock_of, lock_of
from rag_assistant.store.damage import cannot_be_written
from rag_assistant.store.opening import store_at
from rag_assistant.values.embeddings import PassageWords, VectorKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WAIT_SECONDS = 0.2
"""How often the writer's lock is tried again while a folder is being indexed."""


@dataclass(frozen=True, slots=True)
class EmbedProgress:
    """How far a run is: `done` of `total` passages have vectors, `made` by this run.

    `waiting` says that another process changes the database and this one waits for it; `seconds`
    is the time since the run began.
    """

    done: int
    total: int
    made: int
    seconds: float
    waiting: bool = False

    @property
    def seconds_left(self) -> float | None:
        """The time left if the rest goes as fast as before; None too early on."""
        return self.seconds * (self.total - self.done) / self.made if self.made else None


EmbedListener = Callable[[EmbedProgress], None]


@dataclass(slots=True)
class EmbedReport:
    """What a run did: passages given vectors, and how many have one now of all.

    `replaced` names the kind of vectors that gave way to those made now. `failure` is what ended
    the run early; a run ended by Ctrl-C is `interrupted`.
    """

    database: str
    kind: VectorKind
    embedded: int = 0
    vectors: int = 0
    passages: int = 0
    replaced: str = ""
    seconds: float = 0.0
    interrupted: bool = False
    failure: ModelError | None = None


def embed_database(
    database: Database,
    embedder: Embedder,
    listener: EmbedListener = lambda _: None,
    *,
    wait: bool = True,
) -> EmbedReport:
    """Give a vector to every passage of a database that has none of this embedder's kind.

    Vectors of another kind are replaced, none of them before the first new ones are there. Waits
    while the database is being indexed, and with `wait` while another process makes its vectors:
    else that is a LibraryError. A `listener` that raises KeyboardInterrupt ends the run as Ctrl-C
    does. Raises ModelError when the embedder cannot be used at all, LibraryError and IndexDamaged;
    what ends a run later is in its report.
    """
    kind = VectorKind(embedder.name, embedder.dimension)
    report = EmbedReport(database.name, kind)
    run = _Run(database, embedder, report, listener)
    try:
        # All batches share one record of what is secret in an entry: each is read once.
        with run.alone(wait=wait), carrying(carrying_more("embedding", [database.name])):
            run.go()
    except KeyboardInterrupt:
        report.interrupted = True
    except ModelError as error:
        report.failure = error
    run.count()
    report.seconds = run.seconds
    return report


class _Run:
    def __init__(
        self, database: Database, embedder: Embedder, report: EmbedReport, listener: EmbedListener
    ) -> None:
        self._path = database.path
        self._content = store_at(database.path, sending_from(database.path))
        self._embedder = embedder
        self._report = report
        self._listener = listener
        self._started = time.monotonic()
        self.count()
        self._had = report.vectors

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._started

    def count(self) -> None:
        """Count what there is now."""
        with self._content.reading() as reader:
            found = reader.vectors.coverage()
        ours = found.kind == self._report.kind
        self._report.vectors, self._report.passages = found.vectors * ours, found.passages
        if found.kind and not ours:
            self._report.replaced = str(found.kind)

    @contextmanager
    def alone(self, *, wait: bool) -> Iterator[None]:
        """Hold the lock of those who make the vectors of this database."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - only writing needs it

        lock = FileLock(embedding_lock_of(self._path), timeout=0)
        while True:
            try:
                lock.acquire()
                break
            except Timeout as error:
                if not wait:
                    raise LibraryError(
                        f"Another process makes the vectors of {self._report.database!r} already.",
                        hint="Searching works meanwhile.",
                    ) from error
                self._tell(waiting=True)
                time.sleep(WAIT_SECONDS)
            except OSError as error:
                raise cannot_be_written(self._path, error) from error
        try:
            yield
        finally:
            lock.release()

    def go(self) -> None:
        """Go through the passages until none lacks a vector, or a whole round added none."""
        self.count()  # another process may have made some while this one waited
        self._had = self._report.vectors
        self._tell()
        last, added = 0, 0
        while True:
            with self._content.reading() as reader:
                batch = reader.vectors.without(self._report.kind, last, self._embedder.batch)
            if batch:
                last = batch[-1].id
                added += self._embed(batch)
            elif added:
                last, added = 0, 0  # passages may have been indexed or changed meanwhile
                self.count()
            else:
                return

    def _embed(self, batch: Sequence[PassageWords]) -> int:
        # Blank passages, such as of a scan without text, are no question to a model.
        words = [passage for passage in batch if passage.whole()]
        vectors: dict[int, NDArray[np.float32]] = {}
        if words:
            name = self._report.database
            entries = dict.fromkeys((name, passage.entry_id) for passage in words)
            with carrying(carrying_more("embedding", [name], entries)):
                matrix = self._embedder.embed_passages([passage.whole() for passage in words])
            vectors = dict(zip([passage.id for passage in words], matrix, strict=True))
        stored = self._store(batch, vectors)
        self._report.embedded += stored
        self._tell()
        return stored

    def _store(
        self, batch: Sequence[PassageWords], vectors: "Mapping[int, NDArray[np.float32]]"
    ) -> int:
        """Write a batch under the writer's lock, which is waited for."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - only writing needs it

        name = self._report.database
        lock = FileLock(lock_of(self._path), timeout=0)
        while True:
            try:
                # Looked for first: opening a database that was removed meanwhile would make one.
                if not self._path.is_file():
                    raise LibraryError(f"The database {name!r} has gone.", hint="Index it again.")
                with lock:
                    return self._content.add_vectors(self._report.kind, batch, vectors)
            except Timeout:
                self._tell(waiting=True)
                time.sleep(WAIT_SECONDS)
            except OSError as error:
                raise cannot_be_written(self._path, error) from error

    def _tell(self, *, waiting: bool = False) -> None:
        report = self._report
        done = min(self._had + report.embedded, report.passages)
        self._listener(EmbedProgress(done, report.passages, report.embedded, self.seconds, waiting))
