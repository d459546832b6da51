"""The terminal interface. Importing this package loads no Textual; `run_tui` does."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant
    from rag_assistant.history.store import ConversationStore
    from rag_assistant.tui.first_run.beginning import Beginning


def run_tui(
    assistant: "Assistant",
    store: "ConversationStore | None" = None,
    config_path: Path | None = None,
    beginning: "Beginning | None" = None,
) -> int:
    """Open the terminal interface; when the person quits, give the exit code.

    Conversations are kept in `store`, and settings in `config_path`, where they are given. With a
    `beginning` it opens with the folder that is to be indexed.
    """
    from rag_assistant.tui.terminal.idle_collection import begin_without  # noqa: PLC0415

    begin_without()
    from rag_assistant.tui.app import AssistantApp  # noqa: PLC0415 - 200 ms, only a screen needs it

    app = AssistantApp(assistant, store, config_path, beginning)
    app.run(mouse=assistant.config.mouse)
    return app.return_code or 0
