"""What questions are worth that `eval init` makes of the demo folders, without a model.

Search should find the document that a question was made of, and not as easily as by its own words;
a set is of use where it tells the ranking from that of FTS5 alone. Nothing was tuned on these
questions.
"""

import argparse
import json
from pathlib import Path

from scripts.benchmarks.evaluation.plain_ranking import write_plain_ranking
from scripts.benchmarks.shared.figures import Figure, Report, joined
from scripts.benchmarks.shared.places import CORPORA, DEMO
from scripts.benchmarks.shared.program import evaluated, interval_of, notes_of, program

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


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let their number be chosen."""
    parser.add_argument("--questions", type=int, default=200, help="of each folder")


def measured(options: argparse.Namespace) -> Report:
    """Measure each folder."""
    home = options.scratch / "home"
    return joined(report_of(home, name, options.questions) for name in DEMO)
