"""Completion for shells, as the program prints it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import Program


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_it_and_it_knows_the_commands(shell: str, tmp_path: Path) -> None:
    """A person would source a script that is broken, or of another version."""
    done = Program(tmp_path / "home").run("completion", shell)
    assert done.code == 0
    assert all(command in done.out for command in ("index", "why-not", "databases", "uninstall"))
    if program := shutil.which(shell):
        script = tmp_path / "completion"
        script.write_text(done.out, encoding="utf-8")
        read = subprocess.run([program, "-n", str(script)], capture_output=True, check=False)
        assert (read.returncode, read.stderr) == (0, b"")
