"""Question sets written as JSON lines, which read back to the same questions."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.json_lines import read_json_lines
from rag_assistant.evaluation.questions.values import Question, document_id
from rag_assistant.files.moving import move


def write_questions(path: Path, questions: Sequence[Question], *, replacing: bool = False) -> None:
    """Write a question set as JSON lines; an existing file is replaced only where it is told to.

    It is written whole or not at all. Raises QuestionSetError where the file exists or cannot be
    written, or where a question could not be read back as it is.
    """
    lines = [json.dumps(question_json(question), ensure_ascii=False) for question in questions]
    try:
        data = "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError as error:
        raise _unreadable(path, "a text holds half a character (a lone surrogate)") from error
    read = read_json_lines(path, data)
    if read.bad_lines:
        raise _unreadable(path, f"question {read.bad_lines[0].line}: {read.bad_lines[0].reason}")
    for question, again in zip(questions, read.questions, strict=True):
        if _composed(question) != again:
            raise _unreadable(path, f"the question {question.id!r} has values that are none")
    try:
        if path.exists() and not replacing:
            raise QuestionSetError(
                f"{path} exists already.", hint="Give another name, or replace it: `--force`."
            )
        _write_whole(path, data)
    except OSError as error:
        raise _unwritable(path, error) from error


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write lines that are questions in the place of a file, whole or not at all.

    Raises QuestionSetError.
    """
    try:
        _write_whole(path, "".join(f"{line}\n" for line in lines).encode())
    except UnicodeEncodeError as error:
        raise _unreadable(path, "a text holds half a character (a lone surrogate)") from error
    except OSError as error:
        raise _unwritable(path, error) from error


def question_json(question: Question) -> dict[str, object]:
    """Give a question as the object that stands for it in a file, without what is not known of it.

    What a person has to see first stands first: the id, the question, and by what it was made.
    """
    grades = dict(question.relevant)
    plain = all(grade == 1 for grade in grades.values())
    databases = list(question.databases)
    values = {
        "id": question.id,
        "question": question.text,
        "generated": question.generated,
        "kind": question.kind,
        "database": databases[0] if len(databases) == 1 else databases,
        "relevant": list(grades) if plain else grades,
        "quotes": list(question.quotes),
        "starts": list(question.starts),
        "answers": list(question.answers),
        "without": list(question.without),
    }
    told: dict[str, object] = {key: value for key, value in values.items() if value}
    return told if question.answerable else {**told, "answerable": False}


def _composed(question: Question) -> Question:
    """Give a question with its documents named as they are when it is read."""
    return replace(
        question,
        relevant={document_id(name): grade for name, grade in question.relevant.items()},
        without=tuple(map(document_id, question.without)),
    )


def _unreadable(path: Path, reason: str) -> QuestionSetError:
    return QuestionSetError(
        f"{path} is not written: {reason[:300]}.", hint="Change or leave it out."
    )


def _unwritable(path: Path, error: OSError) -> QuestionSetError:
    return QuestionSetError(
        f"{path} cannot be written: {error.strerror or error}.", hint="Give another path."
    )


def _write_whole(path: Path, data: bytes) -> None:
    """Write beside the file and put it in its place in one step."""
    beside = path.with_name(f".{path.name[:50]}.{os.getpid()}.part")
    try:
        with beside.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        move(beside, path)
    finally:
        beside.unlink(missing_ok=True)
