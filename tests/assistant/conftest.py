"""Assistants over the indexed handbook, with models that a test scripts."""

from collections.abc import Callable, Mapping

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.library.library import Library
from rag_assistant.models.protocol import Model


class PlayedAssistant(Assistant):
    """An assistant some of whose models are given."""

    given: Mapping[str, Model]

    def model(self, name: str) -> Model:
        return self.given.get(name) or super().model(name)


Played = Callable[..., PlayedAssistant]


@pytest.fixture
def played(indexed: Library) -> Played:
    """Makes an assistant whose main model is the given one."""

    def make(model: Model, **changed: object) -> PlayedAssistant:
        options = {
            name: changed.pop(name) for name in ("extra_tools", "persona") if name in changed
        }
        config = Config(model="played", helper=EXTRACTIVE, **changed)  # type: ignore[arg-type]
        assistant = PlayedAssistant(indexed, config, {}, **options)  # type: ignore[arg-type]
        assistant.given = {"played": model}
        return assistant

    return make
