"""Ask the whole assistant a question while its model fails in every way of the tests' fault table:

    .venv/bin/python scripts/fault_table.py

Writes docs/faults.md: what a person read for each fault, over both wire formats and through the
text protocol, and who answered. Exit code 1 when a fault was not told, or left no answer.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rag_assistant.library.library import Library  # noqa: E402
from tests.models.fault_runs import PROTOCOLS, Outcome, Protocol, run_agent  # noqa: E402
from tests.models.fault_table import FAULTS, KEY, Fault  # noqa: E402

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


async def rows(folder: Path, names: Sequence[str]) -> list[Row]:
    """Index a folder and meet the named faults, one after the other."""
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home))
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

Written by `python scripts/fault_table.py`. Do not edit.

A server on this machine has each fault, and “{question}” is asked of `{folder}` as `rag-assistant
ask` does it, over {wires} and through the text protocol (*text*); where nothing else is said, it
was the same each time. HOST stands for the server's host and port. Where the model was given up,
the line ends with “The model extractive answers in its place.”, which is left out here. The key,
which some of these servers repeat, was in no event.
"""


def page(found: Sequence[Row], folder: str) -> str:
    """Write the page."""
    wires = " and ".join(PROTOCOLS[:-1])
    lines = [INTRODUCTION.format(question=QUESTION, folder=folder, wires=wires)]
    lines += ["| fault | what the person read | who answered |", "|---|---|---|"]
    lines += [f"| {' | '.join(row.cells())} |" for row in found]
    lines += ["", f"{len(found)} faults, {len(found) * len(PROTOCOLS)} runs.", ""]
    return "\n".join(lines)


def main() -> int:
    """Run; see the module."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("faults", nargs="*", help="names of faults; all when none is named")
    parser.add_argument("--folder", type=Path, default=ROOT / "corpora" / "handbook")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "faults.md")
    options = parser.parse_args()
    found = asyncio.run(rows(options.folder, options.faults or list(FAULTS)))
    options.out.write_text(page(found, options.folder.name), encoding="utf-8")
    wrong = [line for row in found for line in row.wrong()]
    print("\n".join(wrong) if wrong else f"{len(found)} faults are told; see {options.out}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
