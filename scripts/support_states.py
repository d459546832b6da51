"""Measure what sentences of answers rest on, against labels by hand:

    .venv/bin/python scripts/support_states.py

The labels are those of tests/agents/support_cases.py: every second answer was for choosing limits,
the others are reported. answer_quality.py counts the states in answers to whole question sets.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, Report, show

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.agents.support_cases import CASES, given, measured  # noqa: E402 - tests lie beside us


def against_labels() -> Iterator[Figure]:
    """Measure "unsupported", and how many states are as labelled."""
    for name, cases in (("choosing", CASES[::2]), ("reported", CASES[1::2])):
        precision, recall = measured(cases)
        pairs = [(label, found) for case in cases for _, label, found in given(case)]
        detail = f"{len(pairs)} sentences"
        yield Figure(f"labels, {name}: precision of unsupported", precision, detail=detail)
        yield Figure(f"labels, {name}: recall of unsupported", recall, detail=detail)
        same = sum(label is found for label, found in pairs) / len(pairs)
        yield Figure(f"labels, {name}: states as labelled", same, detail=detail)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(Report([*against_labels()]), options.json)


if __name__ == "__main__":
    main()
