"""Who answers a question and who takes over: models with the tools and the room they have."""

from collections.abc import Sequence
from dataclasses import replace

from rag_assistant.agents.inline_commands import COMMANDS
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.agents.setting import AgentSpec
from rag_assistant.assistant.clearance import EgressCheck
from rag_assistant.assistant.setup import Setup
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.leaving import CarriedModel
from rag_assistant.models.protocol import Model
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.toolkit import Tool, Toolkit, ToolOutput
from rag_assistant.values.messages import JsonObject


def main_seat(setup: Setup, name: str, clearance: EgressCheck, extra: Sequence[Tool]) -> AgentSpec:
    """Give the model that a person chose, or the built-in one where that may not be asked.

    Raises ModelError when there is no such model.
    """
    model = setup.models.model(name)
    helper = _helper(setup, setup.config.helper or name, clearance)
    if model.name == EXTRACTIVE or clearance.instead:
        return built_in_seat(setup.config, clearance, helper)
    config, provenance = setup.config, clearance.provenance
    tools = [*_database_tools(config, clearance, helper), *(_carried(t, provenance) for t in extra)]
    window = _window(setup.models.settings(name), config)
    return AgentSpec(CarriedModel(model, provenance), Toolkit(tools), helper.name, COMMANDS, window)


def fallback_seat(setup: Setup, main: AgentSpec, clearance: EgressCheck) -> AgentSpec | None:
    """Give what takes over from `main`: the built-in model; None where that is turned off.

    A helper that is the failed model itself would only fail again.
    """
    config = setup.config
    if not config.fallback or main.model.name == EXTRACTIVE:
        return None
    apart = config.helper and main.helper != main.model.name
    helper = _helper(setup, config.helper, clearance) if apart else ExtractiveModel()
    return built_in_seat(config, clearance, helper)


def built_in_seat(config: Config, clearance: EgressCheck, helper: Model) -> AgentSpec:
    """Give the built-in model. It copies from documents, so no command is read from what it says.

    It takes a conversation of any length.
    """
    tools = _database_tools(config, clearance, helper)
    return AgentSpec(ExtractiveModel(), Toolkit(tools), helper.name, commands=(), is_free=True)


def _helper(setup: Setup, name: str, clearance: EgressCheck) -> Model:
    """Give the model that condenses entries; the built-in one where these may not go to it."""
    model = setup.models.model(name)
    return ExtractiveModel() if setup.models.destination(name) in clearance.closed else model


def _carried(tool: Tool, provenance: Provenance) -> Tool:
    """Let whatever a tool sends be known to be of this run."""

    async def function(arguments: JsonObject) -> ToolOutput:
        with carrying(provenance.of("tool")):
            return await tool.function(arguments)

    return replace(tool, function=function)


def _database_tools(config: Config, clearance: EgressCheck, helper: Model) -> list[Tool]:
    retrieval = RetrievalAgent(helper, fallback=ExtractiveModel())
    budget = config.limits.evidence_tokens
    return [
        _carried(tool, clearance.provenance)
        for database in clearance.found.databases
        for tool in database_tools(database, retrieval.retrieve, token_budget=budget)
    ]


def _window(settings: ModelSettings | None, config: Config) -> int:
    """Give how many tokens a request may have; a model's window holds its reply, too."""
    if settings is None or not settings.context_tokens:
        return config.context.tokens
    whole = settings.context_tokens
    return whole - min(settings.max_output_tokens, whole // 2)
