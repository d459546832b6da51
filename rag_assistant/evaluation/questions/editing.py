"""Changing a question set one question at a time; the other lines stay as a person wrote them.

Only sets of JSON lines can be changed so, and only where every line of them can be used: nothing
is lost that could not be read.
"""

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.json_lines import read_json_lines
from rag_assistant.evaluation.questions.text_files import bytes_of
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.questions.writing import question_json, write_lines

_BY_HAND = "Change it in an editor."


def reword(path: Path, id: str, text: str) -> None:
    """Give a question other words. Raises QuestionSetError."""
    if not text.strip():
        raise QuestionSetError("A question needs words.", hint="Write some, or remove it.")
    lines, questions = _read(path)
    place = _place(path, questions, id)
    values = json.loads(lines[place])
    key = next((k for k, v in values.items() if _is_text(v, questions[place].text)), "")
    if not key:
        raise QuestionSetError(f"The words of {id} stand in no field of their own.", hint=_BY_HAND)
    lines[place] = json.dumps({**values, key: text.strip()}, ensure_ascii=False)
    write_lines(path, lines)


def remove(path: Path, id: str) -> None:
    """Take a question out; the last one stays. Raises QuestionSetError."""
    lines, questions = _read(path)
    del lines[_place(path, questions, id)]
    if not lines:
        raise QuestionSetError("It is the only question.", hint="Remove the file instead.")
    write_lines(path, lines)


def add(path: Path, text: str, document: str = "") -> Question:
    """Put a question at the end, with the document that answers it; without one none does.

    Raises QuestionSetError.
    """
    if not text.strip():
        raise QuestionSetError("A question needs words.", hint="Write some.")
    lines, questions = _read(path)
    taken = {question.id for question in questions}
    id = next(f"own-{number}" for number in count(1) if f"own-{number}" not in taken)
    relevant = {document.strip(): 1} if document.strip() else {}
    databases = questions[0].databases if len({q.databases for q in questions}) == 1 else ()
    made = Question(
        id, text.strip(), relevant=relevant, answerable=bool(relevant), databases=databases
    )
    write_lines(path, [*lines, json.dumps(question_json(made), ensure_ascii=False)])
    return made


def _is_text(value: object, text: str) -> bool:
    return isinstance(value, str) and " ".join(value.split()) == " ".join(text.split())


def _read(path: Path) -> tuple[list[str], Sequence[Question]]:
    if path.suffix.lower() not in (".jsonl", ".json") or not path.is_file():
        raise QuestionSetError(f"{path.name} is no file of JSON lines.", hint=_BY_HAND)
    data = bytes_of(path)
    read = read_json_lines(path, data)
    if read.bad_lines:
        bad = read.bad_lines[0]
        reason = f"Line {bad.line} of {path.name} cannot be used: {bad.reason}."
        raise QuestionSetError(reason, hint=_BY_HAND)
    lines = [line for line in data.decode("utf-8-sig").split("\n") if line.strip()]
    if len(lines) != len(read.questions):
        raise QuestionSetError(f"{path.name} is not one question a line.", hint=_BY_HAND)
    return [line.strip() for line in lines], read.questions


def _place(path: Path, questions: Sequence[Question], id: str) -> int:
    for place, question in enumerate(questions):
        if question.id == id:
            return place
    raise QuestionSetError(f"{path.name} has no question {id} any more.", hint="Open it again.")
