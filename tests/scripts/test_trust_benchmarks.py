"""The measurements of quotes and of support run, and find what the product promises."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def figures_of(name: str, *arguments: str) -> tuple[dict[str, float], dict[str, Any]]:
    """Run a script and give its figures by name, and all that it says."""
    command = [sys.executable, str(SCRIPTS / name), "--json", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=110, cwd=SCRIPTS.parent
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    return {figure["name"]: figure["value"] for figure in report["figures"]}, report


def test_altered_quotes_of_the_demo_are_told_apart(tmp_path: Path) -> None:
    """Slips would make quotes missing, or wrong quotes pass, and the docstring's figures lie."""
    found, report = figures_of("quote_threshold.py", str(tmp_path / "nowhere"))
    assert found["demo: altered quotes found"] >= 90
    assert found["demo: wrong quotes taken for found"] <= 1
    assert "give the folder of COVID-QA" in report["skipped"][0]
