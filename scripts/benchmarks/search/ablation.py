"""What each stage of the ranking gains and costs, on collections in the BEIR layout.

A collection holds corpus.jsonl(.gz), queries.jsonl and qrels/*.tsv. It is indexed by the product.
For the base (words only), each stage beside it, all, and all without each: nDCG@10 and Recall@100
of 100 hits, and the milliseconds of CPU that the stages take for each query, without the rest.
"""

import argparse
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from rag_assistant.evaluation.measuring.ranking import ranking_measures
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.runs.outcomes import QuestionCost, RankedDocument, SearchOutcome
from rag_assistant.library.contents import names_of
from rag_assistant.library.library import Library
from rag_assistant.library.threads import Threads
from rag_assistant.search.pool import Pool, make_pool
from rag_assistant.search.query_terms import read_query
from rag_assistant.search.stages import QUESTION, Stage, contributions
from rag_assistant.search.together import bring_together
from scripts.benchmarks.shared.figures import Report, joined, table
from scripts.benchmarks.shared.places import absent, add_collections, unpack

LIMIT = 100


@dataclass(frozen=True, slots=True)
class Judged:
    """The pool of a query, the documents' ids in it, the grades, and the CPU time until here."""

    pool: Pool
    documents: Sequence[str]
    grades: Mapping[str, int]
    milliseconds: float


def judgements(folder: Path) -> list[tuple[str, Mapping[str, int]]]:
    """Read the queries that are judged, with the grades of documents."""
    return [(one.text, one.relevant) for one in read_questions(folder).questions]


def pools_of(
    folder: Path, questions: Iterable[tuple[str, Mapping[str, int]]], home: Path
) -> list[Judged]:
    """Index a folder and make the pools of questions, as ranking does."""
    library = Library(home)
    name = library.index(folder).database
    judged: list[Judged] = []
    database = library.database(name)
    keys = {one.id: one.key or one.path for one in names_of(database)}
    with closing(Threads([database])) as threads:
        for text, grades in questions:
            started = time.process_time()
            pool = make_pool(*bring_together(threads, read_query(text), LIMIT))
            elapsed = (time.process_time() - started) * 1000
            documents = [keys[extract.candidate.entry_id] for extract in pool.extracts]
            judged.append(Judged(pool, documents, grades, elapsed))
    return judged


def means(rankings: Sequence[tuple[Sequence[str], Mapping[str, int]]]) -> Mapping[str, float]:
    """Measure rankings, each with its grades, and give the mean of each measure."""
    outcomes = [
        SearchOutcome(
            str(n),
            tuple(RankedDocument(document, 0.0) for document in ranking),
            grades,
            QuestionCost(0),
        )
        for n, (ranking, grades) in enumerate(rankings)
    ]
    measured = list(ranking_measures(outcomes).values())
    return {name: fmean(one[name] for one in measured) for name in measured[0]} if measured else {}


def measure(judged: Sequence[Judged], stages: Sequence[Stage]) -> tuple[float, float, float]:
    """Give mean nDCG@10, mean Recall@100 and the stages' milliseconds for each query."""
    seconds = 0.0
    rankings: list[tuple[Sequence[str], Mapping[str, int]]] = []
    for one in judged:
        started = time.process_time()
        parts = contributions(one.pool, stages)
        scores = [sum(shares) for shares in zip(*parts.values(), strict=True)]
        order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
        seconds += time.process_time() - started
        rankings.append(([one.documents[index] for index in order[:LIMIT]], one.grades))
    found = means(rankings)
    return found["nDCG@10"], found["R@100"], seconds * 1000 / max(1, len(judged))


def rows() -> list[tuple[str, list[Stage]]]:
    """Give the combinations of stages that the table compares."""
    base, *rest = QUESTION
    combinations = [(f"{base.name} (base)", [base])]
    combinations += [(f"base + {stage.name}", [base, stage]) for stage in rest]
    combinations.append(("all", list(QUESTION)))
    combinations += [
        (f"all without {left.name}", [stage for stage in QUESTION if stage is not left])
        for left in QUESTION
    ]
    return combinations


def report_of(folder: Path, scratch: Path, most: int) -> Report:
    """Make the table of a collection."""
    if not (folder / "queries.jsonl").exists():
        return absent(folder)
    documents = unpack(folder, scratch / folder.name)
    judged = pools_of(documents, judgements(folder)[:most], scratch / "home")
    before = sum(one.milliseconds for one in judged) / max(1, len(judged))
    head = f"{folder.name}: {len(judged)} queries, {before:.0f} ms each before the stages"
    cells = []
    for name, stages in rows():
        gain, found, milliseconds = measure(judged, stages)
        cells.append([name, f"{gain:.4f}", f"{found:.4f}", f"{milliseconds:.1f}"])
    return Report(tables=[table((head, "nDCG@10", "R@100", "ms"), cells)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let collections be named, and fewer queries be asked."""
    add_collections(parser)
    parser.add_argument("--queries", type=int, default=10**9, help="of each collection, at most")


def measured(options: argparse.Namespace) -> Report:
    """Make a table for each collection."""
    return joined(
        report_of(options.data / name, options.scratch, options.queries)
        for name in options.collections
    )
