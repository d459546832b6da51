"""All at once, for as long as it is given: a folder that changes is watched and indexed, questions
are asked and evaluated, and programs and browsers are served, while what does it is killed now and
then. The folder changes and does not grow, so that what is held may return to where it was.

At rest, before and after, it is counted what the servers hold that went on through all of it, and
what lies about; in the end nothing may be lost, and the database be the one that an undisturbed run
makes.
"""

import argparse

from scripts.benchmarks.program.soak_state import COLUMNS, HELD, State, left_running
from scripts.benchmarks.program.soaking import Soak
from scripts.benchmarks.shared.figures import Figure, Report, table

WARM = 0.15
"""The share of the time after which it is counted first: what is loaded once is loaded by then."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Choose how long, over how many files, and which course of chance."""
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)


def measured(options: argparse.Namespace) -> Report:
    """Soak."""
    soak = Soak(options.scratch, options.files, options.seed)
    seconds = 60 * options.minutes
    states: list[State] = []
    with soak.served() as servers:
        for part, share in enumerate((WARM, (1 - WARM) / 2, (1 - WARM) / 2)):
            soak.go_on(seconds * share, options.seed + 100 * part)
            states.append(soak.at_rest(servers))
    wrong = [*soak.crashes(), *soak.course.wrong, *soak.lost(options.scratch / "fresh")]
    left = left_running(soak.temporary)
    first, last = states[0], states[-1]
    grown = {name: last.held[name].memory / first.held[name].memory for name in servers}
    more = {name: last.held[name].descriptors - first.held[name].descriptors for name in servers}
    when = ("after the start", "half way", "at the end")
    return Report(
        [
            Figure("soak: things lost or wrong", len(wrong), "", "<= 0", "; ".join(wrong[:5])),
            Figure(
                "soak: memory of a server, of that after the start",
                max(grown.values()),
                "",
                "<= 1.2",
                max(grown, key=grown.__getitem__),
            ),
            Figure("soak: descriptors more of a server", max(more.values()), "", "<= 2"),
            Figure("soak: temporary files left", last.temporary, "", "<= 0", last.left),
            Figure("soak: processes left", len(left), "", "<= 0", "; ".join(left[:3])),
            Figure("soak: write-ahead logs", last.logs, "MB", "<= 8"),
        ],
        [
            table(
                ("server, at rest", *HELD),
                [
                    (f"{name}, {at}", *state.held[name].row())
                    for name in servers
                    for at, state in zip(when, states, strict=True)
                ],
            ),
            table(
                ("home, at rest", *COLUMNS),
                [(name, *state.row()) for name, state in zip(when, states, strict=True)],
            ),
            table(
                (f"in {options.minutes:g} minutes", "times"),
                [(what, f"{times:,}") for what, times in sorted(soak.course.done.items())],
            ),
        ],
    )
