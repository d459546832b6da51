"""The terminal interface. Importing this package loads no Textual; `run_tui` does."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant
    from rag_assistant.history.store import ConversationStore


def run_tui(
    assistant: "Assistant",
    store: "ConversationStore | None" = None,
    config_path: Path | None = None,
) -> None:
    """Open the terminal interface and return when the person quits.

    Conversations are kept in `store`, and settings in `config_path`, where they are given.
    """
    from rag_assistant.tui.app import AssistantApp  # noqa: PLC0415 - 200 ms, only a screen needs it

    AssistantApp(assistant, store, config_path).run()
