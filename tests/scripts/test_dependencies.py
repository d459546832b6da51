"""The list of packages, their licences and their reach; and that no code comes from elsewhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

import scripts.dependencies as module
from tests.conftest import write_files

ROOT = Path(__file__).resolve().parents[2]


def test_every_package_is_listed_with_its_licence() -> None:
    """Whoever must answer for licences, or looks for a hole by name, would be told too little."""
    packages, _ = module.installed(module.asked_for())
    assert module.problems(packages) == []
    page = module.PAGE.read_text(encoding="utf-8")
    assert "not named in its metadata" not in page
    named = {canonicalize_name(one.name) for given in module.asked_for().values() for one in given}
    listed = {one["name"] for one in json.loads(module.SBOM.read_text("utf-8"))["components"]}
    assert named <= listed


def test_what_is_new_or_under_another_licence_is_found(tmp_path: Path) -> None:
    """A dependency would come in, or change hands, without a word."""
    folder = write_files(
        tmp_path,
        {
            "stray-1.0.dist-info/METADATA": "Name: stray\nVersion: 1.0\nLicense-Expression: X-1\n",
            "stray-1.0.dist-info/RECORD": "stray.py,,\n",
            "stray.py": "def later():\n    from urllib.request import urlopen\n",
        },
    )
    code = (
        "from scripts.dependencies import *; from packaging.requirements import Requirement\n"
        "packages, absent = installed({'': [Requirement('stray'), Requirement('nowhere')]})\n"
        "print(problems(packages), absent, packages[0].licence, packages[0].reach())"
    )
    environ = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ
    )
    assert done.stdout == "['stray is not listed'] ['nowhere'] X-1 network\n"


LISTENING = """
import sys, runpy
seen = []
def heard(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "urllib.Request"):
        seen.append((event, str(given)))
    if event == "subprocess.Popen" and any(w in str(given[1]) for w in ("pip", "curl", "wget")):
        seen.append((event, str(given)))
sys.addaudithook(heard)
sys.argv = sys.argv[1:]
try:
    runpy.run_module("rag_assistant", run_name="__main__", alter_sys=True)
except SystemExit:
    pass
print("asked", seen, file=sys.stderr)
"""


@pytest.mark.soak
def test_nothing_is_fetched_by_itself(tmp_path: Path) -> None:
    """A model, a grammar or a newer package would be brought by whoever has its host."""
    home = str(tmp_path / "home")
    folder = ROOT / "corpora" / "handbook"
    commands = (
        ("index", str(folder)),
        ("search", "parental leave"),
        ("ask", "How long is parental leave?"),
        ("eval", str(folder.with_name("handbook.questions.jsonl")), "-d", "handbook"),
        ("embed", "handbook"),
        ("doctor",),
    )
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-c", LISTENING, "rag-assistant", "--home", home, *command],
            capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        asked = done.stderr.rpartition("asked ")[2]
        others = [one for one in eval(asked) if "127.0.0.1" not in one[1]]
        assert others == [], command
