"""Who answers a question and who takes over: models with the tools and the room they have."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag_assistant.agents.inline_commands import COMMANDS
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.agents.setting import Seat
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.library.database import Database
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.protocol import Model
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.toolkit import Tool, Toolkit

if TYPE_CHECKING:
    from rag_assistant.assistant.assistant import Assistant


def main_seat(
    assistant: "Assistant", name: str, databases: Sequence[Database], extra: Sequence[Tool]
) -> Seat:
    """Give the model that a person chose. Raises ModelError when there is no such model."""
    model = assistant.model(name)
    helper = assistant.model(assistant.config.helper or name)
    if model.name == EXTRACTIVE:
        return built_in_seat(assistant.config, databases, helper)
    tools = [*_database_tools(assistant.config, databases, helper), *extra]
    window = _window(assistant.settings(name), assistant.config)
    return Seat(model, Toolkit(tools), helper.name, COMMANDS, window)


def fallback_seat(assistant: "Assistant", main: Seat, databases: Sequence[Database]) -> Seat | None:
    """Give what takes over from `main`: the built-in model; None where that is turned off.

    A helper that is the failed model itself would only fail again.
    """
    config = assistant.config
    if not config.fallback or main.model.name == EXTRACTIVE:
        return None
    apart = config.helper and main.helper != main.model.name
    helper = assistant.model(config.helper) if apart else ExtractiveModel()
    return built_in_seat(config, databases, helper)


def built_in_seat(config: Config, databases: Sequence[Database], helper: Model) -> Seat:
    """Give the built-in model. It copies from documents, so no command is read from what it says.

    It takes a conversation of any length.
    """
    tools = _database_tools(config, databases, helper)
    return Seat(ExtractiveModel(), Toolkit(tools), helper.name, commands=(), is_free=True)


def _database_tools(config: Config, databases: Sequence[Database], helper: Model) -> list[Tool]:
    retrieval = RetrievalAgent(helper, fallback=ExtractiveModel())
    budget = config.limits.evidence_tokens
    return [
        tool
        for database in databases
        for tool in database_tools(database, retrieval.retrieve, token_budget=budget)
    ]


def _window(settings: ModelSettings | None, config: Config) -> int:
    """Give how many tokens a request may have; a model's window holds its reply, too."""
    if settings is None or not settings.context_tokens:
        return config.context.tokens
    whole = settings.context_tokens
    return whole - min(settings.max_output_tokens, whole // 2)
