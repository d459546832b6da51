"""Opening the file behind a source where the person is used to read it: text in their editor at its
line, anything else in their own program, at its page where that can be told.
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.app import App

from rag_assistant.library.database import Database
from rag_assistant.tui.sources.reading import place_at
from rag_assistant.tui.terminal.outside_editor import NoTerminal, run_in_terminal
from rag_assistant.tui.terminal.outside_viewer import editor_command, open_outside
from rag_assistant.values.documents import Entry


def open_source(app: App[Any], database: Database, entry: Entry, at: int) -> str:
    """Open the file of an entry at a character; give the line that says what was done.

    It blocks: call it in a thread of the app. Raises RagError where nothing can open it.
    """
    from rag_assistant.library.source_files import source_file  # noqa: PLC0415 - when it is used

    path = source_file(database, entry.id)
    place = place_at(database, entry.id, at, at)
    is_text = entry.media_type.startswith("text/")
    if is_text:
        edit: Callable[..., str | Awaitable[str]] = _edit
        if said := app.call_from_thread(edit, app, path, place.line):
            return said
    program = open_outside(path, place.page, entry.media_type, os.environ)
    return f"opened {path.name} with {program}"


async def _edit(app: App[Any], path: Path, line: int | None) -> str:
    """Hand the terminal to the person's editor; give what is to say of it, "" where there is none.

    Raises FolderError where the editor cannot be started.
    """
    command = editor_command(path, line, os.environ)
    if not command:
        return ""
    try:
        code = await run_in_terminal(app, command)
    except NoTerminal:
        return ""
    return f"{Path(command[0]).name} ended with code {code}" if code else f"back from {path.name}"
