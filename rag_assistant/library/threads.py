"""The databases of a search, each in a thread of its own that has its reader.

They take each step at the same time. One that cannot is left out from then on, and it is said.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar, cast

from rag_assistant.errors import LibraryError, RagError
from rag_assistant.search.database_search import DatabaseSearch

if TYPE_CHECKING:
    from rag_assistant.library.database import Database

Result = TypeVar("Result")

CLOSING_SECONDS = 0.5
"""How long to wait for a thread to close its reader; one in a long statement ends later."""


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
        """End the threads."""
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.thread.join(CLOSING_SECONDS)


@dataclass(frozen=True, slots=True)
class _Failure:
    error: BaseException


class _Worker:
    """A database and the thread that has its reader."""

    def __init__(self, database: "Database", number: int, count: int) -> None:
        self.name = database.name
        self._database, self._number, self._count = database, number, count
        self._steps: SimpleQueue[Callable[[DatabaseSearch], object] | None] = SimpleQueue()
        self._results: SimpleQueue[object] = SimpleQueue()
        # A daemon, so that Ctrl-C does not have to wait for a long statement.
        self.thread = Thread(target=self._work, name=f"search {self.name}", daemon=True)
        self.thread.start()

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
        """Close the reader and end the thread."""
        self._steps.put(None)

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
