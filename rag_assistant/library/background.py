"""Vectors made in one thread beside the rest of the program, one database after the other.

Text can be searched before, and while they are made. What happens is told as it happens; a model
that fails is tried again after a while, and what was made is never made again.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rag_assistant.errors import ModelError, RagError
from rag_assistant.library.database import Database
from rag_assistant.library.embedding import EmbedProgress, embed_database
from rag_assistant.library.protocols import Embedder

FIRST_RETRY, LONGEST_RETRY = 5.0, 300.0
"""Seconds after which a model that failed is tried again: doubled each time, up to the longest."""

STOP_SECONDS = 1.0
"""How long a stop waits for the batch at hand; after that the thread ends with the program."""


@dataclass(frozen=True, slots=True)
class VectorNews:
    """How far the vectors of a database are: `done` of `total` passages have one, `made` anew.

    `waiting`: another process changes the database, or makes its vectors. `failed`: for the
    `reason`, one line with the next step. `destination` is the host that the text goes to, empty
    when it stays on this machine.
    """

    database: str
    state: Literal["making", "waiting", "made", "failed"]
    done: int = 0
    total: int = 0
    made: int = 0
    reason: str = ""
    destination: str = ""


class BackgroundEmbedding:
    """Makes the vectors of the databases it is given until `stop`. May be used from any thread.

    `tell` is called from the thread that makes them, at every batch.
    """

    def __init__(
        self,
        embedder: Embedder,
        tell: Callable[[VectorNews], object],
        *,
        first_retry: float = FIRST_RETRY,
    ) -> None:
        self._embedder = embedder
        self._tell = tell
        self._first_retry = first_retry
        self._due: dict[str, tuple[float, Database]] = {}  # when, on the monotonic clock
        self._delays: dict[str, float] = {}
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="vectors", daemon=True)

    def want(self, database: Database) -> None:
        """Make the vectors that a database lacks, as soon as those at hand are made."""
        with self._changed:
            self._due[database.name] = (time.monotonic(), database)
            if not self._stopped and self._thread.ident is None:
                self._thread.start()
            self._changed.notify()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End after the batch at hand, which is waited for so long; nothing is told any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _work(self) -> None:
        while database := self._next():
            self._embed(database)

    def _next(self) -> Database | None:
        """Wait for the database that is due first; None after a stop."""
        with self._changed:
            while not self._stopped:
                due, name = min(
                    ((due, name) for name, (due, _) in self._due.items()), default=(0, "")
                )
                left = due - time.monotonic()
                if not name:
                    self._changed.wait()
                elif left > 0:
                    self._changed.wait(left)
                else:
                    return self._due.pop(name)[1]
        return None

    def _embed(self, database: Database) -> None:
        name, failure = database.name, None

        def listen(progress: EmbedProgress) -> None:
            if self._stopped:
                raise KeyboardInterrupt  # what ends a run early, with what was made kept
            state: Literal["making", "waiting"] = "waiting" if progress.waiting else "making"
            counts = (progress.done, progress.total, progress.made)
            self._tell(VectorNews(name, state, *counts, destination=self._embedder.destination))

        news = VectorNews(name, "made")
        try:
            # Looked at first: where nothing lacks, the model need not even be there.
            if database.coverage().lacking(self._embedder.name):
                report = embed_database(database, self._embedder, listen)
                news = VectorNews(name, "made", report.vectors, report.passages, report.embedded)
                failure = report.failure
        except ModelError as error:
            failure = error
        except RagError as error:
            news = VectorNews(name, "failed", reason=str(error))
        except Exception as error:  # noqa: BLE001 - a defect must not end the other work
            news = VectorNews(name, "failed", reason=f"{type(error).__name__}: {error}")
        if failure:
            self._try_again(database, progressed=news.made > 0)
            news = VectorNews(name, "failed", news.done, news.total, news.made, str(failure))
        else:
            self._delays.pop(name, None)
        if not self._stopped:
            self._tell(news)

    def _try_again(self, database: Database, *, progressed: bool) -> None:
        """Make a database due again after a while, unless it was given again meanwhile."""
        known = None if progressed else self._delays.get(database.name)
        delay = min(2 * known, LONGEST_RETRY) if known else self._first_retry
        self._delays[database.name] = delay
        with self._changed:
            self._due.setdefault(database.name, (time.monotonic() + delay, database))
