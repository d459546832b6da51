"""Measure how far answers can be trusted, all in one: what is cited, refused, found and stopped.

    .venv/bin/python scripts/trust.py ../shared/data

Beside what it measures itself, the time of all checks, it runs the scripts that measure the rest,
each in a process of its own; answer_quality.py measures the answers. The folder is that of the test
collections; what needs one that is not there is left out, and said to be. The demo questions on odd
lines and the first 700 of COVID-QA served for tuning: reported are the others.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ablation import unpack
from answer_quality import CORPORA, DEMO, covid_questions, demo_questions
from check_times import times_of_checks
from figures import Report, report_from, show

from rag_assistant.library.library import Library

SCRIPTS = Path(__file__).resolve().parent
OWN = "checks"


@dataclass(frozen=True, slots=True)
class Script:
    """A script that measures a part; DATA, COVID and EVERY stand for the options of this run."""

    part: str
    name: str
    arguments: str = ""


OTHERS = (
    Script("sentences", "support_states.py"),
    Script("quotes", "quote_threshold.py", "COVID"),
    Script("refusal", "calibration.py", "COVID --every EVERY"),
    Script("contradictions", "disagreements.py"),
    Script("attacks", "red_team.py"),
    Script("detector", "suspicion_benchmark.py", "DATA"),
    Script("masking", "masking_benchmark.py", "--data DATA"),
)


def report_of(script: Script, data: Path, every: int) -> Report:
    """Run a script, and take over what it found."""
    values = {"DATA": str(data), "COVID": str(data / "covidqa"), "EVERY": str(every)}
    given = [values.get(word, word) for word in script.arguments.split()]
    command = [sys.executable, str(SCRIPTS / script.name), *given, "--json"]
    done = subprocess.run(command, check=False, cwd=SCRIPTS.parent, capture_output=True, text=True)
    try:
        return report_from(json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError):
        said = done.stderr.strip().splitlines()[-1:] or ["it printed no report"]
        return Report(skipped=[f"{script.part}: {script.name} failed: {said[0]}"])


def own_report(data: Path, every: int) -> Report:
    """Measure the time of the checks, on the demo questions and on COVID-QA."""
    with tempfile.TemporaryDirectory() as scratch:
        library = Library(Path(scratch) / "home")
        for name in DEMO:
            library.index(CORPORA / name)
        report = times_of_checks(library, "demo", _pairs(demo_questions()))
        covid = data / "covidqa"
        if not (covid / "questions.jsonl").exists():
            missing = f"{OWN}: there is no {covid}; give the folder of the test collections"
            return report.with_more(Report(skipped=[missing]))
        library.index(unpack(covid, Path(scratch) / "covidqa"), name="covidqa")
        questions = _pairs(covid_questions(covid, every))
        return report.with_more(times_of_checks(library, "COVID-QA", questions))


def _pairs(questions: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Give the database and the words of the questions that have an answer."""
    return [(one["database"], one["question"]) for one in questions if one["answerable"]]


def measured(parts: Sequence[str], data: Path, every: int) -> Report:
    """Measure the parts that are named."""
    report = own_report(data, every) if OWN in parts else Report()
    for script in OTHERS:
        if script.part in parts:
            print(f"{script.part}: {script.name}", file=sys.stderr)
            report = report.with_more(report_of(script, data, every))
    return report


def main() -> None:
    """Measure all, or what --only names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = [OWN, *(script.part for script in OTHERS)]
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", action="append", choices=parts, help="a part, repeatable")
    parser.add_argument("--every", type=int, default=2, help="take one of so many of COVID-QA")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(measured(options.only or parts, options.data.absolute(), options.every), options.json)


if __name__ == "__main__":
    main()
