"""Tools as values, and the one place where a call is validated, run, and its failure told.

Arguments are checked against the tool's JSON schema before its function runs; whatever goes wrong
becomes a result that the model can read and act on.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_assistant.errors import RagError, ToolFailed
from rag_assistant.tools.permission import Extent, PermissionRequest
from rag_assistant.tools.run_cache import SearchDone, TextRead
from rag_assistant.values.coverage import EntryRead, SearchMade, Tally
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.messages import JsonObject, ToolCall, ToolSpec, Usage


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives back: text for the model, one line for the person, or evidence.

    A tool that found evidence leaves `text` to the agent, which numbers what can be cited; `result`
    is what it states before it and `rest` what behind it, `rows` are what it says of each item, in
    their order, and `of_entries` what it says of an entry, by its database and id. `usage` is what
    the tool itself asked of models, evidence apart, which has its own. `searches` and `read` say
    what it looked at in a database, `tallies` what it counted there, `entries` whose words are in
    `text`, by database and id; `found` and `texts` are what it got there, for the checks of the
    answer alone. One that is `unfinished` goes on when it is called again.
    """

    text: str
    summary: str
    ok: bool = True
    evidence: Evidence | None = None
    usage: Usage = Usage()
    result: JsonObject = field(default_factory=dict)
    rest: JsonObject = field(default_factory=dict)
    rows: tuple[JsonObject, ...] = ()
    of_entries: Mapping[tuple[str, int], JsonObject] = field(default_factory=dict)
    searches: tuple[SearchMade, ...] = ()
    entries: tuple[tuple[str, int], ...] = ()
    read: tuple[EntryRead, ...] = ()
    found: SearchDone | None = None
    texts: tuple[TextRead, ...] = ()
    tallies: tuple[Tally, ...] = ()
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `function` is given validated arguments and may raise any RagError.

    `kind` is what a run counts it as: a search, a reading of entries, or something else. One that
    does more than read (`reads_only` false) runs only with the person's leave, for which `explain`
    says in words what the arguments would do, and `extent` how far it could go. `destination` is
    the host of another machine that the arguments go to; empty where they stay here. `session`
    names what keeps its arguments for later calls, in this conversation; empty for nothing. `alias`
    is the name by which a server of tools knows it, empty for our own: what such a tool does is
    known by the server's word alone.
    """

    spec: ToolSpec
    function: Callable[[JsonObject], Awaitable[ToolOutput]]
    kind: str = "other"
    reads_only: bool = True
    explain: Callable[[JsonObject], str] = lambda _: ""
    extent: Extent = Extent()
    destination: str = ""
    alias: str = ""
    session: str = ""


class Toolkit:
    """The tools of one run, found by name: of two that share one, the first.

    `left_out` names the others, so that no server stands in for a database unnoticed.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        self.left_out: list[str] = []
        for tool in tools:
            if self._tools.setdefault(tool.spec.name, tool) is not tool:
                self.left_out.append(tool.spec.name)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told."""
        return tuple(tool.spec for tool in self._tools.values())

    def kind_of(self, name: str) -> str:
        """Give what a run counts the tool as; empty for a tool that does not exist."""
        tool = self._tools.get(name)
        return tool.kind if tool else ""

    def reads_only(self, name: str) -> bool:
        """Whether the tool does no more than read; so does one that does not exist."""
        tool = self._tools.get(name)
        return tool is None or tool.reads_only

    def may_act(self, name: str) -> bool:
        """Whether a call may do more than read here, as far as that is known for certain."""
        tool = self._tools.get(name)
        return tool is not None and bool(not tool.reads_only or tool.alias or tool.destination)

    def names_of(self, name: str) -> tuple[str, ...]:
        """Give the names by which a tool may be called in a text."""
        tool = self._tools.get(name)
        return (name, tool.alias) if tool and tool.alias else (name,)

    def permission_for(self, call: ToolCall) -> PermissionRequest | None:
        """Give what the person is to be asked before `run`; None when the call may run at once.

        A call whose arguments do not fit may: it never comes to its function.
        """
        tool = self._tools.get(call.name)
        if tool is None or tool.reads_only:
            return None
        try:
            arguments = parse_arguments(call.arguments, tool.spec)
        except ToolFailed:
            return None
        try:
            explanation = tool.explain(arguments)
        except Exception as error:  # noqa: BLE001 - a defect of one tool must not end the run
            explanation = f"It cannot say what this would do: {type(error).__name__}: {error}"
        return PermissionRequest(call.name, arguments, explanation, extent=tool.extent)

    async def run(self, call: ToolCall) -> ToolOutput:
        """Run a call. Never raises for what a model or a document can cause."""
        try:
            tool = self._find(call.name)
            return await tool.function(parse_arguments(call.arguments, tool.spec))
        except RagError as error:
            return ToolOutput(f"Error: {error}", str(error), ok=False)
        except Exception as error:  # noqa: BLE001 - a defect of one tool must not end the run
            reason = f"{call.name} failed: {type(error).__name__}: {error}"
            return ToolOutput(f"Error: {reason}", reason, ok=False)

    def _find(self, name: str) -> Tool:
        tool = self._tools.get(name)
        if tool is None:
            names = ", ".join(self._tools) or "none"
            raise ToolFailed(f"There is no tool {name!r}.", hint=f"The tools are: {names}.")
        return tool


def parse_arguments(written: str, spec: ToolSpec) -> dict[str, Any]:
    """Read a call's arguments. Raises ToolFailed with what is wrong, worded for the model."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 100 ms, only a run needs it

    try:
        arguments = json.loads(written or "{}")
    except ValueError as error:
        raise ToolFailed(
            f"The arguments of {spec.name} are not JSON: {error}.",
            hint="Call it again with a JSON object.",
        ) from error
    problems = [
        f"{problem.json_path.removeprefix('$.') if problem.path else 'arguments'}: "
        f"{_shortened(problem.message)}"
        for problem in Draft202012Validator(dict(spec.parameters)).iter_errors(arguments)
    ]
    if problems:
        raise ToolFailed(
            f"The arguments of {spec.name} do not fit: {'; '.join(problems[:5])}.",
            hint="Call it again with arguments of its schema.",
        )
    return dict(arguments)


def _shortened(message: str) -> str:
    """Cut a message out of the middle that repeats a long argument; what was wanted stands last."""
    return message if len(message) <= 300 else f"{message[:120]}…{message[-120:]}"
