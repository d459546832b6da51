"""The one object that a front end holds: databases to search and read, questions to ask."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import cached_property
from pathlib import Path

from rag_assistant.assistant.conversation import Conversation
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.config.persona import Persona
from rag_assistant.egress.gate import Gate
from rag_assistant.events import Event
from rag_assistant.evidence import Evidence
from rag_assistant.library.library import Library
from rag_assistant.messages import PastExchange
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.protocol import Model
from rag_assistant.models.registry import resolve
from rag_assistant.scope import Wanted
from rag_assistant.tools.permission import Permit, deny
from rag_assistant.tools.provider import MakeProviders


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
        self._gate = gate
        self.config = config
        self.extra_tools = extra_tools
        self.persona = persona
        self._environ = environ
        self._models: dict[str, Model] = {}
        self._settings: dict[str, ModelSettings] = dict(config.models)

    @cached_property
    def gate(self) -> Gate:
        """What text passes on its way to another machine."""
        return self._gate or Gate(self.library.home, self.config)

    def model(self, name: str) -> Model:
        """Give a model by name; one that was used before keeps its connection."""
        if name not in self._models:
            self._models[name] = self._make_model(name)
        return self._models[name]

    def settings(self, name: str) -> ModelSettings | None:
        """Give what is known of a model that was used; nothing of the built-in one."""
        return self._settings.get(name)

    def all_settings(self) -> Mapping[str, ModelSettings]:
        """Give what is known of all models, by name."""
        return dict(self._settings)

    def _make_model(self, name: str) -> Model:
        if name == EXTRACTIVE:
            return ExtractiveModel()
        from rag_assistant.models.openai_model import OpenAIModel  # noqa: PLC0415

        settings = resolve(name, self.config, self._environ)
        self._settings[name] = settings
        model = OpenAIModel(name, settings, self._environ, gate=self.gate)
        if settings.native_tools:
            from rag_assistant.models.fenced_results import FencedResultsModel  # noqa: PLC0415

            return FencedResultsModel(model)
        from rag_assistant.models.text_protocol import TextProtocolModel  # noqa: PLC0415

        return TextProtocolModel(model, settings.call_form)

    def destination(self, name: str) -> str:
        """Give the host that a model's requests go to; empty when nothing leaves this machine.

        Raises ModelError when there is no such model.
        """
        self.model(name or self.config.model)
        settings = self._settings.get(name or self.config.model)
        if settings is None:
            return ""
        from rag_assistant.models.endpoint import destination_of  # noqa: PLC0415

        return destination_of(settings.base_url)

    async def aclose(self) -> None:
        """Close the connections of the models that were used."""
        for model in self._models.values():
            await model.aclose()

    def conversation(
        self, past: Sequence[PastExchange] = (), evidence: Sequence[Evidence] = ()
    ) -> Conversation:
        """Begin a conversation, or go on with one; see `Conversation`. Close it when it is over."""
        return Conversation(self, past, evidence)

    async def ask(
        self,
        question: str,
        *,
        databases: Sequence[Wanted] = (),
        model: str | None = None,
        images: Sequence[Path] = (),
        permit: Permit = deny,
    ) -> AsyncGenerator[Event, None]:
        """Answer one question, as `Conversation.ask` does, in a conversation of its own."""
        conversation = self.conversation()
        answering = conversation.ask(
            question,
            databases=databases,
            model=model,
            images=images,
            permit=permit,
        )
        try:
            async with aclosing(answering) as events:
                async for event in events:
                    yield event
        finally:
            await conversation.aclose()
