"""Copying: by the system's clipboard tool, else by the terminal (OSC 52), else into a file.

A remark says which of them it was and how many characters went, so that nobody pastes in vain.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which

from textual.app import App
from textual.message import Message
from textual.widget import Widget

from rag_assistant.text.safe_text import clean

TOOL_SECONDS = 2.0
"""How long a clipboard tool may take: one that waits for a display that is gone is left."""

MOST_BY_TERMINAL = 74_000
"""Bytes of text that terminals take by OSC 52; many drop what is longer."""

_NO_OSC_52 = frozenset({"linux", "dumb", "vt100", "vt220", "cons25"})


def clipboard_tools(environ: Mapping[str, str], platform: str) -> list[Sequence[str]]:
    """Give the commands that may fill the clipboard here, likeliest first."""
    tools: list[Sequence[str]] = []
    if platform == "darwin":
        tools.append(("pbcopy",))
    elif platform in ("win32", "cygwin"):
        tools.append(("clip",))
    else:
        if environ.get("WAYLAND_DISPLAY"):
            tools.append(("wl-copy",))
        if environ.get("DISPLAY"):
            tools += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
        if environ.get("WSL_DISTRO_NAME"):
            tools.append(("clip.exe",))
    return tools


def copy_by_tool(text: str, environ: Mapping[str, str], platform: str) -> str:
    """Fill the clipboard by a tool; give the tool's name, "" where there is none that works.

    It blocks for up to `TOOL_SECONDS` a tool: call it in a thread.
    """
    for command in clipboard_tools(environ, platform):
        if which(command[0], path=environ.get("PATH")) is None:
            continue
        encoding = "utf-16-le" if command[0].startswith("clip") else "utf-8"
        try:
            # Output is thrown away: what a tool prints would be drawn over the screen, and one that
            # stays behind to serve the clipboard would hold a pipe open.
            subprocess.run(
                command,
                input=text.encode(encoding, "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=TOOL_SECONDS,
                check=True,
                env=dict(environ),
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return command[0]
    return ""


def terminal_takes(text: str, environ: Mapping[str, str]) -> bool:
    """Say whether the terminal may take a text by OSC 52, as far as one can know."""
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return False
    if environ.get("TERM", "") in _NO_OSC_52:
        return False
    return len(text.encode("utf-8", "replace")) <= MOST_BY_TERMINAL


def copy_text(app: App[object], text: str, environ: Mapping[str, str] | None = None) -> str:
    """Copy a text, made safe to be pasted; give the line that says what came of it.

    Call it in a thread of the app.
    """
    known = os.environ if environ is None else environ
    safe = clean(text)
    count = f"{len(safe)} character{'' if len(safe) == 1 else 's'}"
    tool = copy_by_tool(safe, known, sys.platform)
    if tool:
        return f"copied {count} (clipboard tool {tool})"
    if terminal_takes(safe, known):
        app.call_from_thread(app.copy_to_clipboard, safe)
        return f"copied {count} (terminal OSC 52)"
    try:
        return f"no clipboard here: {count} are in {_keep(safe)}"
    except OSError as error:
        return f"not copied: no clipboard here, and no file can be written ({error.strerror})"


def _keep(text: str) -> Path:
    """Write a text into a file of the person's own."""
    handle, name = tempfile.mkstemp(prefix="rag-assistant-copy-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


class Copied(Message):
    """Something was copied, or could not be; `remark` says so in one line."""

    def __init__(self, remark: str) -> None:
        super().__init__()
        self.remark = remark


def copy_beside(widget: Widget, text: str) -> None:
    """Copy without waiting for it; `widget` is told by `Copied`."""

    def work() -> None:
        widget.post_message(Copied(copy_text(widget.app, text)))

    widget.run_worker(work, group="copy", thread=True, exit_on_error=False)
