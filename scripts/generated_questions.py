"""Measure what questions are worth that `eval init` makes of the demo folders, without a model:

    .venv/bin/python scripts/generated_questions.py

Search should find the document that a question was made of, and not as easily as by its own words.
Nothing was tuned on these questions.
"""

import argparse
import tempfile
from pathlib import Path

from answer_quality import CORPORA, DEMO
from figures import Figure, Report, show
from program import evaluated, interval_of, notes_of, program

SHOWN = ("found@10", "MRR@10", "quote_recall", "refusal_precision", "refusal_recall")


def report_of(home: Path, name: str, count: int) -> Report:
    """Make questions of a folder, and ask them."""
    program(home, "index", str(CORPORA / name))
    questions = home / f"{name}.questions.jsonl"
    program(home, "eval", "init", "-d", name, "-n", str(count), "-o", str(questions))
    found = evaluated(home, questions, "-d", name)
    counts = f"{found['questions']} questions, {found['answerable']} with an answer"
    figures = []
    for metric in SHOWN:
        value = found["metrics"].get(metric)
        if value is not None:
            said = ", ".join(filter(None, (counts, interval_of(found, metric))))
            figures.append(Figure(f"generated, {name}: {metric}", value, detail=said))
    return Report(figures, notes_of(found, name))


def main() -> None:
    """Measure each folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=50, help="of each folder")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        for name in DEMO:
            found = report_of(Path(scratch) / "home", name, options.questions)
            report = report.with_more(found)
    show(report, options.json)


if __name__ == "__main__":
    main()
