"""The program as a person runs it, in a process of its own: for benchmarks that measure by it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def program(home: Path, *arguments: str) -> str:
    """Run rag-assistant and give what it prints."""
    command = [sys.executable, "-m", "rag_assistant", "--home", str(home), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def evaluated(home: Path, questions: Path, *options: str) -> dict[str, Any]:
    """Put a question set to it, and give its report (the JSON of `eval --json`)."""
    report: dict[str, Any] = json.loads(
        program(home, "eval", str(questions), "--anew", *options, "--json")
    )
    return report


def interval_of(report: Mapping[str, Any], metric: str) -> str:
    """Write the 95% interval of a metric, "" where there is none."""
    ends = report["intervals"].get(metric)
    return f"95% {ends['low']:.3f} to {ends['high']:.3f}" if ends else ""


def notes_of(report: Mapping[str, Any], name: str) -> list[str]:
    """Write what a reader of the figures must know, as paragraphs of Markdown."""
    return [f"{name}: {note}." for note in report["notes"]]
