"""`rag-assistant eval run` and `resume`: ask the questions, show the report, hold the gates."""

import asyncio
import shutil
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from rag_assistant.cli.eval_gates import Gates, gates_of
from rag_assistant.cli.eval_runs import number_of
from rag_assistant.cli.main import Exit
from rag_assistant.cli.permission import terminal_permit
from rag_assistant.cli.progress_bar import drawn_bar
from rag_assistant.cli.session import (
    assistant_of,
    home_of,
    print_json,
    print_text,
    say,
)
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.reports.as_json import report_json
from rag_assistant.evaluation.reports.table import report_table
from rag_assistant.evaluation.reports.writing import check_outputs, write_reports
from rag_assistant.evaluation.running.budget import EvaluationBudget
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.running import DOING, RunProgress
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.tools.permission import Decision, PermissionRequest, Permit


def run_questions(options: Namespace) -> int:
    """Ask the questions of a file or folder."""
    outputs = [*options.report, *([options.run] if options.run else [])]
    check_outputs(outputs, trec={options.run}, ranked=options.mode in ("search", "all"))
    gates = gates_of(options, RunStore(home_of(options)), Path(options.questions))
    report = asyncio.run(_evaluated(options, None))
    return _told(report, options, outputs, gates)


def resume_run(options: Namespace) -> int:
    """Go on with a run that was broken off."""
    check_outputs(options.report)
    store = RunStore(home_of(options))
    number = number_of(store, options.number, unfinished=True)
    gates = gates_of(options, store, Path(store.header(number).set_path))
    report = asyncio.run(_evaluated(options, number))
    return _told(report, options, options.report, gates)


async def _evaluated(options: Namespace, number: int | None) -> Report:
    assistant = assistant_of(options)
    model = options.model if number is None else _model_of(options, number)
    # Another model's answers are no measure of this one's.
    assistant.config = replace(assistant.config, fallback=False)
    if model:
        assistant.config = replace(assistant.config, model=model)
    with _evaluation_bar() as bar:
        permit = bar.asking(terminal_permit(options.allow))
        evaluation = Evaluation(assistant, tell=bar.show, remark=say, permit=permit)
        try:
            if number is not None:
                return await evaluation.resume(number, _budget(options))
            return await evaluation.run(Path(options.questions), _wishes(options))
        except BaseException:
            if bar.run:
                say(
                    f"What is done is kept as run {bar.run}."
                    f" Go on: rag-assistant eval resume {bar.run}"
                )
            raise
        finally:
            await assistant.aclose()


def _model_of(options: Namespace, number: int) -> str:
    """Give the model that a run asks, which may not be the configured one."""
    return RunStore(home_of(options)).header(number).settings.model


def _wishes(options: Namespace) -> EvaluationOptions:
    return EvaluationOptions(
        mode=options.mode,
        databases=tuple(options.databases or ()),
        judge=options.judge or "",
        depth=options.depth,
        seed=options.seed,
        ranking=Path(options.ranking) if options.ranking else None,
        qrels=Path(options.qrels) if options.qrels else None,
        split=options.split,
        anew=options.anew,
        budget=_budget(options),
    )


def _budget(options: Namespace) -> EvaluationBudget:
    return EvaluationBudget(
        getattr(options, "at_once", 0), options.max_cost, options.max_tokens, options.max_minutes
    )


def _told(report: Report, options: Namespace, outputs: Sequence[str], gates: Gates) -> int:
    """Show a report, write it where that is wanted, and hold it against the gates."""
    try:
        for path in write_reports(report, outputs, trec={getattr(options, "run", None)}):
            say(f"Written: {path}")
    finally:  # what was asked and paid for is shown, whatever a disk says
        if options.json:
            print_json(report_json(report))
        else:
            print_text(report_table(report, shutil.get_terminal_size().columns))
    if report.header.ended is None:
        number = report.header.number
        say(f"Run {number} has not ended, and counts as failed: rag-assistant eval resume {number}")
    checks = list(gates.checks(report))
    for check in checks:
        say(f"{'Holds' if check.holds else 'FAILS'}: {check.line}")
    holds = all(check.holds for check in checks)
    return Exit.DONE if holds and report.header.ended is not None else Exit.FAILED


@dataclass(slots=True)
class _Bar:
    """Hears of progress; `run` is the number that what is done is kept under, 0 before there is.

    `away` takes the bar off the terminal for a while.
    """

    draw: Callable[[RunProgress], None]
    away: Callable[[], AbstractContextManager[None]] = nullcontext
    run: int = 0

    def show(self, progress: RunProgress) -> None:
        """Draw how far it is."""
        self.run = progress.run
        self.draw(progress)

    def asking(self, permit: Permit) -> Permit:
        """Let a person be asked without the bar drawing over the question."""

        async def asked(request: PermissionRequest) -> Decision:
            with self.away():
                return await permit(request)

        return asked


@contextmanager
def _evaluation_bar() -> Iterator[_Bar]:
    """Draw how far an evaluation is."""
    with drawn_bar(time_left=True) as bar:
        if bar is None:
            yield _Bar(lambda _: None)
            return
        tasks = {stage: bar.add_task(DOING[stage], visible=False, state="") for stage in DOING}

        def draw(progress: RunProgress) -> None:
            bar.update(
                tasks[progress.stage],
                total=progress.total,
                completed=progress.done,
                visible=True,
                state=f"cost {progress.cost:.4f}" if progress.cost else "",
            )

        @contextmanager
        def away() -> Iterator[None]:
            bar.stop()
            try:
                yield
            finally:
                bar.start()

        yield _Bar(draw, away)
