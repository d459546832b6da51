"""The terminal interface. Importing this package loads no Textual; `run_tui` does."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant


def run_tui(assistant: "Assistant") -> None:
    """Open the terminal interface and return when the person quits."""
    from rag_assistant.tui.app import AssistantApp  # noqa: PLC0415 - 200 ms, only a screen needs it

    AssistantApp(assistant).run()
