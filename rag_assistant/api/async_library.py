"""The databases of one home for programs in Python that are asynchronous."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rag_assistant.api.asking import allowing, answer_of
from rag_assistant.api.opening import config_file, home_at, open_assistant, searching_library
from rag_assistant.errors import LibraryError

if TYPE_CHECKING:  # each part is loaded when it is first used
    from rag_assistant.assistant import Assistant
    from rag_assistant.config import Config
    from rag_assistant.evaluation.measuring.report import Report
    from rag_assistant.evaluation.runs.header import Mode
    from rag_assistant.library.embedding import EmbedReport
    from rag_assistant.library.library import Library
    from rag_assistant.library.progress import SyncReport
    from rag_assistant.search.ranking import SearchResult
    from rag_assistant.values.entry_span import EntrySpan
    from rag_assistant.values.events import Event
    from rag_assistant.values.evidence import Answer
    from rag_assistant.values.scope import Wanted


def open_async_library(
    home: Path | str | None = None, *, config: "Config | None" = None
) -> "AsyncLibrary":
    """Open the databases of a home directory, made when something is indexed.

    Without one it is what RAG_ASSISTANT_HOME names, or the system's place for a person's data, as
    on the command line; without a `config`, its settings are those of config.toml there. Raises
    ConfigError.
    """
    from rag_assistant.config import load_config

    place = home_at(home)
    return AsyncLibrary(place, config or load_config(config_file(place)))


class AsyncLibrary:
    """What `open_async_library` gives; `library` and `assistant` are what it stands on.

    Every method may raise RagError. Close it with `aclose`, or use it in `async with`.
    """

    def __init__(self, home: Path, config: "Config") -> None:
        self._home = home
        self._config = config
        self._assistant: Assistant | None = None

    @cached_property
    def library(self) -> "Library":
        """The databases, as the rest of the package knows them."""
        return searching_library(self._home, self._config)

    @property
    def assistant(self) -> "Assistant":
        """What answers, as the rest of the package knows it."""
        if self._assistant is None:
            self._assistant = open_assistant(self._home, self._config, library=self.library)
        return self._assistant

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections of the models that were used."""
        if self._assistant:
            await self._assistant.aclose()

    async def names(self) -> list[str]:
        """List the databases by name."""
        return await asyncio.to_thread(self.library.names)

    async def index(
        self,
        folder: Path | str,
        *,
        name: str | None = None,
        prune: bool = False,
        retry: bool = False,
    ) -> "SyncReport":
        """Bring the database of a folder into step with it, made if there is none.

        `name` is the folder's where it is not given. Entries stay where more than half of the files
        are gone, unless `prune` is set; `retry` reads again what failed before. Vectors are made by
        `embed`.
        """
        return await asyncio.to_thread(
            self.library.index, Path(folder), name=name, prune=prune, retry=retry
        )

    async def embed(self, database: str) -> "EmbedReport":
        """Make the vectors that a database lacks, by the embedder that is configured."""
        return await asyncio.to_thread(self._embed, database)

    def _embed(self, name: str) -> "EmbedReport":
        from rag_assistant.library.embedding import embed_database

        database = self.library.database(name)
        if database.embedder is None:
            raise LibraryError(
                "No embedder is configured.", hint='Name one in the settings: embedder = "NAME".'
            )
        report = embed_database(database, database.embedder)
        if report.failure:
            raise report.failure
        return report

    async def search(
        self, query: str, *, databases: "Sequence[Wanted]" = (), limit: int = 10
    ) -> "SearchResult":
        """Find the `limit` best entries of the named databases, or of all; iterate over its hits.

        What could not be searched, and why, is in its `notes`.
        """
        return await asyncio.to_thread(self._search, query, databases, limit)

    def _search(self, query: str, wanted: "Sequence[Wanted]", limit: int) -> "SearchResult":
        from rag_assistant.library.searching import open_databases, search_databases

        databases, missing = open_databases(self.library, wanted)
        found = search_databases(databases, query, limit)
        return replace(found, notes=(*missing, *found.notes))

    async def get(
        self, entry_id: int, *, database: str = "", start: int = 0, end: int | None = None
    ) -> "EntrySpan":
        """Give an entry's text, or the characters `start` to `end` of it.

        `database` may be left out where there is one only. Raises EntryNotFound.
        """
        return await asyncio.to_thread(self._get, entry_id, database, start, end)

    def _get(self, entry_id: int, name: str, start: int, end: int | None) -> "EntrySpan":
        if start < 0 or (end is not None and end < start):
            raise LibraryError(
                f"There are no characters {start} to {end}.", hint="Count them from 0."
            )
        databases = self.library.databases([name] if name else None)
        if len(databases) > 1:
            names = ", ".join(one.name for one in databases)
            raise LibraryError("Which database?", hint=f"Name one of {names}.")
        from rag_assistant.values.entry_span import EntrySpan

        entry = databases[0].entry(entry_id)
        text = databases[0].text(entry_id, start, end)
        return EntrySpan(databases[0].name, entry, text, min(start, entry.length))

    async def ask(
        self,
        question: str,
        *,
        databases: "Sequence[Wanted]" = (),
        model: str | None = None,
        allow: Collection[str] = (),
    ) -> "Answer":
        """Answer a question from the named databases, or from all.

        `allow` names tools that may run although nobody can be asked; `send_text` among them lets
        what is found go to a model on another machine. Raises RunStopped, with what there was of an
        answer, where the run ends before it.
        """
        return await answer_of(
            self.assistant.ask(question, databases=databases, model=model, permit=allowing(allow))
        )

    def stream(
        self,
        question: str,
        *,
        databases: "Sequence[Wanted]" = (),
        model: str | None = None,
        allow: Collection[str] = (),
    ) -> "AsyncGenerator[Event, None]":
        """Give the events of the run that `ask` waits for, `Answered` or `Stopped` last.

        The text that streams is not checked yet: a checked answer is in `Answered`. To close the
        generator ends the run.
        """
        return self.assistant.ask(
            question, databases=databases, model=model, permit=allowing(allow)
        )

    async def evaluate(
        self, questions: Path | str, *, mode: "Mode" = "all", databases: Sequence[str] = ()
    ) -> "Report":
        """Put a file or folder of questions to search, or the assistant, and measure what comes.

        `mode` is "search", "retrieve", "answer" or "all". The run is kept, as by the command
        `eval`. Raises QuestionSetError.
        """
        from rag_assistant.evaluation.running.evaluate import Evaluation
        from rag_assistant.evaluation.running.wishes import EvaluationOptions

        # Another model's answers are no measure of this one's.
        config = replace(self._config, fallback=False)
        assistant = open_assistant(self._home, config, library=self.library)
        try:
            wishes = EvaluationOptions(mode=mode, databases=tuple(databases))
            return await Evaluation(assistant).run(Path(questions), wishes)
        finally:
            await assistant.aclose()
