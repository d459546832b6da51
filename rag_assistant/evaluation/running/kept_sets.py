"""The question sets that are known, and what their last two runs say of each question."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rag_assistant.errors import QuestionSetError, RagError
from rag_assistant.evaluation.measuring.measured import asked_of
from rag_assistant.evaluation.measuring.verdicts import Verdict, verdict_of
from rag_assistant.evaluation.questions.addressing import QUESTIONS_SUFFIX
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.library.library import Library

MADE_HERE = "questions"
"""The folder of the home directory with the sets that were made in the interface."""


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run that is done: its number, when it ended (seconds since 1970), and what it says."""

    number: int
    at: float
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class LastRuns:
    """The last run of a question set and the one before, as far as there are any."""

    last: JudgedRun | None = None
    before: JudgedRun | None = None


def last_runs(store: RunStore, questions: Path) -> LastRuns:
    """Read the last runs of a question set that are done; one that cannot be read counts not."""
    return LastRuns(*islice(_judged_runs(store, questions), 2))


def _judged_runs(store: RunStore, questions: Path) -> Iterator[JudgedRun]:
    for header in store.of_set(questions):
        if header.ended is None:
            continue
        try:
            kept = store.read(header.number)
        except QuestionSetError:  # `eval report` says what is wrong with it
            continue
        asked = asked_of(kept, with_rankings=False)
        yield JudgedRun(header.number, header.ended, tuple(map(verdict_of, asked)))


def known_sets(library: Library) -> tuple[Path, ...]:
    """Give the question sets made here, those by the indexed folders, those run before."""
    found: dict[Path, None] = {}
    run_before = (Path(header.set_path) for header in RunStore(library.home).headers())
    made_here = sorted((library.home / MADE_HERE).glob("*.jsonl"))
    for path in (*made_here, *_beside_folders(library), *run_before):
        if path.exists():
            found.setdefault(path)
    return tuple(found)


def _beside_folders(library: Library) -> Iterator[Path]:
    for name in library.names():
        try:
            folder = Path(library.database(name).folder())
        except RagError:  # a damaged database is told of elsewhere
            continue
        yield folder.parent / f"{folder.name}{QUESTIONS_SUFFIX}.jsonl"
        yield folder / "questions.jsonl"
