"""The runs that are compared, as a person names them: a number, `last`, `before`, or a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.figures import Figures, figures_of
from rag_assistant.evaluation.measuring.measured import report_of
from rag_assistant.evaluation.measuring.ranking import ranking_measures, why_no_measures
from rag_assistant.evaluation.measuring.report import MeasuredQuestion
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.measuring.verdicts import verdict_of
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.values import BadLine, Question
from rag_assistant.evaluation.reports.read_json import read_report
from rag_assistant.evaluation.runs.header import Header
from rag_assistant.evaluation.runs.outcomes import QuestionCost, SearchOutcome
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.evaluation.runs.trec_runs import TrecRun, read_run, unmatched

LAST, BEFORE = "last", "before"


@dataclass(frozen=True, slots=True)
class Judging:
    """What the rankings of TREC runs are judged by: a question set, and where its qrels are."""

    questions: Path | None = None
    qrels: Path | None = None


def figures_at(
    written: str, store: RunStore, judging: Judging = Judging(), of_set: Path | None = None
) -> Figures:
    """Give the figures of a run.

    `last` is the latest that is done (of a question set, where one is given), `before` the one
    before it of the same set and with a stage in common. Raises QuestionSetError where there is
    none, or it cannot be read.
    """
    if written in (LAST, BEFORE):
        headers = _latest(store, of_set)
        place = (LAST, BEFORE).index(written)
        if len(headers) <= place:
            which = "run that is done" if written == LAST else "run of the same questions before it"
            raise QuestionSetError(
                f"There is no {which} yet.", hint="List the runs: `rag-assistant eval runs`."
            )
        return figures_of(report_of(store.read(headers[place].number)))
    if written.isdecimal() and written.isascii():
        return figures_of(report_of(store.read(int(written))))
    path = Path(written)
    if not path.is_file():
        raise QuestionSetError(
            f"There is no run and no file {written}.",
            hint="List the runs: `rag-assistant eval runs`.",
        )
    return read_report(path) if path.suffix.lower() == ".json" else _ranked(path, judging)


def _latest(store: RunStore, of_set: Path | None) -> Sequence[Header]:
    """Give the latest run that is done and the earlier ones of its kind, the latest first."""
    headers = store.headers() if of_set is None else store.of_set(of_set)
    done = [header for header in headers if header.ended is not None]
    return [
        header
        for header in done
        if header.set_path == done[0].set_path
        and set(header.settings.stages) & set(done[0].settings.stages)
    ]


def _ranked(path: Path, judging: Judging) -> Figures:
    """Judge the ranking of a TREC run; a question it leaves out has found nothing."""
    if judging.questions is None:
        raise QuestionSetError(
            f"{path} is no report (.json), and a TREC run needs questions to be judged by.",
            hint="Give them: `--questions FILE`.",
        )
    found = read_questions(judging.questions, qrels=judging.qrels)
    run = read_run(path)
    outcomes = {
        question.id: SearchOutcome(
            question.id, run.rankings.get(question.id, ()), question.relevant, QuestionCost(0.0)
        )
        for question in found.questions
        if question.ranks
    }
    measures = ranking_measures(list(outcomes.values()))
    asked = [
        MeasuredQuestion(question, outcomes[question.id], None, None, measures.get(question.id, {}))
        for question in found.questions
        if question.id in outcomes
    ]
    names = dict.fromkeys(name for one in measures.values() for name in one)
    return Figures(
        str(path),
        None,
        {name: mean([one[name] for one in measures.values() if name in one]) for name in names},
        tuple(map(verdict_of, asked)),
        tuple(_remarks((*found.bad_lines, *run.bad_lines), run, found.questions)),
    )


def _remarks(
    bad_lines: Sequence[BadLine], run: TrecRun, questions: Sequence[Question]
) -> Iterator[str]:
    if why := why_no_measures():
        yield why
    for line in bad_lines:
        yield f"left out: {line.file}, line {line.line}: {line.reason}"
    yield from unmatched(run, questions)
