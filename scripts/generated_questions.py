"""Measure what questions are worth that `eval init` makes of the demo folders, without a model:

    .venv/bin/python scripts/generated_questions.py

Search should find the document that a question was made of, and not as easily as by its own words;
a set is of use where it tells the ranking from that of FTS5 alone. Nothing was tuned on these
questions.
"""

import argparse
import json
import tempfile
from pathlib import Path

from answer_quality import CORPORA, DEMO
from figures import Figure, Report, show
from plain_ranking import write_plain_ranking
from program import evaluated, interval_of, notes_of, program

COMPARED = ("nDCG@10", "MRR@10", "found@10")
SHOWN = ("found@10", "MRR@10", "nDCG@10", "quote_recall", "refusal_precision", "refusal_recall")


def report_of(home: Path, name: str, count: int) -> Report:
    """Make questions of a folder, and ask them."""
    program(home, "index", str(CORPORA / name))
    questions = home / f"{name}.questions.jsonl"
    program(home, "eval", "init", "-d", name, "-n", str(count), "-o", str(questions))
    plain = home / f"{name}.plain.trec"
    write_plain_ranking(home / f"{name}.db", questions, plain)
    evaluated(home, questions, "-d", name, "--mode", "search", "--ranking", str(plain))
    found = evaluated(home, questions, "-d", name)
    counts = f"{found['questions']} questions, {found['answerable']} with an answer"
    figures = []
    for metric in SHOWN:
        value = found["metrics"].get(metric)
        if value is not None:
            said = ", ".join(filter(None, (counts, interval_of(found, metric))))
            figures.append(Figure(f"generated, {name}: {metric}", value, detail=said))
    told = json.loads(program(home, "eval", "compare", "before", "last", "--json"))
    for metric in COMPARED:
        one = told["metrics"][metric]
        detail = f"plain FTS5 {one['before']:.3f}, p {one['p']:.4f}"
        detail += f", {one['better']} better, {one['worse']} worse"
        figures.append(
            Figure(f"generated, {name}: {metric} over FTS5", one["difference"], detail=detail)
        )
    return Report(figures, notes_of(found, name))


def main() -> None:
    """Measure each folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200, help="of each folder")
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
