"""A question from Python: its answer as a value, or an error that has what there was of one."""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import TYPE_CHECKING

from rag_assistant.errors import RagError

if TYPE_CHECKING:  # what a question needs is loaded for the first one
    from rag_assistant.tools.permission import Decision, PermissionRequest, Permit
    from rag_assistant.values.events import Event, Stopped
    from rag_assistant.values.evidence import Answer


class RunStopped(RagError):
    """A question was not answered to the end; `partial` is what there was until then."""

    def __init__(self, stopped: "Stopped") -> None:
        super().__init__(stopped.reason, hint=stopped.hint)
        self.partial = stopped.partial


async def answer_of(run: "AsyncGenerator[Event, None]") -> "Answer":
    """Give the answer that a run ends with. Raises RunStopped where it ends without one."""
    from rag_assistant.values.events import Answered, Stopped

    async with aclosing(run) as events:
        async for event in events:
            match event:
                case Answered(answer):
                    return answer
                case Stopped():
                    raise RunStopped(event)
    raise RagError("The run ended without an answer.", hint="Ask again.")


def allowing(tools: Collection[str]) -> "Permit":
    """Allow the named tools for one question, and nothing else: there is nobody to ask.

    `send_text` is leave for what is found to go to the models that are asked. Words that come from
    a document are never covered.
    """
    from rag_assistant.tools.permission import Decision

    async def permit(request: "PermissionRequest") -> "Decision":
        allowed = request.tool in tools and not request.from_document
        return Decision.ONCE if allowed else Decision.NO

    return permit
