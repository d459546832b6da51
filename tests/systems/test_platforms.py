"""The package as another system has it: names that are not there are not used unguarded."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

NOT_THERE = {
    "win32": (
        "rag_assistant/web/",
        "rag_assistant/tools/python_session/guard.py",
        "rag_assistant/tools/python_session/containment.py",
        "rag_assistant/files/family.py",
    ),
    "darwin": (
        "rag_assistant/tools/python_session/guard.py",
        "rag_assistant/tools/python_session/containment.py",
    ),
}
"""What does not run on a system: `serve` says so on Windows; guard, containment and family are
programs of Linux alone."""


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("system", NOT_THERE)
def test_nothing_is_used_that_the_system_lacks(system: str) -> None:
    """An import or a signal that only POSIX has would end the program there."""
    command = [sys.executable, "-m", "mypy", "-p", "rag_assistant", "--platform", system]
    command += ["--no-warn-unreachable", "--no-warn-unused-ignores"]
    command += ["--cache-dir", f".mypy_cache/{system}"]  # that of this system stays as it is
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wrong = [
        line
        for line in done.stdout.splitlines()
        if ": error:" in line and not line.startswith(NOT_THERE[system])
    ]
    assert wrong == []
    assert "checked" in done.stdout
