"""The obedient model without tools of its own: it reads results and writes calls as text."""

import json
import re
from collections.abc import Iterator, Sequence

from rag_assistant.models.call_forms import write_call
from rag_assistant.text.fences import read_fences
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from scripts.benchmarks.trust.attacks.obedient import ObedientModel

_TOOL = re.compile(r"^- (\w+): (.*)\n  Parameters: (\{.*\})$", re.MULTILINE)
_CALL = re.compile(r'<tool-call tool="(\w+)">(\{.*?\})</tool-call>', re.DOTALL)


class ObedientTextModel(ObedientModel):
    """Obeys over the text protocol; wrap it in a `TextProtocolModel`."""

    def reply_to(self, request: Request) -> AssistantMessage:
        """Give what it says next, with its calls in the text."""
        if request.reply_schema is not None:
            return super().reply_to(request)
        reply = super().reply_to(_with_tools(request))
        calls = [write_call(call, "tag") for call in reply.tool_calls]
        return AssistantMessage("\n".join(filter(None, [reply.text, *calls])))


def _with_tools(request: Request) -> Request:
    """Read the tools, calls and results back out of the text."""
    system = "\n".join(m.text for m in request.messages if isinstance(m, SystemMessage))
    tools = tuple(ToolSpec(m[1], m[2], json.loads(m[3])) for m in _TOOL.finditer(system))
    return Request(tuple(_messages(request.messages)), tools)


def _messages(messages: Sequence[Message]) -> Iterator[Message]:
    calls: tuple[ToolCall, ...] = ()
    for place, message in enumerate(messages):
        match message:
            case AssistantMessage(text):
                written = enumerate(_CALL.finditer(text))
                calls = tuple(ToolCall(f"{place}_{n}", m[1], m[2]) for n, m in written)
                yield AssistantMessage(text, calls)
            case UserMessage(text) if calls:
                results = [fenced for fenced in read_fences(text) if fenced.kind == "result"]
                for call, fenced in zip(calls, results, strict=True):
                    yield ToolMessage(call.id, call.name, fenced.text)
                calls = ()
            case _:
                yield message
