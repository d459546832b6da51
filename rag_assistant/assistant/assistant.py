"""The one object that a front end holds: databases to search and read, questions to ask."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, TypedDict, Unpack

from rag_assistant.assistant.setup import Setup
from rag_assistant.egress.gate import Gate
from rag_assistant.models.pool import ModelPool

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from pathlib import Path

    from rag_assistant.assistant.conversation import Conversation
    from rag_assistant.config import Config
    from rag_assistant.config.persona import Persona
    from rag_assistant.library.library import Library
    from rag_assistant.tools.permission import Permit
    from rag_assistant.tools.provider import MakeProviders, ToolProvider
    from rag_assistant.values.events import Event
    from rag_assistant.values.evidence import Evidence
    from rag_assistant.values.messages import PastExchange
    from rag_assistant.values.scope import Wanted


class Asking(TypedDict, total=False):
    """What a question may come with; see `Conversation.ask`."""

    databases: Sequence[Wanted]
    model: str | None
    images: Sequence[Path]
    permit: Permit
    tools: Sequence[ToolProvider] | None


class Assistant:
    """Answers questions from databases, by the models that the configuration names.

    `extra_tools` makes what gives each conversation tools of its own beside those of the databases.
    What goes to another machine passes `gate`, that of the library's home when not given.
    """

    def __init__(
        self,
        library: Library,
        config: Config,
        environ: Mapping[str, str],
        *,
        extra_tools: MakeProviders = tuple,
        persona: Persona | None = None,
        gate: Gate | None = None,
    ) -> None:
        self.library = library
        self.gate = gate or Gate(library.home, config)
        self.models = ModelPool(config, environ, self.gate)
        self._config = config
        self._extra_tools = extra_tools
        self._persona = persona

    @property
    def config(self) -> Config:
        """The settings; others may take their place, for questions that are asked from then on."""
        return self._config

    @config.setter
    def config(self, config: Config) -> None:
        self._config = self.models.config = config

    def setup(self) -> Setup:
        """Give what a question that is asked now is answered with."""
        return Setup(
            self.library, self.models, self.gate, self.config, self._extra_tools, self._persona
        )

    async def aclose(self) -> None:
        """Close the connections of the models that were used."""
        await self.models.aclose()

    def conversation(
        self, past: Sequence[PastExchange] = (), evidence: Sequence[Evidence] = ()
    ) -> Conversation:
        """Begin a conversation, or go on with one; see `Conversation`. Close it when it is over."""
        # It loads all that answers: no front end's first picture needs it.
        from rag_assistant.assistant.conversation import Conversation  # noqa: PLC0415

        return Conversation(self.setup, past, evidence)

    async def ask(self, question: str, **asking: Unpack[Asking]) -> AsyncGenerator[Event, None]:
        """Answer one question, as `Conversation.ask` does, in a conversation of its own."""
        conversation = self.conversation()
        try:
            async with aclosing(conversation.ask(question, **asking)) as events:
                async for event in events:
                    yield event
        finally:
            await conversation.aclose()
