"""The evaluation of a question set, from its file to the report; what a front end calls."""

import asyncio
import shlex
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.questions import Question, document_id, read_questions
from rag_assistant.evaluation.report import Mode, Report
from rag_assistant.evaluation.runner import (
    QUESTIONS_AT_ONCE,
    Progress,
    evaluate_answers,
    evaluate_search,
)
from rag_assistant.library.library import Library
from rag_assistant.library.names import name_for

QUESTIONS_SUFFIX = ".questions"
MOST_NAMED = 5
"""Documents that a note names."""


def _silently(_: Progress) -> None:
    return


async def evaluate(
    assistant: Assistant,
    path: Path,
    *,
    databases: Sequence[str] = (),
    mode: Mode = "search",
    on_progress: Callable[[Progress], None] = _silently,
) -> Report:
    """Put the questions of `path` to search, to the assistant, or to both, and measure.

    A question goes to `databases`; when none are named to its own; else to the one that the
    question set is named after: `handbook.questions.jsonl`, `handbook/questions.jsonl` and a BEIR
    folder `handbook` all belong to the database `handbook`. `on_progress` is called in the event
    loop. Raises QuestionSetError, LibraryError, ModelError.
    """
    found = read_questions(path)
    questions = _addressed(found.questions, databases, collection_of(path))
    library = assistant.library
    _check(library, questions, path, chosen=bool(databases))
    notes = await asyncio.to_thread(_unknown_documents, library, questions)
    search = answers = None
    if mode in ("search", "all"):
        loop = asyncio.get_running_loop()
        given_up = threading.Event()

        def tell(progress: Progress) -> None:
            if given_up.is_set():
                raise asyncio.CancelledError
            loop.call_soon_threadsafe(on_progress, progress)

        try:
            search = await asyncio.to_thread(evaluate_search, library, questions, on_progress=tell)
        finally:
            given_up.set()  # a thread cannot be cancelled, and would search to the end
    if mode in ("answer", "all"):
        at_once = _at_once(assistant.config)
        answers = await evaluate_answers(
            assistant, questions, at_once=at_once, on_progress=on_progress
        )
    return Report(path.name, mode, questions, search, answers, found.bad_lines, notes)


def _at_once(config: Config) -> int:
    """Models in this process gain nothing from company, and would be timed with their neighbours'
    work (measured: 83 ms for an answer that takes 16 ms alone)."""
    return 1 if {config.model, config.helper} <= {EXTRACTIVE, ""} else QUESTIONS_AT_ONCE


def collection_of(path: Path) -> Path:
    """Give the folder that a question set is about, whether or not it exists."""
    if path.is_dir():
        return path
    stem = path.stem.removesuffix(QUESTIONS_SUFFIX)
    return path.parent if stem == "questions" else path.parent / stem


def _name_of(folder: Path) -> str:
    """Give the name of the database that indexing `folder` makes."""
    return name_for(folder.resolve().name)


def _addressed(
    questions: Sequence[Question], databases: Sequence[str], collection: Path
) -> tuple[Question, ...]:
    """Give each question the databases it goes to."""
    default = (_name_of(collection),)
    chosen = tuple(databases)
    return tuple(replace(q, databases=chosen or q.databases or default) for q in questions)


def _check(library: Library, questions: Sequence[Question], path: Path, *, chosen: bool) -> None:
    """Find out before the first question that a database is missing, and what would mend it."""
    for name in dict.fromkeys(name for question in questions for name in question.databases):
        collection = collection_of(path)
        folder = collection if _name_of(collection) == name else path.parent / name
        try:
            library.database(name)
        except LibraryError as error:
            if chosen or not folder.is_dir():
                raise
            hint = f"Index its folder: rag-assistant index {shlex.quote(str(folder))}"
            raise LibraryError(error.message, hint=hint) from error


def _unknown_documents(library: Library, questions: Sequence[Question]) -> tuple[str, ...]:
    """Name the relevant documents that no search can find, since they would look like misses."""
    present: dict[str, set[str]] = {}
    unknown: dict[str, None] = {}
    for question in questions:
        for name in question.databases:
            if name not in present:
                entries = library.database(name).entries()
                present[name] = {
                    document_id(known) for entry in entries for known in (entry.path, entry.key)
                }
        held = set().union(*(present[name] for name in question.databases))
        unknown.update(dict.fromkeys(d for d in question.relevant if d not in held))
    if not unknown:
        return ()
    named = ", ".join(list(unknown)[:MOST_NAMED]) + (" …" if len(unknown) > MOST_NAMED else "")
    return (f"Not in the database, but said to be relevant: {named} ({len(unknown)} in all)",)
