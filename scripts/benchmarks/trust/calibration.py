"""How the assistant knows when not to answer, on questions whose answer is known.

The demo questions (odd lines for tuning, even ones reported) and COVID-QA (the first 700 for
tuning, the rest reported) are asked of their databases; of the same without the documents that
hold the answer; and of databases on other subjects. The built-in model answers; models in words of
their own are judged in `judge.py`. An answer is right when what it cites holds a reference quote or
answer. --fit prints the constants of `rag_assistant/claims/confidence.py`, from the tuning part
alone.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.evaluation.measuring.wording import bears_out
from rag_assistant.library.contents import files_of, names_of
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.evidence import Answer, Citation
from rag_assistant.values.scope import Scope, Wanted
from rag_assistant.verification.signals import look
from scripts.benchmarks.shared.asking import answer_of, library_in
from scripts.benchmarks.shared.figures import Report
from scripts.benchmarks.shared.places import DEMO, FOR_CHOOSING, demo_lines, read_lines
from scripts.benchmarks.shared.timing import seconds_of
from scripts.benchmarks.trust.calibration_tables import Observed, fitted, reported

EACH_ELSEWHERE = 4
"""Of so many questions of COVID-QA one is asked of the demo databases as well."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question of a collection, asked of `wanted`; what is right there, if anything is.

    `kind` is "answerable", "near" (of the same subject, and not there), "left out" (the documents
    that hold it are) or "elsewhere" (asked of databases on other subjects).
    """

    collection: str
    tunes: bool
    kind: str
    question: str
    wanted: tuple[Wanted, ...]
    quotes: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


def demo_cases(library: Library, others: Sequence[str]) -> Iterator[Case]:
    """Ask the demo questions."""
    for name in DEMO:
        paths = [file.path for file in files_of(library.database(name))]
        for place, asked in enumerate(demo_lines(name)):
            case = Case("demo", place % 2 == 0, "near", asked["question"], (name,))
            if asked["answerable"]:
                quotes, answers = tuple(asked["quotes"]), tuple(asked["answers"])
                yield replace(case, kind="answerable", quotes=quotes, answers=answers)
                rest = tuple(path for path in paths if path not in asked["relevant"])
                case = replace(case, kind="left out", wanted=(Scope(name, rest),))
            yield case
            elsewhere = tuple(other for other in DEMO if other != name)
            yield replace(case, kind="elsewhere", wanted=elsewhere)
            if others and place % EACH_ELSEWHERE < 2:
                yield replace(case, kind="elsewhere", wanted=tuple(others))


def covid_cases(library: Library, folder: Path, every: int) -> Iterator[Case]:
    """Ask every so many questions of COVID-QA."""
    ids = {name.key: name.id for name in names_of(library.database("covidqa"))}
    for place, asked in list(enumerate(read_lines(folder / "questions.jsonl")))[::every]:
        tunes, quotes = place < FOR_CHOOSING, tuple(asked["quotes"])
        case = Case("COVID-QA", tunes, "answerable", asked["question"], ("covidqa",), quotes)
        yield case
        left = ids.keys() - {str(one) for one in asked["relevant"]}
        rest = Scope("covidqa", entries=tuple(sorted(ids[key] for key in left)))
        yield replace(case, kind="left out", wanted=(rest,), quotes=())
        if place // every % EACH_ELSEWHERE == 0:
            yield replace(case, kind="elsewhere", wanted=DEMO, quotes=())


def observed(home: Path, case: Case) -> Observed:
    """Let the built-in model answer, and see what there was to judge it by."""
    library = Library(home)
    asking = answer_of(Assistant(library, Config(), {}), case.question, case.wanted)
    answer = asyncio.run(asking)
    citations = answer.refusal.citations if answer.refusal else answer.citations
    cited = [citation.item.quote for citation in citations]
    databases = library.databases(list(case.wanted))
    return Observed(
        case.collection,
        case.tunes,
        case.kind,
        "built-in",
        case.question,
        right=bears_out(cited, case.quotes, case.answers),
        cites=bool(citations),
        values={signal.name: signal.value for signal in answer.signals},
        judging_ms=_seconds_to_look(answer, citations, databases) * 1000,
        run_ms=answer.elapsed_ms,
    )


def _seconds_to_look(
    answer: Answer, citations: tuple[Citation, ...], databases: Sequence[Database]
) -> float:
    """Time what judging takes: the rest of it is a sum."""
    cited = replace(answer, citations=citations)
    return seconds_of(partial(look, cited, databases, RunCache()))


def observe(folder: Path, options: argparse.Namespace) -> list[Observed]:
    """Index the collections and ask everything, or so many of all cases."""
    library = library_in(options.scratch, folder)
    there = "covidqa" in library.names()
    cases = list(demo_cases(library, ["covidqa"] if there else []))
    cases += covid_cases(library, folder, options.every) if there else []
    cases = cases[:: max(1, len(cases) // options.cases)]
    with ProcessPoolExecutor(options.processes) as pool:
        return list(pool.map(partial(observed, library.home), cases, chunksize=8))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the constants be fitted, and what was observed be kept."""
    parser.add_argument("--fit", action="store_true", help="print weights, from the tuning part")
    parser.add_argument("--without", nargs="*", default=[], help="signals to leave out of the fit")
    parser.add_argument("--every", type=int, default=2, help="take one of so many of COVID-QA")
    parser.add_argument("--cases", type=int, default=10**9, help="about so many of all, at most")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="a file to keep what was observed, or take it of")


def measured(options: argparse.Namespace) -> Report:
    """Ask, then fit or report."""
    folder, kept = options.data / "covidqa", options.kept
    if kept and kept.exists():
        seen = [Observed(**one) for one in json.loads(kept.read_text("utf-8"))]
    else:
        seen = observe(folder, options)
    if kept and not kept.exists():
        kept.write_text(json.dumps([one.as_json() for one in seen]), encoding="utf-8")
    missing = [] if (folder / "questions.jsonl").exists() else [f"no {folder}"]
    report = fitted(seen, options.without) if options.fit else reported(seen)
    return report.with_more(Report(skipped=missing))
