"""How a server failed, in our words, with its own words kept apart from them.

A person reads both in one line; a model is given the server's own words in a fence only.
"""

from rag_assistant.errors import ToolFailed
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.tools.toolkit import ToolOutput


class ServerFailed(ToolFailed):
    """A server cannot be used. `detail` is what it said itself: one clean line, or nothing."""

    def __init__(self, message: str, *, hint: str, detail: str = "") -> None:
        super().__init__(f"{message} It said: “{detail}”." if detail else message, hint=hint)
        self._plain = f"{message} {hint}".strip()
        self._detail = detail

    def output(self, tool: str) -> ToolOutput:
        """Give the failed result of a call of `tool`."""
        text = f"Error: {self._plain}"
        if self._detail:
            words = fence(
                "result", self._detail, boundary=new_boundary(), attributes={"tool": tool}
            )
            text = f"{text} What the server said:\n{words}"
        return ToolOutput(text, str(self), ok=False)
