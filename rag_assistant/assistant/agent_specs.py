"""Who answers a question and who takes over: models with the tools and the room they have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag_assistant.agents.inline_commands import COMMANDS
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.agents.setting import AgentSpec
from rag_assistant.assistant.egress_check import EgressCheck
from rag_assistant.assistant.setup import Setup
from rag_assistant.config import EXTRACTIVE, Config, Limits, ModelSettings
from rag_assistant.egress.gate import may_not_leave
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.library.protocols import Embedder
from rag_assistant.library.searching import why_no_meaning
from rag_assistant.models.extractive.choosing import MOST_PASSAGE_TOKENS
from rag_assistant.models.extractive.likeness import likeness_by
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.outgoing import CarriedModel
from rag_assistant.models.protocol import Model
from rag_assistant.tools.digest import DigestBudget
from rag_assistant.tools.document_tools import (
    document_tools,
    passage_tools,
    searching_tools,
    whole_tools,
)
from rag_assistant.tools.retrieve import ReadingBudgets, ReadingBy, Retrieve, unless_short
from rag_assistant.tools.toolkit import Tool, Toolkit, ToolOutput
from rag_assistant.values.messages import JsonObject

DIGEST_SHARE = 0.6
"""The share of a question's tokens and time that one digest may use."""


def main_agent(
    setup: Setup, name: str, egress: EgressCheck, extra: Sequence[Tool], *, asked: str = ""
) -> AgentSpec:
    """Give the model that a person chose, or the built-in one where that may not be asked.

    Its helper is told what the person `asked` beside what the model wants to know. Raises
    ModelError when there is no such model.
    """
    model = setup.models.model(name)
    helper = _helper(setup, setup.config.helper or name, egress)
    if model.name == EXTRACTIVE or egress.instead:
        return built_in_agent(setup, egress, helper)
    config, provenance = setup.config, egress.provenance
    settings = setup.models.settings(name)
    mode = settings.helper if settings is not None else "always"
    if mode == "never":
        helper = ExtractiveModel()
    budgets = _budgets(setup, model, helper)
    retrieve = _retrieve(helper, asked)
    if mode != "always":
        retrieve = unless_short(retrieve, budgets.search)
    given = document_tools(
        egress.found.databases,
        ReadingBy(retrieve, helper.name),
        budgets,
        _digest_budget(config.limits),
    )
    tools = [_carried(tool, provenance) for tool in (*given, *extra)]
    window = _window(settings, config)
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

    It takes a conversation of any length, and lists and counts in all databases together. Where it
    is its own helper, the passages that a search of all of them shows are all it reads; else it
    searches and reads each database by itself.
    """
    if helper.name == EXTRACTIVE:
        budgets = ReadingBudgets(MOST_PASSAGE_TOKENS, setup.config.limits.evidence_tokens)
        given = passage_tools(egress.found.databases, _retrieve(helper), budgets)
    else:
        given = _reading_tools(setup, egress, helper)
    given += whole_tools(egress.found.databases)
    return _built_in(setup, given, egress, helper)


def _reading_tools(setup: Setup, egress: EgressCheck, helper: Model) -> list[Tool]:
    budgets = _budgets(setup, ExtractiveModel(), helper)
    return searching_tools(egress.found.databases, _retrieve(helper), budgets)


def _built_in(setup: Setup, given: Sequence[Tool], egress: EgressCheck, helper: Model) -> AgentSpec:
    tools = [_carried(tool, egress.provenance) for tool in given]
    model = ExtractiveModel(likeness_by(_embedder(egress)))
    return AgentSpec(model, Toolkit(tools), helper.name, commands=(), is_free=True)


def _embedder(egress: EgressCheck) -> Embedder | None:
    """Give what the databases of a run may be searched by meaning with; None where none may."""
    databases = egress.found.databases
    if why_no_meaning(databases):
        return None
    return next(one.embedder for one in databases if one.embedder is not None)


@dataclass(frozen=True, slots=True)
class ReadingAlone:
    """What condenses entries where no run does, how much may be read, and what to know of it."""

    by: ReadingBy
    budgets: ReadingBudgets
    digest: DigestBudget
    notes: tuple[str, ...] = ()


def reading_alone(setup: Setup, databases: Sequence[str], *, by_helper: bool) -> ReadingAlone:
    """Give what tools of databases read by that are called without a run.

    The configured helper condenses where it is to, or the built-in model where words of these
    databases may not go to that one without asking a person. It blocks. Raises ModelError,
    ConfigError.
    """
    name = (setup.config.helper or setup.config.model) if by_helper else EXTRACTIVE
    model, notes = setup.models.model(name), []
    if host := setup.models.destination(name):
        verdicts = setup.policies.verdicts(databases, host)
        if refused := [one for one, verdict in verdicts.items() if verdict != "yes"]:
            model = ExtractiveModel()
            refusal = may_not_leave(refused, verdicts, host)
            notes.append(f"{refusal} The built-in model condenses entries in its place.")
    budgets = _budgets(setup, model, model)
    reading = ReadingBy(_retrieve(model), model.name)
    return ReadingAlone(reading, budgets, _digest_budget(setup.config.limits), tuple(notes))


def without_tools(spec: AgentSpec) -> AgentSpec:
    """Give the same without any tool: it answers from what was said and found before."""
    return replace(spec, toolkit=Toolkit(()))


def _helper(setup: Setup, name: str, egress: EgressCheck) -> Model:
    """Give the model that condenses entries; the built-in one where these may not go to it."""
    model = setup.models.model(name)
    return ExtractiveModel() if setup.models.destination(name) in egress.closed else model


def evidence_agent(setup: Setup, name: str, egress: EgressCheck) -> AgentSpec:
    """Give the built-in model in the place of another whose helper condenses what it reads."""
    helper = _helper(setup, setup.config.helper or name, egress)
    return _built_in(setup, _reading_tools(setup, egress, helper), egress, helper)


def _digest_budget(limits: Limits) -> DigestBudget:
    """Give a digest so much of what a question may use that an answer can still be written."""
    return DigestBudget(int(DIGEST_SHARE * limits.tokens), DIGEST_SHARE * limits.seconds)


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


def _retrieve(helper: Model, asked: str = "") -> Retrieve:
    return RetrievalAgent(helper, fallback=ExtractiveModel(), asked=asked).retrieve


def _budgets(setup: Setup, model: Model, helper: Model) -> ReadingBudgets:
    """Give how much text models are handed at once: as their profiles say, or the limits.

    A search never hands over more than the model that answers was found to read.
    """
    limits = setup.config.limits
    own, most = (_evidence_tokens(setup, one) for one in (helper, model))
    search = min(limits.search_tokens, most) if most else limits.search_tokens
    return ReadingBudgets(search, own or limits.evidence_tokens)


def _evidence_tokens(setup: Setup, model: Model) -> int:
    """Give what a model's profile says of how much it reads; 0 where it says nothing."""
    settings = setup.models.settings(model.name)
    return settings.evidence_tokens if settings is not None else 0


def _window(settings: ModelSettings | None, config: Config) -> int:
    """Give how many tokens a request may have; a model's window holds its reply, too."""
    if settings is None or not settings.context_tokens:
        return config.context.tokens
    whole = settings.context_tokens
    return whole - min(settings.max_output_tokens, whole // 2)
