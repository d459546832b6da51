"""An OpenAI-compatible server that we did not write: the npm package @copilotkit/aimock.

It is looked for at RAG_ASSISTANT_AIMOCK (the installed package's folder) and on PATH, and never
downloaded here.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = os.environ.get("RAG_ASSISTANT_AIMOCK", "")
_HOW = "npm i @copilotkit/aimock; export RAG_ASSISTANT_AIMOCK=$PWD/node_modules/@copilotkit/aimock"


def command() -> list[str] | str:
    """Give the command that starts it, or why there is none."""
    program = shutil.which("aimock")
    script = Path(FOLDER) / "dist" / "cli.js"
    node = shutil.which("node")
    if not FOLDER and program:
        return [program]
    if node is None:
        return "node is not installed; it runs the independent server @copilotkit/aimock"
    if not FOLDER:
        return f"@copilotkit/aimock is not installed: {_HOW}"
    if not script.is_file():
        return f"RAG_ASSISTANT_AIMOCK: there is no {script}: {_HOW}"
    return [node, str(script)]


@contextmanager
def serving(fixtures: Sequence[dict[str, Any]], folder: Path) -> Iterator[str]:
    """Serve these fixtures; give the address to configure, ending in /v1."""
    path = folder / "fixtures.json"
    path.write_text(json.dumps({"fixtures": list(fixtures)}), encoding="utf-8")
    started = command()
    assert isinstance(started, list)
    options = ["-p", "0", "-h", "127.0.0.1", "-f", str(path), "--strict", "--chunk-size", "7"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    with subprocess.Popen(
        [*started, *options], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            yield f"{_address(server)}/v1"
        finally:
            server.terminate()
            server.communicate(timeout=20)


def _address(server: subprocess.Popen[bytes]) -> str:
    said: list[str] = []
    assert server.stdout
    for line in server.stdout:
        said.append(line.decode(errors="replace"))
        if found := re.search(r"http://127\.0\.0\.1:\d+", said[-1]):
            return found[0]
    raise AssertionError(f"aimock did not start: {''.join(said)}")
