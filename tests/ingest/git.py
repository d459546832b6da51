"""The real git, asked what it would keep of a folder; without the settings of the machine."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str, given: bytes = b"", codes: Iterable[int] = (0,)) -> bytes:
    """Run git in `folder` and give what it prints; `given` is its standard input."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {"XDG_CONFIG_HOME": os.devnull, "HOME": os.devnull}
    command = ["git", "-c", "core.excludesFile=/dev/null", *words]
    done = subprocess.run(
        command, cwd=folder, env=env, check=False, input=given, capture_output=True
    )
    assert done.returncode in codes, done.stderr
    return done.stdout


def by_git(folder: Path) -> list[str]:
    """Give the files of `folder` that git would keep."""
    out = git(folder, "ls-files", "-z", "--others", "--cached", "--exclude-standard")
    return sorted(os.fsdecode(name) for name in out.split(b"\0") if name)


def why_ignored(folder: Path, paths: Iterable[str]) -> dict[str, str]:
    """Give, for each of `paths` that a line speaks of, the file and the line: "FILE: LINE"."""
    out = git(
        folder,
        *("check-ignore", "--no-index", "-v", "-z", "--stdin"),
        given=b"\0".join(map(os.fsencode, paths)),
        codes=(0, 1),  # 1: none is ignored
    )
    fields = [os.fsdecode(field) for field in out.split(b"\0")[:-1]]
    return {
        path: f"{source}: {line}"
        for source, line, path in zip(fields[::4], fields[2::4], fields[3::4], strict=True)
    }
