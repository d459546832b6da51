"""Opening a file in the person's own program, whose output never reaches this terminal.

A PDF opens at its page where the viewer is one that can be told; anything else opens as it does
when it is clicked. What the system would run as a program is not opened.
"""

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which

from rag_assistant.errors import FolderError

PATIENCE_SECONDS = 1.0
"""How long a starter has to say that it failed; a viewer that stays open is left alone."""

_RUNNABLE = frozenset(
    """
    .app .appimage .bat .cmd .com .command .cpl .desktop .exe .hta .jar .js .jse .lnk .msc .msi
    .ps1 .py .pyw .reg .scf .scr .sh .url .vb .vbe .vbs .wsf .wsh .workflow
    """.split()
)
_RUNNABLE_ON_LINUX = frozenset({".appimage", ".desktop", ".exe", ".jar", ".run"})
_PAGE_OPTIONS = {
    "evince": "--page-index={}",
    "papers": "--page-index={}",
    "xreader": "--page-index={}",
    "atril": "--page-index={}",
    "okular": "--page={}",
    "zathura": "--page={}",
}
_LEFT_RUNNING: list["subprocess.Popen[bytes]"] = []


def editor_command(path: Path, line: int | None, environ: Mapping[str, str]) -> list[str]:
    """Give the command of the person's editor at a line; nothing where none is set."""
    written = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        command = shlex.split(written)
    except ValueError:  # a quote that is never closed
        return []
    if not command or which(command[0], path=environ.get("PATH")) is None:
        return []
    return [*command, *([f"+{line}"] if line else []), str(path)]


def open_outside(path: Path, page: int | None, media_type: str, environ: Mapping[str, str]) -> str:
    """Open a file outside; give the name of the program that was started.

    It blocks for up to `PATIENCE_SECONDS`: call it in a thread. Raises FolderError where nothing
    can open it.
    """
    runnable = _RUNNABLE_ON_LINUX if sys.platform.startswith("linux") else _RUNNABLE
    if path.suffix.lower() in runnable:
        raise FolderError(
            f"{path.name} is not opened: the system might run it as a program.",
            hint="Set EDITOR to open it as text.",
        )
    if sys.platform == "win32":  # pragma: no cover
        import os  # noqa: PLC0415

        os.startfile(path)
        return "the program for it"
    command = _command(path, page, media_type, environ)
    if not command:
        raise FolderError(
            "There is no program here that opens files (xdg-open).", hint=f"The file is {path}."
        )
    try:
        started = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=dict(environ),
        )
    except OSError as error:
        raise FolderError(f"{command[0]} cannot be started ({error.strerror}).") from error
    try:
        code = started.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        _LEFT_RUNNING.append(started)  # held, so that nothing waits for it or warns of it
        return Path(command[0]).name
    if code:
        name = Path(command[0]).name
        raise FolderError(f"{name} could not open it.", hint=f"The file is {path}.")
    return Path(command[0]).name


def _command(
    path: Path, page: int | None, media_type: str, environ: Mapping[str, str]
) -> Sequence[str]:
    if sys.platform == "darwin":
        return ["open", *(["-t"] if media_type.startswith("text/") else []), str(path)]
    search = environ.get("PATH")
    if page is not None and media_type == "application/pdf":
        viewer = _pdf_viewer(environ)
        found = which(viewer, path=search) if viewer else None
        if found:
            return [found, _PAGE_OPTIONS[viewer].format(page), str(path)]
    found = which("xdg-open", path=search)
    return [found, str(path)] if found else []


def _pdf_viewer(environ: Mapping[str, str]) -> str:
    """Give the person's PDF viewer, if it is one that can be told a page; "" otherwise."""
    asker = which("xdg-mime", path=environ.get("PATH"))
    if asker is None:
        return ""
    try:
        asked = subprocess.run(
            [asker, "query", "default", "application/pdf"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
            env=dict(environ),
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    named = asked.stdout.strip().lower()
    return next((viewer for viewer in _PAGE_OPTIONS if viewer in named), "")
