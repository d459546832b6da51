"""Question sets that lie among the documents they ask about, where a search finds the question
itself before any answer.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from rag_assistant.evaluation.questions.folders import CORPUS, files_of_set
from rag_assistant.evaluation.questions.naming import first_of
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.library.contents import files_of
from rag_assistant.library.library import Library


def found_as_documents(
    library: Library, questions: Sequence[Question], path: Path
) -> tuple[str, ...]:
    """Name the files of the set at `path` that addressed questions would find, and the way out."""
    files = [file.resolve() for file in files_of_set(path)]
    notes: list[str] = []
    for name in dict.fromkeys(name for question in questions for name in question.databases):
        database = library.database(name)
        folder = Path(database.folder())
        inside = {
            file.relative_to(folder.resolve()).as_posix()
            for file in files
            if file.is_relative_to(folder.resolve())
        }
        found = [file.path for file in files_of(database) if file.path in inside] if inside else []
        if found:
            notes.append(_told(name, folder, found))
    return tuple(notes)


def _told(database: str, folder: Path, found: Sequence[str]) -> str:
    named = first_of(found)
    only = (folder / CORPUS).is_file()
    rules = f"--include {CORPUS}" if only else " ".join(f"--exclude {_quoted(p)}" for p in found)
    command = f"rag-assistant index {shlex.quote(str(folder))} --name {database} {rules}"
    return f"{named} can be found as a document of {database}; to leave it out: {command}"


def _quoted(path: str) -> str:
    return shlex.quote(f"/{path}")
