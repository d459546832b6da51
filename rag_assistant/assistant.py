"""The one object that a front end holds: databases to search and read, questions to ask."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

from rag_assistant.agents.loop import Question, Run
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.events import Event, RunStarted
from rag_assistant.evidence import Coverage
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.messages import AssistantMessage, Message, UserMessage
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.protocol import Model
from rag_assistant.models.registry import resolve
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.toolkit import Toolkit

Exchange = tuple[str, str]
"""An earlier question of the conversation and its answer."""

_MARKER = re.compile(r"\s?\[\d+\??\]")


class Assistant:
    """Answers questions from databases, by the models that the configuration names."""

    def __init__(self, library: Library, config: Config, environ: Mapping[str, str]) -> None:
        self.library = library
        self.config = config
        self._environ = environ
        self._models: dict[str, Model] = {}

    def model(self, name: str) -> Model:
        """Give a model by name; one that was used before keeps its connection."""
        if name not in self._models:
            self._models[name] = self._make_model(name)
        return self._models[name]

    def _make_model(self, name: str) -> Model:
        if name == EXTRACTIVE:
            return ExtractiveModel()
        from rag_assistant.models.openai_model import OpenAIModel  # noqa: PLC0415

        return OpenAIModel(name, resolve(name, self.config, self._environ), self._environ)

    async def aclose(self) -> None:
        """Close the connections of the models that were used."""
        for model in self._models.values():
            await model.aclose()

    def _survey(self, names: Sequence[str]) -> tuple[list[Database], Coverage]:
        """Open the databases to ask, and count what they hold."""
        found = self.library.databases(list(names))
        figures = [database.figures() for database in found]
        coverage = Coverage(
            databases=tuple(database.name for database in found),
            entries_indexed=sum(f.entries for f in figures),
            entries_failed=sum(f.failed for f in figures),
        )
        return found, coverage

    async def ask(
        self,
        question: str,
        *,
        databases: Sequence[str] = (),
        model: str | None = None,
        history: Sequence[Exchange] = (),
    ) -> AsyncGenerator[Event, None]:
        """Answer a question from the named databases (all of them when none are named).

        Yields the run's events, `Answered` or `Stopped` last. Closing the iterator stops the run.
        Raises LibraryError or ModelError when the run cannot start.
        """
        found, coverage = await asyncio.to_thread(self._survey, databases)
        main = self.model(model or self.config.model)
        helper = self.model(self.config.helper or model or self.config.model)
        retrieval = RetrievalAgent(helper, fallback=self.model(EXTRACTIVE))
        budget = self.config.limits.evidence_tokens
        tools = [
            tool
            for database in found
            for tool in database_tools(database, retrieval.retrieve, token_budget=budget)
        ]
        run = Run(
            Question(question, coverage, _messages(history)),
            main,
            Toolkit(tools),
            self.config.limits,
        )
        yield RunStarted(question, coverage.databases, main.name)
        async with aclosing(run.events()) as events:
            async for event in events:
                yield event


def _messages(history: Sequence[Exchange]) -> tuple[Message, ...]:
    """Make messages of earlier exchanges, without markers that would be taken for this run's."""
    messages: list[Message] = []
    for question, answer in history:
        messages += [UserMessage(question), AssistantMessage(_MARKER.sub("", answer))]
    return tuple(messages)
