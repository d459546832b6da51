"""Measure from the start of the program to its first screen, beside a bare Textual application.

Both are started anew in a terminal of their own, in turn, because machines differ and are noisy.
The ratio is of the processor's time, which does not grow with what else the machine does.
"""

import argparse
import compileall
import statistics
import sys
import time
from functools import partial
from pathlib import Path

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.on_a_terminal import OnATerminal
from scripts.benchmarks.shared.places import CORPORA, DEMO, ROOT
from scripts.benchmarks.shared.program import PROGRAM
from scripts.benchmarks.shared.timing import in_turn

BARE = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("Hello from Textual")
Hello().run()
"""


def seconds_to(command: list[str], words: bytes, home: Path) -> tuple[float, float]:
    """Give the seconds until a program has written `words` on a terminal of 80 by 24.

    The second number is what the processor has worked for it.
    """
    started = time.perf_counter()
    with OnATerminal(command, home) as program:
        program.shows(words)
        seconds = time.perf_counter() - started
    return seconds, program.worked


def measure_first_paint(scratch: Path, folder: Path, home: Path, rounds: int) -> Report:
    """Start a bare application, the first run with a folder, and the conversation of `home`."""
    bare = [sys.executable, "-c", BARE]
    starts = {
        "bare": (bare, b"Hello from Textual", scratch / "nowhere"),
        "a folder": ([*PROGRAM, str(folder)], b"stays on this computer", scratch / "fresh"),
        "the conversation": ([*PROGRAM], b"Ask your documents", home),
    }
    works = {name: partial(seconds_to, *start) for name, start in starts.items()}
    times = in_turn(rounds, lambda _: works)
    wall = {name: statistics.median(seconds for seconds, _ in t) for name, t in times.items()}
    worked = {name: statistics.median(seconds for _, seconds in t) for name, t in times.items()}
    figures = []
    for name in ("a folder", "the conversation"):
        what = f"first paint: {name}"
        ratio = worked[name] / worked["bare"]
        detail = f"{worked[name] * 1000:.0f} ms, bare {worked['bare'] * 1000:.0f} ms"
        figures.append(Figure(f"{what}, work, of a bare Textual app", ratio, "×", "<= 2.5", detail))
        more = (wall[name] - wall["bare"]) * 1000
        detail = f"{wall[name] * 1000:.0f} ms, bare {wall['bare'] * 1000:.0f} ms"
        figures.append(Figure(f"{what}, later than bare", more, "ms", "< 700", detail))
    return Report(figures)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the number of starts be chosen."""
    parser.add_argument("--rounds", type=int, default=9)


def measured(options: argparse.Namespace) -> Report:
    """Index the demo folders, and start beside them.

    The program is compiled before, as one that is installed is: where the environment forbids
    Python to keep what it compiles, each start would do it again.
    """
    compileall.compile_dir(ROOT / "rag_assistant", quiet=2)
    library = Library(options.scratch / "home")
    folders = [CORPORA / name for name in DEMO]
    for folder in folders:
        library.index(folder)
    return measure_first_paint(options.scratch, folders[0], library.home, options.rounds)
