"""Question sets: questions with the documents, quotes and answers that are right for them.

Read from JSON lines, or from a folder in the layout of BEIR. A line that cannot be used is
reported with its number and the reason, and the rest goes on.
"""

import json
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from rag_assistant.errors import QuestionSetError

_TEXTS = {"type": "array", "items": {"type": "string"}}
_GRADES = {"type": "object", "additionalProperties": {"type": "integer"}}
_ID = {"type": ["string", "integer"], "pattern": r"\S"}
_TEXT = {"type": "string", "pattern": r"\S"}

_QUESTION = Draft202012Validator(
    {
        "type": "object",
        "required": ["id", "question"],
        "properties": {
            "id": _ID,
            "question": _TEXT,
            "relevant": {"anyOf": [_TEXTS, _GRADES]},
            "quotes": _TEXTS,
            "answers": _TEXTS,
            "answerable": {"type": "boolean"},
            "database": _TEXT,
        },
    }
)
_BEIR_QUERY = Draft202012Validator(
    {"type": "object", "required": ["_id", "text"], "properties": {"_id": _ID, "text": _TEXT}}
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is right for it.

    `relevant` maps documents to grades; a document is named by its path relative to the indexed
    folder or by the collection's own id, and counts as relevant from grade 1 on. `quotes` are the
    words of the documents that hold the answer, `answers` are wordings of it, each of them right.
    `databases` are asked; when there are none, the evaluation chooses.
    """

    id: str
    text: str
    relevant: Mapping[str, int] = field(default_factory=dict)
    quotes: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answerable: bool = True
    databases: tuple[str, ...] = ()

    @property
    def ranks(self) -> bool:
        """Whether a ranking can be judged: the answer exists and it is known where."""
        return self.answerable and any(grade > 0 for grade in self.relevant.values())


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a question set that was left out; lines count from 1."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of a file or folder in order, and the lines that could not be used."""

    questions: tuple[Question, ...]
    bad_lines: tuple[BadLine, ...] = ()


def read_questions(path: Path) -> QuestionSet:
    """Read a question set: a file of JSON lines, or a BEIR folder.

    Raises QuestionSetError when there is none or it has no usable question.
    """
    return _read_beir(path) if path.is_dir() else _read_lines(path)


def document_id(name: str) -> str:
    """Give a document's name in the form that names are compared in.

    Unicode knows two spellings of "é"; file systems and editors do not agree on one.
    """
    return unicodedata.normalize("NFC", name)


def document_of(path: str, key: str, judged: Container[str]) -> str:
    """Give the name that judgements know an entry by.

    A record goes by its key, as in BEIR, unless the judgements name its file; a file by its path.
    """
    file = document_id(path)
    return file if not key or file in judged else document_id(key)


def _read_lines(path: Path) -> QuestionSet:
    bad: list[BadLine] = []
    questions: dict[str, Question] = {}
    for number, values in _objects(path, _QUESTION, bad):
        question = _question(values)
        if question.id in questions:
            bad.append(BadLine(path.name, number, f"the id {question.id!r} is taken already"))
            continue
        questions[question.id] = question
    return _checked(path, questions.values(), bad)


def _question(values: Mapping[str, Any]) -> Question:
    relevant = values.get("relevant", [])
    grades = relevant if isinstance(relevant, dict) else dict.fromkeys(relevant, 1)
    return Question(
        id=str(values["id"]),
        text=values["question"],
        relevant={document_id(name): grade for name, grade in grades.items()},
        quotes=tuple(values.get("quotes", ())),
        answers=tuple(values.get("answers", ())),
        answerable=values.get("answerable", True),
        databases=(values["database"],) if "database" in values else (),
    )


def _read_beir(folder: Path) -> QuestionSet:
    """Read `queries.jsonl` and `qrels/test.tsv`; queries without a judgement are left out.

    The layout: https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset
    """
    queries = folder / "queries.jsonl"
    if not queries.is_file():
        beside = folder.parent / f"{folder.absolute().name}.questions.jsonl"
        hint = f"Did you mean {beside}?" if beside.is_file() else "Give a file of JSON lines."
        raise QuestionSetError(f"The folder {folder} has no queries.jsonl.", hint=hint)
    bad: list[BadLine] = []
    grades = _read_qrels(folder / "qrels" / "test.tsv", bad)
    questions = [
        Question(str(values["_id"]), values["text"], grades[str(values["_id"])])
        for _, values in _objects(queries, _BEIR_QUERY, bad)
        if str(values["_id"]) in grades
    ]
    return _checked(folder, questions, bad)


def _read_qrels(path: Path, bad: list[BadLine]) -> dict[str, dict[str, int]]:
    """Read judgements: query id, document id and grade, with tabs between, under a header."""
    grades: dict[str, dict[str, int]] = {}
    for number, line in _lines(path, bad):
        cells = line.split("\t")
        try:
            query, document, grade = cells[0], cells[1], int(cells[2])
        except (IndexError, ValueError):
            if number > 1:
                reason = "not a query id, a document id and a whole number with tabs between"
                bad.append(BadLine(path.name, number, reason))
            continue
        grades.setdefault(query, {})[document_id(document)] = grade
    return grades


def _checked(path: Path, questions: Iterable[Question], bad: list[BadLine]) -> QuestionSet:
    found = QuestionSet(tuple(questions), tuple(bad))
    if found.questions:
        return found
    first = f" {bad[0].file}, line {bad[0].line}: {bad[0].reason}." if bad else ""
    raise QuestionSetError(
        f"{path} has no usable question.{first}",
        hint='Write one JSON object a line: {"id": "1", "question": "…", "relevant": ["a.md"]}',
    )


def _objects(
    path: Path, schema: Draft202012Validator, bad: list[BadLine]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the lines of a file as JSON objects of a schema; put those that are none into `bad`."""
    for number, line in _lines(path, bad):
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            bad.append(BadLine(path.name, number, f"not JSON: {error}"))
            continue
        fault = best_match(schema.iter_errors(values))
        if fault:
            where = f"{fault.path[0]}: " if fault.path else ""
            bad.append(BadLine(path.name, number, f"{where}{fault.message}"))
            continue
        yield number, values


def _lines(path: Path, bad: list[BadLine]) -> Iterator[tuple[int, str]]:
    """Read the lines of a file that are not blank, with their numbers."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise QuestionSetError(
            f"The question set {path} cannot be read: {error.strerror or error}.",
            hint="Give a file of JSON lines, or a folder with queries.jsonl and qrels/test.tsv.",
        ) from error
    # Cut as bytes: str.splitlines would also cut at separators that JSON allows inside a text.
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            bad.append(BadLine(path.name, number, f"not UTF-8: {error.reason}"))
