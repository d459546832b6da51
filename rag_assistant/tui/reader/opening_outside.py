"""Opening the file behind a source where the person is used to read it: text in their editor at its
line, anything else in their own program, at its page where that can be told.
"""

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from rag_assistant.documents import Entry
from rag_assistant.library.database import Database
from rag_assistant.library.source_files import source_file
from rag_assistant.tui.sources.reading import place_at
from rag_assistant.tui.terminal.outside_viewer import editor_command, open_outside


def open_source(app: App[Any], database: Database, entry: Entry, at: int) -> str:
    """Open the file of an entry at a character; give the line that says what was done.

    It blocks: call it in a thread of the app. Raises RagError where nothing can open it.
    """
    path = source_file(database, entry.id)
    place = place_at(database, entry.id, at, at)
    is_text = entry.media_type.startswith("text/")
    if is_text and app.call_from_thread(_edit, app, path, place.line):
        return f"back from {path.name}"
    program = open_outside(path, place.page, entry.media_type, os.environ)
    return f"opened {path.name} with {program}"


def _edit(app: App[Any], path: Path, line: int | None) -> bool:
    """Hand the terminal to the person's editor; tells whether there is one."""
    command = editor_command(path, line, os.environ)
    if not command:
        return False
    with suppress(SuspendNotSupported):
        with app.suspend():
            subprocess.run(command, check=False)
        app.refresh(layout=True)
        return True
    return False
