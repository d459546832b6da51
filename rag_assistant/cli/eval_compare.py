"""`rag-assistant eval compare`: two runs, question by question."""

import shutil
from argparse import Namespace
from pathlib import Path

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import home_of, print_json, print_text, say
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.comparing import Comparison, compare
from rag_assistant.evaluation.reports.compared_runs import Judging, figures_at
from rag_assistant.evaluation.reports.comparison import comparison_json
from rag_assistant.evaluation.reports.comparison_markdown import comparison_markdown
from rag_assistant.evaluation.reports.comparison_table import comparison_table
from rag_assistant.evaluation.runs.store import RunStore

SAMPLES = range(100, 1_000_001)
"""With fewer p is too coarse; each takes eight bytes for every metric."""


def run_eval_compare(options: Namespace) -> int:
    """Compare two runs; what was better, worse or noise is no failure."""
    if options.samples not in SAMPLES:
        few = options.samples < SAMPLES.start
        raise QuestionSetError(
            f"--samples {options.samples} is too {'few' if few else 'many'}.",
            hint=f"Give {SAMPLES.start:,} to {SAMPLES.stop - 1:,}.",
        )
    store = RunStore(home_of(options))
    judging = Judging(
        Path(options.questions) if options.questions else None,
        Path(options.qrels) if options.qrels else None,
    )
    before, now = (figures_at(written, store, judging) for written in options.runs)
    comparison = compare(
        before, now, metrics=options.metric, seed=options.seed, samples=options.samples
    )
    if options.md:
        _write(Path(options.md), comparison, options.rows)
    if options.json:
        print_json(comparison_json(comparison))
    else:
        width = shutil.get_terminal_size().columns
        print_text(comparison_table(comparison, width, options.rows))
    return Exit.DONE


def _write(path: Path, comparison: Comparison, rows: int) -> None:
    try:
        path.write_text(comparison_markdown(comparison, rows), encoding="utf-8")
    except OSError as error:
        raise QuestionSetError(
            f"{path} cannot be written: {error.strerror or error}.", hint="Give another path."
        ) from error
    say(f"Written: {path}")
