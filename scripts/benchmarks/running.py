"""Runs parts of the benchmarks: one here and now, or one in a process of its own, to be kept."""

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.benchmarks.page import Outcome
from scripts.benchmarks.parts import Part
from scripts.benchmarks.shared.figures import Report, report_from
from scripts.benchmarks.shared.places import ROOT

OURS = ("rag_assistant", "scripts")


def measured_here(part: Part, options: argparse.Namespace, given: Sequence[str]) -> Report:
    """Measure a part in this process, with its options `given` beside those of all parts."""
    try:
        benchmark = part.benchmark()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OURS:
            raise
        return Report(skipped=[f"{part.name}: the package {error.name} is not installed"])
    parser = argparse.ArgumentParser(
        f"python -m scripts.benchmarks --only {part.name}",
        description=benchmark.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    benchmark.add_options(parser)
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = Path(scratch) / "scratch"
        options.scratch.mkdir()
        options.work = (options.work or Path(scratch) / "work").absolute()
        options.work.mkdir(parents=True, exist_ok=True)
        parser.parse_args([*part.given(quick=options.quick), *given], options)
        return benchmark.measured(options)


def measured_apart(part: Part, options: argparse.Namespace, work: Path) -> dict[str, Any]:
    """Measure a part in a process of its own and give what is kept of it.

    A part that fails is kept as a line that says so.
    """
    command = [sys.executable, "-m", "scripts.benchmarks", "--only", part.name, "--json"]
    command += ["--work", str(work), "--data", str(options.data.absolute())]
    command += ["--peers-python", options.peers_python, *(["--quick"] if options.quick else [])]
    command += ["--embedder", str(options.embedder.absolute())] if options.embedder else []
    started = time.monotonic()
    done = subprocess.run(command, check=False, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        report = report_from(json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError):
        report = Report(skipped=[f"the benchmark failed (exit code {done.returncode})"])
    return {
        "report": json.loads(report.to_json()),
        "failed": not (report.figures or report.tables) and done.returncode != 0,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "commit": commit(),
        "minutes": (time.monotonic() - started) / 60,
        "load": os.getloadavg()[1],
        "machine": machine(),
    }


def machine() -> str:
    """Say what these figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        model = next((s.split(":")[1].strip() for s in lines if s.startswith("model name")), model)
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
        room = f", {memory:.0f} GB of memory"
    except (OSError, ValueError):
        room = ""  # not Linux
    return (
        f"{os.cpu_count()} cores of {model}{room}, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )


def commit() -> str:
    """Give the commit that is measured, "unknown" outside a repository."""
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def outcome_of(part: Part, results: Path) -> Outcome | None:
    """Read what is kept of a part, None if there is nothing."""
    path = results / f"{part.name}.json"
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    report = report_from(kept.pop("report"))
    return Outcome(part.name, part.title, report, **kept)
