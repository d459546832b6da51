"""Assistants over the indexed handbook, with models that a test scripts."""

from collections.abc import Callable

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.library.library import Library
from rag_assistant.models.protocol import Model
from tests.scripted import GivenModels

Played = Callable[..., Assistant]


@pytest.fixture
def played(indexed: Library) -> Played:
    """Makes an assistant whose main model is the given one."""

    def make(model: Model, **changed: object) -> Assistant:
        options = {
            name: changed.pop(name) for name in ("extra_tools", "persona") if name in changed
        }
        config = Config(model="played", helper=EXTRACTIVE, **changed)  # type: ignore[arg-type]
        assistant = Assistant(indexed, config, {}, **options)  # type: ignore[arg-type]
        assistant.models = GivenModels(assistant, {"played": model})
        return assistant

    return make
