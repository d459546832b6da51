"""The command of the benchmarks, in this process and as a person runs it."""

import json
import subprocess
import sys
from typing import Any

from scripts.benchmarks.__main__ import parser
from scripts.benchmarks.parts import PARTS, Part
from scripts.benchmarks.running import measured_here
from scripts.benchmarks.shared.figures import Report
from scripts.benchmarks.shared.places import ROOT


def part(name: str) -> Part:
    """Give a part by its name."""
    return next(one for one in PARTS if one.name == name)


def printed(name: str, *arguments: str) -> Report:
    """Measure a part with these options, those of every part among them."""
    options, own = parser().parse_known_args(["--only", name, *arguments])
    return measured_here(part(name), options, own)


def run(*arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    """Run the command and give what it prints."""
    command = [sys.executable, "-m", "scripts.benchmarks", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=110, cwd=ROOT
    )
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def kept(name: str, **more: Any) -> str:
    """Write the result of a part as an earlier run keeps it."""
    figure = {"name": f"{name} speed", "value": 3.0, "unit": "s", "goal": "< 2", "detail": ""}
    report = {"figures": [figure], "tables": [], "skipped": ["there is no such thing"]}
    facts = {"date": "2026-01-01 10:00", "commit": "abc", "minutes": 2.0, "load": 0.5}
    return json.dumps({"report": report, **facts, "failed": False, "machine": "a machine", **more})
