"""Writing in the person's own editor: the terminal is handed over, and answers go on meanwhile.

Whatever becomes of the editor, what stood in the box before is not lost.
"""

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from textual.app import App, SuspendNotSupported

from rag_assistant.errors import FolderError
from rag_assistant.tui.terminal.outside_viewer import editor_command

NO_EDITOR = "There is no editor."
UNCHANGED = "The draft is as it was."


class NoTerminal(FolderError):
    """There is no terminal that could be handed over."""

    def __init__(self) -> None:
        super().__init__("An editor needs a terminal.", hint="In the browser, write here.")


async def edited_outside(app: App[object], draft: str) -> str:
    """Give what the editor made of a draft. Raises FolderError where nothing came of it."""
    _refuse_browser(app)
    try:
        with TemporaryDirectory(prefix="rag-assistant-") as folder:
            file = Path(folder) / "question.md"
            file.write_text(draft, encoding="utf-8")
            command = editor_command(file, None, os.environ)
            if not command:
                raise FolderError(NO_EDITOR, hint="Set VISUAL or EDITOR to an installed program.")
            code = await run_in_terminal(app, command)
            written = file.read_text(encoding="utf-8", errors="replace").rstrip()
    except OSError as error:
        reason = f"The draft could not be edited: {error.strerror}."
        raise FolderError(reason, hint=UNCHANGED) from error
    if code > 0:
        name = Path(command[0]).name
        raise FolderError(f"{name} ended with code {code}.", hint=UNCHANGED)
    return written


async def run_in_terminal(app: App[object], command: Sequence[str]) -> int:
    """Run a program in the app's place; give its exit code.

    Raises FolderError where it cannot be run, NoTerminal where there is nothing to run it in.
    """
    _refuse_browser(app)

    def run() -> int | OSError:
        try:
            return subprocess.run(command, check=False).returncode
        except OSError as error:  # not raised here: the app would not get its terminal back
            return error

    try:
        # What happens meanwhile is drawn when the terminal is ours again.
        with app.suspend(), app.batch_update(), _spared_ctrl_c():
            done = await asyncio.to_thread(run)
    except SuspendNotSupported as error:
        raise NoTerminal from error
    app.refresh(layout=True)
    if isinstance(done, OSError):
        name = Path(command[0]).name
        raise FolderError(f"{name} cannot be started: {done.strerror}.") from done
    return done


def _refuse_browser(app: App[object]) -> None:
    if app.is_web:
        raise NoTerminal


@contextmanager
def _spared_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C be for the program alone; a handler, unlike `SIG_IGN`, is not passed on to it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
