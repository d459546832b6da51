"""The models in use: each is made when it is first asked for and keeps its connection."""

from collections.abc import Mapping
from typing import Protocol

from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.protocol import Model
from rag_assistant.models.registry import resolve


class Models(Protocol):
    """Models by name, for whoever asks them; every method but `all_settings` takes a name."""

    def model(self, name: str) -> Model:
        """Give a model. Raises ModelError when there is no such model."""
        ...

    def settings(self, name: str) -> ModelSettings | None:
        """Give what is known of a model that was asked for; nothing of the built-in one."""
        ...

    def all_settings(self) -> Mapping[str, ModelSettings]:
        """Give what is known of all models."""
        ...

    def destination(self, name: str) -> str:
        """Give the host that a model's requests end up at; empty when they stay on this machine.

        It may ask the model's server, and blocks: call it in a thread. Raises ModelError when there
        is no such model.
        """
        ...


class ModelPool:
    """The models that a configuration names, and those of the endpoint that `environ` describes.

    What they send to another machine passes `gate`. Another `config` counts for models that were
    not asked for yet.
    """

    def __init__(self, config: Config, environ: Mapping[str, str], gate: Gate) -> None:
        self.config = config
        self._environ = environ
        self._gate = gate
        self._models: dict[str, Model] = {}
        self._settings: dict[str, ModelSettings] = dict(config.models)

    def model(self, name: str) -> Model:
        """Give a model by name; one that was asked for before keeps its connection."""
        if name not in self._models:
            self._models[name] = self._made(name)
        return self._models[name]

    def settings(self, name: str) -> ModelSettings | None:
        """Give what is known of a model that was asked for; nothing of the built-in one."""
        return self._settings.get(name)

    def all_settings(self) -> Mapping[str, ModelSettings]:
        """Give what is known of all models, by name."""
        return dict(self._settings)

    def destination(self, name: str) -> str:
        """Give the host of a model, or of the configured one where `name` is empty."""
        name = name or self.config.model
        self.model(name)
        settings = self._settings.get(name)
        return Endpoint.of(settings, self._environ).sent_to if settings else ""

    async def aclose(self) -> None:
        """Close the connections of the models that were asked for."""
        for model in self._models.values():
            await model.aclose()

    def _made(self, name: str) -> Model:
        if name == EXTRACTIVE:
            from rag_assistant.models.extractive.model import ExtractiveModel  # noqa: PLC0415

            return ExtractiveModel()
        from rag_assistant.models.openai_model import OpenAIModel  # noqa: PLC0415

        settings = resolve(name, self.config, self._environ)
        self._settings[name] = settings
        model = OpenAIModel(name, settings, self._environ, gate=self._gate)
        if settings.native_tools:
            from rag_assistant.models.fenced_results import FencedResultsModel  # noqa: PLC0415
            from rag_assistant.models.written_calls import WrittenCallsModel  # noqa: PLC0415

            return WrittenCallsModel(FencedResultsModel(model))
        from rag_assistant.models.text_protocol import TextProtocolModel  # noqa: PLC0415

        return TextProtocolModel(model, settings.call_form)
