"""An assistant whose every model plays back a script, with a tool that asks the person first."""

from collections.abc import Sequence

from rag_assistant.assistant import Assistant
from rag_assistant.library.database import Database
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.messages import JsonObject, ToolCall, ToolSpec
from tests.scripted import GivenModels, Scripted, ScriptedModel

CALL = (ToolCall("c1", "act", '{"code": "print(1)"}'),)


class ActProvider:
    """Gives a tool that acts; counts how often it was run, and whether it was closed."""

    def __init__(self, explanation: str = "It acts on: print(1)") -> None:
        self.runs = 0
        self.closed = 0
        self._explanation = explanation

    async def tools(self, databases: Sequence[Database]) -> tuple[Sequence[Tool], Sequence[str]]:
        schema = {"type": "object", "properties": {"code": {"type": "string"}}}
        spec = ToolSpec("act", "Acts.", schema)
        return [Tool(spec, self._act, reads_only=False, explain=lambda _: self._explanation)], ()

    async def _act(self, arguments: JsonObject) -> ToolOutput:
        self.runs += 1
        return ToolOutput("done", "done")

    async def renew(self, session: str) -> bool:
        return False

    async def aclose(self) -> None:
        self.closed += 1


class ScriptedAssistant(Assistant):
    """An assistant whose every model is the scripted one."""

    scripted: ScriptedModel


def scripted(
    assistant: Assistant, script: Sequence[Scripted], provider: ActProvider | None = None
) -> ScriptedAssistant:
    """Make a scripted assistant over the same databases."""
    extra = (lambda: [provider]) if provider else tuple
    made = ScriptedAssistant(assistant.library, assistant.config, {}, extra_tools=extra)
    made.scripted = ScriptedModel(script)
    made.models = GivenModels(made, made.scripted)
    return made
