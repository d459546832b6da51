"""Whether an answer is judged by what was read: models of known kinds, played without a network.

`perfect` says the right words and cites them, `rewording` says them otherwise, `altering` changes
one thing, `beside` cites true words of the wrong place, `refusing` says that nothing was found. All
are asked over the demo folders, COVID-QA and SQuAD; --fit prints the weights of
`rag_assistant/verification/answer_confidence.py`, from the tuning part alone.
"""

import argparse
import asyncio
import json
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.support import Support
from scripts.benchmarks.shared.asking import answer_of, library_in
from scripts.benchmarks.shared.figures import Report
from scripts.benchmarks.trust.judge_cases import (
    Asked,
    JudgeCase,
    asked_of_covid,
    asked_of_demo,
    asked_of_squad,
    cases_of,
    halved,
)
from scripts.benchmarks.trust.judge_tables import Judged, fitted, reported
from scripts.benchmarks.trust.scripted_models import RIGHT, ScriptedAssistant

DEEPEST = 50
"""Hits among which the place of the document that answers is looked for."""


def judged(home: Path, asked: Asked, *, deep_only: bool = False) -> list[Judged]:
    """Put a question to every kind of model, and see what became of the answers.

    `deep_only` asks `perfect` alone, and only where the right document does not rank first: few
    are so among the others, more where half of a question's words are all that is asked.
    """
    library = Library(home)
    hits = search_databases(library.databases([asked.database]), asked.question, DEEPEST).hits
    ranks = [hit.rank for hit in hits if asked.entry_id in (hit.entry_id, *hit.duplicates)]
    rank = ranks[0] if ranks else DEEPEST + 1
    if deep_only and rank == 1:
        return []
    chance = random.Random(f"{asked.collection} {asked.question}")
    cases = cases_of(library, asked, chance)
    chosen = (case for case in cases if case.kind == "perfect" or not deep_only)
    return [_judged(library, case, rank) for case in chosen]


def _judged(library: Library, case: JudgeCase, rank: int) -> Judged:
    assistant = ScriptedAssistant(library, case.script)
    answer = asyncio.run(answer_of(assistant, case.asked.question, case.wanted))
    states = [s.support for s in answer.sentences if s.support is not Support.NO_CLAIM]
    by_model = answer.refusal is not None and answer.refusal.by_model
    return Judged(
        case.asked.collection,
        case.asked.tunes,
        case.kind,
        case.form,
        case.asked.question,
        case.kind in RIGHT,
        rank,
        withheld=answer.refusal is not None and not by_model,
        by_model=by_model,
        hard=any(state.is_hard for state in states),
        soft=any(state.is_soft for state in states),
        confidence=answer.confidence,
        values={signal.name: signal.value for signal in answer.signals},
        text=case.script.text,
    )


def observe(options: argparse.Namespace) -> list[Judged]:
    """Index the collections, and ask what can be answered."""
    covid, squad = options.data / "covidqa", options.data / "squad"
    library = library_in(options.scratch, covid)
    asked = list(asked_of_demo(library))
    chosen = asked[:: options.every_demo]
    if "covidqa" in library.names():
        papers = [*asked_of_covid(library, covid)]
        asked, chosen = asked + papers, chosen + papers[:: options.every]
    if (squad / "questions.jsonl").exists():
        library.index(squad / "documents", name="squad")
        articles = [*asked_of_squad(library, squad)]
        asked, chosen = asked + articles, chosen + articles[:: options.every]
    others = [one for one in asked if one not in chosen and not one.tunes]
    others += [halved(one) for one in asked if not one.tunes]
    with ProcessPoolExecutor(options.processes) as pool:
        found = [*pool.map(partial(judged, library.home), chosen, chunksize=4)]
        deep = partial(judged, library.home, deep_only=True)
        found += pool.map(deep, others[:: options.every_deep], chunksize=4)
        return [one for some in found for one in some]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the weights be fitted, and what was observed be kept."""
    parser.add_argument("--fit", action="store_true", help="print weights, from the tuning part")
    parser.add_argument("--every", type=int, default=3, help="one of so many questions")
    parser.add_argument("--every-demo", type=int, default=1, help="of those of the demo folders")
    parser.add_argument("--every-deep", type=int, default=1, help="of those that rank below first")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="a file to keep what was observed, or take it of")


def _skipped(options: argparse.Namespace) -> Iterator[str]:
    for name in ("covidqa", "squad"):
        if not (options.data / name / "questions.jsonl").exists():
            yield f"no {options.data / name}"


def measured(options: argparse.Namespace) -> Report:
    """Ask, then fit or report."""
    kept = options.kept
    if kept and kept.exists():
        seen = [Judged(**line) for line in json.loads(kept.read_text("utf-8"))]
    else:
        seen = observe(options)
    if kept and not kept.exists():
        kept.write_text(json.dumps([one.as_json() for one in seen]), encoding="utf-8")
    report = fitted(seen) if options.fit else reported(seen)
    return report.with_more(Report(skipped=list(_skipped(options))))
