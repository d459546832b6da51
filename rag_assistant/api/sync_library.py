"""The databases of one home for programs in Python that wait for each result."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rag_assistant.api.async_library import AsyncLibrary, open_async_library
from rag_assistant.api.loop_thread import LoopThread

if TYPE_CHECKING:
    from rag_assistant.config import Config
    from rag_assistant.evaluation.measuring.report import Report
    from rag_assistant.evaluation.runs.header import Mode
    from rag_assistant.library.embedding import EmbedReport
    from rag_assistant.library.progress import SyncReport
    from rag_assistant.search.ranking import SearchResult
    from rag_assistant.values.entry_span import EntrySpan
    from rag_assistant.values.events import Event
    from rag_assistant.values.evidence import Answer
    from rag_assistant.values.scope import Wanted


def open_library(
    home: Path | str | None = None, *, config: "Config | None" = None
) -> "OpenLibrary":
    """Open the databases of a home directory; see `open_async_library`."""
    return OpenLibrary(open_async_library(home, config=config))


class OpenLibrary:
    """What `open_library` gives: every method is that of `AsyncLibrary`, and waits.

    It may be used in a notebook and from several threads. Close it with `close`, or use it in
    `with`.
    """

    def __init__(self, beneath: AsyncLibrary) -> None:
        self.beneath = beneath
        self._loop = LoopThread()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections of the models that were used, and end the thread."""
        self._loop.run(self.beneath.aclose())
        self._loop.close()

    def names(self) -> list[str]:
        """List the databases by name."""
        return self.beneath.library.names()

    def index(
        self,
        folder: Path | str,
        *,
        name: str | None = None,
        prune: bool = False,
        retry: bool = False,
    ) -> "SyncReport":
        """Bring the database of a folder into step with it; see `AsyncLibrary.index`."""
        return self.beneath.library.index(Path(folder), name=name, prune=prune, retry=retry)

    def embed(self, database: str) -> "EmbedReport":
        """Make the vectors that a database lacks, by the embedder that is configured."""
        return self._loop.run(self.beneath.embed(database))

    def search(
        self, query: str, *, databases: "Sequence[Wanted]" = (), limit: int = 10
    ) -> "SearchResult":
        """Find the `limit` best entries; iterate over the result's hits."""
        return self._loop.run(self.beneath.search(query, databases=databases, limit=limit))

    def get(
        self, entry_id: int, *, database: str = "", start: int = 0, end: int | None = None
    ) -> "EntrySpan":
        """Give an entry's text, or a part of it; see `AsyncLibrary.get`."""
        return self._loop.run(self.beneath.get(entry_id, database=database, start=start, end=end))

    def ask(
        self,
        question: str,
        *,
        databases: "Sequence[Wanted]" = (),
        model: str | None = None,
        allow: Collection[str] = (),
    ) -> "Answer":
        """Answer a question from the named databases, or from all; see `AsyncLibrary.ask`."""
        return self._loop.run(
            self.beneath.ask(question, databases=databases, model=model, allow=allow)
        )

    def stream(
        self,
        question: str,
        *,
        databases: "Sequence[Wanted]" = (),
        model: str | None = None,
        allow: Collection[str] = (),
    ) -> "Iterator[Event]":
        """Give the events of the run that `ask` waits for; see `AsyncLibrary.stream`."""
        return self._loop.iterate(
            self.beneath.stream(question, databases=databases, model=model, allow=allow)
        )

    def evaluate(
        self, questions: Path | str, *, mode: "Mode" = "all", databases: Sequence[str] = ()
    ) -> "Report":
        """Put questions to search, or the assistant, and measure; see `AsyncLibrary.evaluate`."""
        return self._loop.run(self.beneath.evaluate(questions, mode=mode, databases=databases))
