"""Questions asked by many processes at once over one home: how many of their answers are kept.

Each process is the program itself with the built-in model. They all write to the same
conversations.db at the same moment, so all but one have to wait for their turn.
"""

import argparse
import subprocess
from pathlib import Path

from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.places import CORPORA, demo_lines
from scripts.benchmarks.shared.program import PROGRAM

SECONDS = 600
"""What all of them together may take."""


def asked_at_once(home: Path, processes: int) -> tuple[int, list[str]]:
    """Ask as many questions at once; give how many answers are kept, and what was said of them."""
    Library(home).index(CORPORA / "handbook")
    questions = [line["question"] for line in demo_lines("handbook")]
    command = [*PROGRAM, "--home", str(home), "ask", "-d", "handbook"]
    running = [
        subprocess.Popen(
            [*command, questions[number % len(questions)]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    said = [process.communicate(timeout=SECONDS)[1] for process in running]
    lost = [line for text in said for line in text.splitlines() if "not kept" in line]
    return len(ConversationStore(home / "conversations.db").conversations(10 * processes)), lost


def add_options(parser: argparse.ArgumentParser) -> None:
    """Choose how many."""
    parser.add_argument("--processes", type=int, default=18)


def measured(options: argparse.Namespace) -> Report:
    """Ask."""
    kept, lost = asked_at_once(options.scratch / "home", options.processes)
    detail = f"{kept} of {options.processes}" + (f"; said: {lost[0]}" if lost else "")
    lacking = options.processes - kept
    return Report([Figure("answers asked for at once and not kept", lacking, "", "<= 0", detail)])
