"""The interface, opened as on a first run."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.models.discovery import PORTS_ENV
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.first_run.beginning import Beginning
from tests.tui.screen import WIDE, Opened

NO_MODEL = {PORTS_ENV: ""}
"""An environment in which no model is found."""


@asynccontextmanager
async def begun(
    assistant: Assistant,
    folder: Path | None,
    *,
    size: tuple[int, int] = WIDE,
    environ: Mapping[str, str] = NO_MODEL,
    config_path: Path | None = None,
) -> AsyncGenerator[Opened, None]:
    """Open the interface with a folder, or with none named."""
    app = AssistantApp(assistant, None, config_path, Beginning(folder, environ))
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        shown = Opened(app, pilot)
        await shown.until(lambda: "Ask your own documents" in shown.text(), "the first screen")
        yield shown
