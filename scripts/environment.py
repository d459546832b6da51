"""The environment in .venv of this checkout, made once, and again when pyproject.toml has changed.

It runs before anything is installed, so it imports the standard library alone; so do `start.py` and
`test.py`, which are started as files.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NoReturn
from zlib import crc32

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

_STAMP = VENV / "installed"
_OLD_NAME = "rag-assistant"
"""What the distribution was called before: it would own the same command and the same package."""


def prepare(extra: str = "") -> None:
    """Make the environment with the extra where it is not there yet; else this takes no time.

    Ends the program with a line to read where it cannot be made.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - an older one may run this file
        sys.exit("rag-assistant needs Python 3.11 or newer: start this with one of them.")
    stamp = f"{crc32((ROOT / 'pyproject.toml').read_bytes())} {ROOT} "
    made = _STAMP.read_text(encoding="utf-8").strip("\n") if _STAMP.exists() else ""
    if made in (f"{stamp}{extra}", f"{stamp}test"):  # that of the tests holds all that others do
        return
    say("Making the environment in .venv (once; about a minute)...")
    _STAMP.unlink(missing_ok=True)
    if not _runs("-c", "import pip"):
        try:
            if Path(sys.prefix) == VENV:  # which cannot be made anew by itself
                subprocess.run([PYTHON, "-m", "ensurepip"], check=True)
            else:
                venv.create(VENV, clear=True, with_pip=True)
        except (OSError, subprocess.SubprocessError, ImportError) as error:
            sys.exit(f"No environment can be made ({error}). On Debian: apt install python3-venv")
    _runs("-m", "pip", "uninstall", "--disable-pip-version-check", "--quiet", "--yes", _OLD_NAME)
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    pip = ["-m", "pip", "install", "--disable-pip-version-check", "--quiet", "-e", target]
    if subprocess.run([PYTHON, *pip], check=False).returncode:
        sys.exit("The environment could not be made; see above. Check the network and run again.")
    # Compiled now, so that the first start is as fast as the next, whatever the environment says.
    _runs("-m", "compileall", "-q", str(ROOT / "rag_assistant"))
    _STAMP.write_text(f"{stamp}{extra}\n", encoding="utf-8")


def become(*command: str) -> NoReturn:
    """Let a program of the environment take the place of this one."""
    sys.stdout.flush()
    if os.name == "nt":  # where it would go on beside this one, which would seem to have ended
        sys.exit(subprocess.run([PYTHON, *command], check=False).returncode)
    os.execv(PYTHON, [str(PYTHON), *command])


def say(line: str) -> None:
    """Tell the person something on standard error."""
    print(line, file=sys.stderr, flush=True)


def _runs(*command: str) -> bool:
    """Run Python of the environment without a word; whether it is there and did it."""
    try:
        return not subprocess.run([PYTHON, *command], capture_output=True, check=False).returncode
    except OSError:
        return False
