"""What runs in a process of its own: the program as a person runs it, and work of ours."""

import json
import multiprocessing
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from rag_assistant.api.opening import config_file, searching_library
from rag_assistant.config import load_config
from rag_assistant.library.library import Library

PROGRAM = (sys.executable, "-m", "rag_assistant")
"""The command that starts the program."""

FRESH = multiprocessing.get_context("spawn")
"""Processes that begin with nothing of this one's."""

Asked = ParamSpec("Asked")
Given = TypeVar("Given")


def program(home: Path, *arguments: str) -> str:
    """Run rag-assistant and give what it prints."""
    command = [*PROGRAM, "--home", str(home), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def use_embedder(home: Path, folder: Path) -> None:
    """Let a home use the ONNX model in a folder for vectors; its configuration is written anew."""
    quoted = json.dumps(str(folder.absolute()))
    written = f'embedder = "local"\n[embedders.local]\nkind = "local"\nfolder = {quoted}\n'
    config_file(home).write_text(written, encoding="utf-8")


def with_vectors(home: Path, folder: Path, names: Iterable[str]) -> Library:
    """Make the vectors of databases by the model in a folder; give a library that uses them."""
    use_embedder(home, folder)
    for name in names:
        program(home, "embed", name)
    return searching_library(home, load_config(config_file(home)))


def apart(work: Callable[Asked, Given], /, *arguments: Asked.args, **named: Asked.kwargs) -> Given:
    """Call a function in a process of its own, whose memory is only that."""
    with ProcessPoolExecutor(1, mp_context=FRESH) as pool:
        return pool.submit(work, *arguments, **named).result()


def evaluated(home: Path, questions: Path, *options: str) -> dict[str, Any]:
    """Put a question set to the program, and give its report (the JSON of `eval --json`)."""
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
