"""The databases of a search, each in a thread of its own that has its reader.

They take each step at the same time. One that cannot is left out from then on, and it is said. A
thread waits a little for the next search of its database, with the connection that it has open.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeVar, cast

from rag_assistant.errors import LibraryError, RagError
from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.together import Searches
from rag_assistant.store.opening import kept_open

if TYPE_CHECKING:
    from rag_assistant.library.database import Database

Result = TypeVar("Result")

CLOSING_SECONDS = 0.5
"""How long to wait for a thread to close its reader; one in a long statement ends later."""

IDLE_SECONDS = 2.0
"""How long a thread waits for the next search: people type, and models ask again."""


def left_out(name: str, error: RagError) -> str:
    """Say in a line that a database was left out, why, and what to do."""
    return f"left out {name}: {error}".rstrip(".")


class Threads:
    """The databases of a search, each in its thread."""

    def __init__(self, databases: "Sequence[Database]") -> None:
        count = len(databases)
        self._workers = [_Worker(one, number, count) for number, one in enumerate(databases)]
        self._failures: list[tuple[str, RagError]] = []

    def ask(self, step: Callable[[DatabaseSearch], Result]) -> list[Result]:
        """Take a step in each at the same time. Raises RagError when none can."""
        for worker in self._workers:
            worker.begin(step)
        results: list[Result] = []
        for worker in list(self._workers):
            try:
                results.append(cast(Result, worker.result()))
            except RagError as error:
                self._failures.append((worker.name, error))
                self._workers.remove(worker)
        if not results:
            raise self._none_left()
        return results

    def run(self, search: Callable[[Searches], Result]) -> Result:
        """Make a search that asks them; of a single database all of it in its thread, since to go
        from thread to thread takes about as long as a step. Raises as `ask` does."""
        if len(self._workers) > 1:
            return search(self)
        return self.ask(lambda one: search(_Alone(one)))[0]

    def _none_left(self) -> RagError:
        first = self._failures[0][1]
        if len(self._failures) == 1:
            return first
        every = "; ".join(error.message.rstrip(".") for _, error in self._failures)
        return LibraryError(f"No database can be searched: {every}.", hint=first.hint)

    def names(self) -> tuple[str, ...]:
        """Give the databases that were not left out."""
        return tuple(worker.name for worker in self._workers)

    def notes(self) -> list[str]:
        """Say which were."""
        return [left_out(name, error) for name, error in self._failures]

    def close(self) -> None:
        """Close the readers."""
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.wait(CLOSING_SECONDS)


@dataclass(frozen=True, slots=True)
class _Alone:
    """A single database that takes its steps in the thread that asks."""

    search: DatabaseSearch

    def ask(self, step: Callable[[DatabaseSearch], Result]) -> list[Result]:
        """Take a step."""
        return [step(self.search)]


@dataclass(frozen=True, slots=True)
class _Failure:
    error: BaseException


class _WaitingThreads:
    """The threads that wait for a search of their database, by its path."""

    def __init__(self) -> None:
        self.forget()
        if hasattr(os, "register_at_fork"):  # a forked process has none of its parent's threads
            os.register_at_fork(after_in_child=self.forget)

    def forget(self) -> None:
        """Begin with none."""
        self._lock = Lock()
        self._by_path: dict[Path, list[_SearchThread]] = {}

    def take(self, path: Path) -> "_SearchThread":
        """Give one that waits, or a new one."""
        with self._lock:
            waiting = self._by_path.get(path)
            thread = waiting.pop() if waiting else None
            if not waiting:
                self._by_path.pop(path, None)
        return thread or _SearchThread(path)

    def give_back(self, thread: "_SearchThread") -> None:
        """Let it wait for the next search."""
        with self._lock:
            self._by_path.setdefault(thread.path, []).append(thread)

    def end(self, thread: "_SearchThread") -> bool:
        """Let it wait no longer; false where it was taken meanwhile."""
        with self._lock:
            waiting = self._by_path.get(thread.path, [])
            if thread not in waiting:
                return False
            waiting.remove(thread)
            if not waiting:
                del self._by_path[thread.path]
        return True


class _SearchThread:
    """A thread that takes part in one search after another, always of the same database."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._searches: SimpleQueue[Callable[[], None]] = SimpleQueue()
        # A daemon, so that Ctrl-C does not have to wait for a long statement.
        Thread(target=self._work, name=f"search {path.stem}", daemon=True).start()

    def begin(self, search: Callable[[], None]) -> None:
        """Take part in a search, which gives the thread back when it is over."""
        self._searches.put(search)

    def _work(self) -> None:
        with kept_open():
            while True:
                try:
                    search = self._searches.get(timeout=IDLE_SECONDS)
                except Empty:
                    if _waiting.end(self):
                        return
                    search = self._searches.get()
                search()
                del search  # with all that it brought


_waiting = _WaitingThreads()

_OVER = object()
"""Follows the last result of a worker."""


class _Worker:
    """A database's part in one search, in the thread that has its reader."""

    def __init__(self, database: "Database", number: int, count: int) -> None:
        self.name = database.name
        self._database, self._number, self._count = database, number, count
        self._steps: SimpleQueue[Callable[[DatabaseSearch], object] | None] = SimpleQueue()
        self._results: SimpleQueue[object] = SimpleQueue()
        self._thread = _waiting.take(database.path)
        self._thread.begin(self._work)

    def begin(self, step: Callable[[DatabaseSearch], object]) -> None:
        """Let the thread take a step."""
        self._steps.put(step)

    def result(self) -> object:
        """Wait for what the step gives, or raise what it raised."""
        result = self._results.get()
        if isinstance(result, _Failure):
            raise result.error
        return result

    def end(self) -> None:
        """Close the reader."""
        self._steps.put(None)

    def wait(self, seconds: float) -> None:
        """Wait so long until it is closed, leaving out what was not asked for."""
        until = monotonic() + seconds
        with suppress(Empty):
            while self._results.get(timeout=max(0.0, until - monotonic())) is not _OVER:
                pass

    def _work(self) -> None:
        path = self._database.path
        try:
            if not path.is_file() and not path.is_symlink():
                raise LibraryError(
                    f"There is no database {self.name!r} any more.",
                    hint="Index its folder again: `rag-assistant index FOLDER`.",
                )
            with self._database.reading() as reader:
                search = DatabaseSearch(reader, self.name, self._number, self._count)
                while step := self._steps.get():
                    self._results.put(step(search))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
            self._results.put(_Failure(error))
        _waiting.give_back(self._thread)
        self._results.put(_OVER)
