"""What an evaluation costs beside what it measures, as ratios within one run.

A run in search mode against its bare searches; the report and its page against the time that the
questions took; the questions that are asked twice when a run is killed (kill -9) at random moments
and gone on with; and what `search` loads of all this.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.evaluation.measuring.measured import report_of
from rag_assistant.evaluation.reports.page import report_page
from rag_assistant.evaluation.running import evaluate
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.searching import searched
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.evaluation.runs.outcomes import STAGES, SearchOutcome
from rag_assistant.evaluation.runs.store import OUTCOMES, KeptRun, RunStore
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from scripts.benchmarks.shared.figures import Figure, Report, joined, table
from scripts.benchmarks.shared.places import CORPORA
from scripts.benchmarks.shared.program import FRESH
from scripts.benchmarks.shared.synthetic_text import Language
from scripts.benchmarks.shared.timing import timed

COLLECTION = "synthetic"
SEARCHES = EvaluationOptions(mode="search")
SEED = 1


def write_collection(folder: Path, passages: int, questions: int) -> list[str]:
    """Write a collection in the layout of BEIR; give its questions. What is judged is of no use."""
    language = Language(SEED, 20_000, 200)
    (folder / "qrels").mkdir(parents=True)
    lines = "".join(passage.line() for passage in language.passages(passages))
    (folder / "corpus.jsonl").write_text(lines, encoding="utf-8")
    texts = list(language.questions(questions, passages))
    asked = [json.dumps({"_id": f"q{n}", "text": text}) + "\n" for n, text in enumerate(texts)]
    (folder / "queries.jsonl").write_text("".join(asked), encoding="utf-8")
    judged = [f"q{n}\t{n % passages}\t1\n" for n in range(questions)]
    head = "query-id\tcorpus-id\tscore\n"
    (folder / "qrels" / "test.tsv").write_text(head + "".join(judged), encoding="utf-8")
    return texts


def evaluation_of(home: Path) -> Evaluation:
    """Give an evaluation of the library in a home, with the built-in model."""
    return Evaluation(Assistant(Library(home), Config(), {}))


def cost_of_running(scratch: Path, passages: int, questions: int, rounds: int) -> Report:
    """Compare runs in search mode with the bare searches, in turn."""
    folder, home = scratch / COLLECTION, scratch / "home"
    texts = write_collection(folder, passages, questions)
    library = Library(home)
    asyncio.run(evaluation_of(home).run(folder, SEARCHES))  # indexes, and warms up
    databases = library.databases([COLLECTION])

    def bare() -> None:
        for text in texts:
            search_databases(databases, text, SEARCHES.depth)

    def whole() -> None:
        asyncio.run(evaluation_of(home).run(folder, replace(SEARCHES, anew=True)))

    took = [(timed(bare)[1], timed(whole)[1]) for _ in range(rounds)]
    by_clock = statistics.median(ours.wall / theirs.wall for theirs, ours in took)
    by_cpu = statistics.median(ours.cpu / theirs.cpu for theirs, ours in took)
    each = statistics.median(theirs.wall for theirs, _ in took) * 1000 / questions
    detail = f"processor time; by the clock {by_clock:.2f}; a bare search takes {each:.0f} ms"
    name = f"eval of {questions:,} questions, search mode, over its bare searches"
    return Report([Figure(name, by_cpu, goal="<= 1.2", detail=detail)])


def cost_of_reporting(scratch: Path, sizes: list[int]) -> Report:
    """Measure reports and pages of the demo questions, taken as often as it needs."""
    run = demo_run(scratch)
    asking = sum(one.traffic.elapsed_ms for one in run.outcomes) / 1000 / len(run.questions)
    rows, figures = [], []
    for size in sizes:
        many = repeated(run, size)
        report, reporting = timed(partial(report_of, many))
        page, paging = timed(partial(report_page, report))
        share = (reporting.wall + paging.wall) / (asking * size)
        megabytes = len(page.encode()) / 1e6
        cells = (reporting.wall, paging.wall, asking * size, megabytes)
        rows.append([f"{size:,}", *(f"{cell:.1f}" for cell in cells)])
        name = f"report and page of {size:,} questions, of the time to ask them"
        figures.append(Figure(name, share, goal="<= 0.2", detail=f"a page of {megabytes:.1f} MB"))
    head = ("questions, all stages", "report, s", "page, s", "asking, s", "page, MB")
    return Report(figures, [table(head, rows)])


def demo_run(scratch: Path) -> KeptRun:
    """Ask the questions of a demo folder, all stages, and give what is kept."""
    home = scratch / "demo-home"
    Library(home).index(CORPORA / "handbook")
    report = asyncio.run(evaluation_of(home).run(CORPORA / "handbook.questions.jsonl"))
    assert report.header.settings.stages == STAGES
    return RunStore(home).read(report.header.number)


def repeated(run: KeptRun, size: int) -> KeptRun:
    """Give a run of `size` questions that are those of `run` over and over, each with an own id."""
    times = range(-(-size // len(run.questions)))
    questions = [replace(one, id=f"{one.id}#{n}") for n in times for one in run.questions][:size]
    kept = {one.id for one in questions}
    outcomes = (
        replace(one, question_id=f"{one.question_id}#{n}") for n in times for one in run.outcomes
    )
    held = tuple(one for one in outcomes if one.question_id in kept)
    return replace(run, questions=tuple(questions), outcomes=held)


def ask_and_note(home: Path, folder: Path, log: Path) -> None:
    """Evaluate, and note each question in `log` when it is asked."""

    def noted(*given: Any, **named: Any) -> SearchOutcome:
        with log.open("a", encoding="utf-8") as out:
            out.write(f"{given[1].id}\n")
        return searched(*given, **named)

    with patch.object(evaluate, "searched", noted):
        asyncio.run(evaluation_of(home).run(folder, SEARCHES))


def asked_in(log: Path) -> list[str]:
    """Give the questions that were asked, in order."""
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def kills(scratch: Path, passages: int, questions: int, count: int) -> Report:
    """Kill a run at random moments, go on with it, and count what was asked twice."""
    folder, home, log = scratch / "killed", scratch / "killed-home", scratch / "asked.log"
    write_collection(folder, passages, questions)
    chance = random.Random(SEED)

    def going_on() -> BaseProcess:
        return FRESH.Process(target=ask_and_note, args=(home, folder, log))

    died = sum(killed(going_on(), log, len(asked_in(log)), chance) for _ in range(count))
    last = going_on()
    last.start()
    last.join()
    assert last.exitcode == 0, last.exitcode
    asked, store = asked_in(log), RunStore(home)
    number = store.numbers()[0]
    lines = (store.folder / str(number) / OUTCOMES).read_text(encoding="utf-8").splitlines()
    run = store.read(number)
    twice = len(asked) - len(set(asked))
    wrong = max(0, twice - died) + abs(questions - len(lines)) + (len(store.numbers()) - 1)
    detail = (
        f"{questions} questions, {twice} asked twice, one at most in flight at each kill; "
        f"{len(lines)} outcomes kept, {len(run.outcomes)} of them read"
    )
    name = f"{died} kills of an evaluation: questions asked again, lost or kept twice, runs begun"
    return Report([Figure(name, wrong, goal="<= 0", detail=detail)])


def killed(process: BaseProcess, log: Path, before: int, chance: random.Random) -> bool:
    """Start the run, kill it after some questions; say whether it was still running."""
    until = before + chance.randint(1, 25)
    process.start()
    while process.is_alive() and len(asked_in(log)) < until:
        time.sleep(0.002)
    time.sleep(chance.random() * 0.03)
    running = process.is_alive()
    process.kill()
    process.join()
    return running


def loaded_by_search(scratch: Path) -> Report:
    """Count the modules of the evaluation that a search loads."""
    code = (
        "import sys\nfrom rag_assistant.cli.main import main\n"
        f"main(['--home', {str(scratch / 'none')!r}, 'search', 'x'])\n"
        "print(sum(name.startswith('rag_assistant.evaluation') for name in sys.modules))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    count = int(done.stdout.splitlines()[-1])
    return Report([Figure("modules of the evaluation that a search loads", count, goal="<= 0")])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 5_000])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--killed-questions", type=int, default=400)


def measured(options: argparse.Namespace) -> Report:
    """Measure one thing after the other."""
    scratch = options.scratch
    return joined(
        [
            cost_of_running(scratch, options.passages, options.questions, options.rounds),
            cost_of_reporting(scratch, options.sizes),
            kills(scratch, 500, options.killed_questions, options.kills),
            loaded_by_search(scratch),
        ]
    )
