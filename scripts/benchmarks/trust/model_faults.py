"""The whole assistant, asked a question while its model fails in every way of the fault cases.

Over both wire formats and through the text protocol. When all faults were met, docs/faults.md is
written: what a person read for each, and who answered.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import CORPORA, ROOT
from scripts.benchmarks.trust.fault_cases import FAULTS
from scripts.benchmarks.trust.fault_runs import PROTOCOLS, Outcome, Protocol, run_agent
from scripts.benchmarks.trust.fault_scripts import KEY, Fault

PAGE = ROOT / "docs" / "faults.md"
QUESTION = "How long is parental leave?"
TAKES_OVER = " The model extractive answers in its place."


@dataclass(frozen=True, slots=True)
class Row:
    """One fault and what came of it, by protocol."""

    name: str
    fault: Fault
    outcomes: Mapping[Protocol, Outcome]

    def wrong(self) -> list[str]:
        """Say where the fault was not told, or no answer came."""
        fault = self.fault
        found = []
        for protocol, outcome in self.outcomes.items():
            answer, told = outcome.answer, " ".join(outcome.lines)
            expected = [*fault.waits, f"{fault.message} {fault.hint}".strip()]
            if not (answer and answer.text):
                found.append(f"{self.name}, {protocol}: no answer")
            if not all(line in told for line in expected):
                found.append(f"{self.name}, {protocol}: told {told!r}")
            if KEY in repr(outcome.events):
                found.append(f"{self.name}, {protocol}: the key is shown")
        return found

    def cells(self) -> list[str]:
        """Write the row; what differs between the protocols stands with their names."""
        return [
            self.name,
            _merged({name: _lines(outcome) for name, outcome in self.outcomes.items()}),
            _merged({name: _answerer(outcome) for name, outcome in self.outcomes.items()}),
        ]


def _lines(outcome: Outcome) -> str:
    told = [f"to the model: {line}" for line in outcome.failed_calls]
    told += [line.removesuffix(TAKES_OVER) for line in outcome.lines]
    return "<br>".join(map(_plain, told))


def _answerer(outcome: Outcome) -> str:
    if outcome.answer is None:
        return "no answer"
    quotes = len(outcome.answer.citations)
    built_in = outcome.answer.model == "extractive"
    cited = f", {quotes} quote{'s' * (quotes != 1)} cited" if quotes else ""
    return f"{'the built-in model' if built_in else 'the model'}{cited}"


def _merged(written: Mapping[Protocol, str]) -> str:
    if len(set(written.values())) == 1:
        return next(iter(written.values()))
    return "<br>".join(f"*{name}:* {text}" for name, text in written.items())


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


async def rows(home: Path, folder: Path, names: Sequence[str]) -> list[Row]:
    """Index a folder and meet the named faults, one after the other."""
    library = Library(home)
    library.index(folder)
    found = []
    for name in names:
        print(name, file=sys.stderr)
        outcomes: dict[Protocol, Outcome] = {}
        for protocol in PROTOCOLS:
            random.seed(0)  # so that the waits are the same in each run
            outcomes[protocol] = await run_agent(library, QUESTION, FAULTS[name], protocol)
        found.append(Row(name, FAULTS[name], outcomes))
    return found


INTRODUCTION = """\
# What a person reads when the model fails

Written by `python -m scripts.benchmarks --only model-faults`. Do not edit.

A server on this machine has each fault, and “{question}” is asked of `{folder}` as `rag-assistant
ask` does it, over {wires} and through the text protocol (*text*); where nothing else is said, it
was the same each time. HOST stands for the server's host and port. Where the model was given up,
the line ends with “The model extractive answers in its place.”, which is left out here. The key,
which some of these servers repeat, was in no event.
"""


def page(found: Sequence[Row], folder: str) -> str:
    """Write the page."""
    wires = " and ".join(PROTOCOLS[:-1])
    introduction = INTRODUCTION.format(question=QUESTION, folder=folder, wires=wires)
    counted = f"{len(found)} faults, {len(found) * len(PROTOCOLS)} runs."
    return f"{introduction}\n{table_of(found)}\n\n{counted}\n"


def table_of(found: Sequence[Row]) -> str:
    """Write the faults as a table."""
    head = ("fault", "what the person read", "who answered")
    return table(head, [row.cells() for row in found], texts=True)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let faults be named."""
    parser.add_argument(
        "--fault", action="append", choices=list(FAULTS), metavar="NAME", help="only this one"
    )
    parser.add_argument("--folder", type=Path, default=CORPORA / "handbook")


def measured(options: argparse.Namespace) -> Report:
    """Meet the faults, and write the page where they are all of them."""
    named = options.fault or list(FAULTS)
    found = asyncio.run(rows(options.scratch, options.folder, named))
    tables = [f"Wrong: {line}" for row in found for line in row.wrong()]
    name = f"{len(found)} faults of a model: runs in which one was not told or not answered"
    detail = f"of {len(found) * len(PROTOCOLS)}"
    figure = Figure(name, len(tables), goal="<= 0", detail=detail)
    if options.fault:
        tables.append(table_of(found))
    else:
        PAGE.write_text(page(found, options.folder.name), encoding="utf-8")
    return Report([figure], tables)
