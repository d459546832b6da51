"""What a run is made with: the models, the state of the indexes, versions, the machine."""

import json
import os
import platform
import sqlite3
from collections.abc import Sequence
from hashlib import sha256

from rag_assistant import __version__
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.runs.encoding import plain_json
from rag_assistant.evaluation.runs.header import IndexStamp
from rag_assistant.library.library import Library


def versions() -> dict[str, str]:
    """Give the versions of what ranks and stores."""
    return {
        "rag-assistant": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def machine() -> str:
    """Say in a few words what latencies were measured on."""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.release()} {platform.machine()}"


def set_digest(questions: Sequence[Question]) -> str:
    """Give a digest of questions and of all that is right for them."""
    whole = json.dumps([plain_json(question) for question in questions], sort_keys=True)
    return sha256(whole.encode()).hexdigest()[:16]


def stamps(library: Library, questions: Sequence[Question]) -> tuple[IndexStamp, ...]:
    """Give the state of each database that is asked. Raises LibraryError."""
    names = dict.fromkeys(name for question in questions for name in question.databases)
    return tuple(stamp(library, name) for name in names)


def stamp(library: Library, name: str) -> IndexStamp:
    """Give the state of a database. Raises LibraryError."""
    database = library.database(name)
    figures = database.figures()
    return IndexStamp(name, figures.folder, figures.entries, figures.passages, database.digest())
