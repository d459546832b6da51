"""Who answers a question and who takes over: models with the tools and the room they have."""

from collections.abc import Sequence
from dataclasses import replace

from rag_assistant.agents.inline_commands import COMMANDS
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.agents.setting import AgentSpec
from rag_assistant.assistant.egress_check import EgressCheck
from rag_assistant.assistant.setup import Setup
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.outgoing import CarriedModel
from rag_assistant.models.protocol import Model
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.toolkit import Tool, Toolkit, ToolOutput
from rag_assistant.values.messages import JsonObject


def main_agent(setup: Setup, name: str, egress: EgressCheck, extra: Sequence[Tool]) -> AgentSpec:
    """Give the model that a person chose, or the built-in one where that may not be asked.

    Raises ModelError when there is no such model.
    """
    model = setup.models.model(name)
    helper = _helper(setup, setup.config.helper or name, egress)
    if model.name == EXTRACTIVE or egress.instead:
        return built_in_agent(setup, egress, helper)
    settings, provenance = setup.models.settings(name), egress.provenance
    if settings is not None and settings.helper == "never":
        helper = ExtractiveModel()
    tools = [*_database_tools(setup, egress, helper), *(_carried(t, provenance) for t in extra)]
    window = _window(settings, setup.config)
    return AgentSpec(CarriedModel(model, provenance), Toolkit(tools), helper.name, COMMANDS, window)


def fallback_agent(setup: Setup, main: AgentSpec, egress: EgressCheck) -> AgentSpec | None:
    """Give what takes over from `main`: the built-in model; None where that is turned off.

    A helper that is the failed model itself would only fail again.
    """
    config = setup.config
    if not config.fallback or main.model.name == EXTRACTIVE:
        return None
    apart = config.helper and main.helper != main.model.name
    helper = _helper(setup, config.helper, egress) if apart else ExtractiveModel()
    return built_in_agent(setup, egress, helper)


def built_in_agent(setup: Setup, egress: EgressCheck, helper: Model) -> AgentSpec:
    """Give the built-in model. It copies from documents, so no command is read from what it says.

    It takes a conversation of any length.
    """
    tools = _database_tools(setup, egress, helper)
    return AgentSpec(ExtractiveModel(), Toolkit(tools), helper.name, commands=(), is_free=True)


def without_tools(spec: AgentSpec) -> AgentSpec:
    """Give the same without any tool: it answers from what was said and found before."""
    return replace(spec, toolkit=Toolkit(()))


def _helper(setup: Setup, name: str, egress: EgressCheck) -> Model:
    """Give the model that condenses entries; the built-in one where these may not go to it."""
    model = setup.models.model(name)
    return ExtractiveModel() if setup.models.destination(name) in egress.closed else model


def judge_of(setup: Setup, egress: EgressCheck, entries: Sequence[tuple[str, int]]) -> Model | None:
    """Give the model that reads answers a second time; None where there is none, or none may.

    What it is sent holds words of `entries`.
    """
    name = setup.config.judge
    if not name or name == EXTRACTIVE or setup.models.destination(name) in egress.closed:
        return None
    return CarriedModel(setup.models.model(name), egress.provenance.of("judge", entries))


def _carried(tool: Tool, provenance: Provenance) -> Tool:
    """Let whatever a tool sends be known to be of this run."""

    async def function(arguments: JsonObject) -> ToolOutput:
        with carrying(provenance.of("tool")):
            return await tool.function(arguments)

    return replace(tool, function=function)


def _database_tools(setup: Setup, egress: EgressCheck, helper: Model) -> list[Tool]:
    retrieval = RetrievalAgent(helper, fallback=ExtractiveModel())
    settings = setup.models.settings(helper.name)
    own = settings.evidence_tokens if settings is not None else 0
    budget = own or setup.config.limits.evidence_tokens
    return [
        _carried(tool, egress.provenance)
        for database in egress.found.databases
        for tool in database_tools(database, retrieval.retrieve, token_budget=budget)
    ]


def _window(settings: ModelSettings | None, config: Config) -> int:
    """Give how many tokens a request may have; a model's window holds its reply, too."""
    if settings is None or not settings.context_tokens:
        return config.context.tokens
    whole = settings.context_tokens
    return whole - min(settings.max_output_tokens, whole // 2)
