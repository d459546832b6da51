"""Question sets: questions with the documents, quotes and answers that are right for them.

Read from JSON lines, tables, TOML, plain text, TREC topics, or a folder of such files. A line that
cannot be used is reported with its number and the reason, and the rest goes on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.folders import set_in
from rag_assistant.evaluation.questions.gathering import BadLines, QuestionCollector
from rag_assistant.evaluation.questions.json_lines import read_json_lines
from rag_assistant.evaluation.questions.judgements import Judgements, read_judgements
from rag_assistant.evaluation.questions.naming import first_of
from rag_assistant.evaluation.questions.tables import names_columns, read_table
from rag_assistant.evaluation.questions.text_files import bytes_of, text_of
from rag_assistant.evaluation.questions.toml_tables import read_toml
from rag_assistant.evaluation.questions.topics import read_topics
from rag_assistant.evaluation.questions.values import BadLine, QuestionSet

_EXAMPLE = 'Write one JSON object a line: {"id": "1", "question": "…", "relevant": ["a.md"]}'
_EXAMPLES: Mapping[str, str] = {
    ".csv": "Write a first row of names, such as question,relevant, and a question in each below.",
    ".toml": 'Begin each question with the line [[question]], and below it: question = "…"',
    ".txt": "Write a question on each line.",
}

MOST_NAMED = 3
"""Ids that a message names."""

Reader = Callable[[Path, bytes], QuestionSet]


def read_questions(path: Path, *, qrels: Path | None = None, split: str = "") -> QuestionSet:
    """Read a question set: a file of questions or TREC topics, or a folder that holds one.

    `qrels` is a file of judgements that take the place of the questions' own; questions without
    any are then left out. `split` names the judgements of a BEIR folder. Raises QuestionSetError
    when there is none or it has no usable question.
    """
    if qrels and split:
        raise QuestionSetError(
            "--qrels and --split both choose the judgements.", hint="Leave out one of them."
        )
    file = path
    if _is_folder(path):
        found = set_in(path, split, judged=qrels is not None)
        file, qrels = found.questions, qrels or found.qrels
    elif split:
        raise QuestionSetError(
            f"{path} is a file, and has no splits.", hint="Name its judgements: `--qrels FILE`."
        )
    data = bytes_of(file)
    read = _reader(file, data)(file, data)
    if qrels:
        bad = BadLines()
        judgements = read_judgements(qrels, bad)
        read = _judged(read, judgements, bad.all(), qrels)
    return _checked(path, read)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # which is told when it is read as a file
        return False


_BY_SUFFIX: Mapping[str, Reader] = {
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".csv": read_table,
    ".toml": read_toml,
    ".xml": read_topics,
}


def _reader(path: Path, data: bytes) -> Reader:
    """Choose the reader of a file: by its suffix, or else by how it begins."""
    known = _BY_SUFFIX.get(path.suffix.lower())
    if known:
        return known
    lines = [line for line in text_of(path, data)[0].split("\n") if line.strip()]
    first = lines[0].strip() if lines else ""
    if first.startswith("{"):
        return read_json_lines
    if first.startswith("["):
        return _refuse_list if path.suffix.lower() == ".json" else read_toml
    if names_columns(first):
        return read_table
    tabbed = all("\t" in line for line in lines)
    return read_topics if first.startswith("<") or (lines and tabbed) else _read_plain


def _refuse_list(path: Path, _: bytes) -> QuestionSet:
    raise QuestionSetError(
        f"{path} is one list, not an object on each line.",
        hint=f"Make it so: `jq -c '.[]' {path} > {path.with_suffix('.jsonl').name}`.",
    )


def _read_plain(path: Path, data: bytes) -> QuestionSet:
    """Read a file of text with a question on each line, of which nothing else is known."""
    text, notes = text_of(path, data)
    gathered = QuestionCollector(path.name)
    gathered.notes += notes
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            gathered.take(number, {"question": line.strip()})
    return gathered.found()


def _judged(
    read: QuestionSet, judgements: Judgements, bad: Sequence[BadLine], qrels: Path
) -> QuestionSet:
    """Keep the questions that are judged; tell how many of either are without the other."""
    judged = [
        replace(question, relevant=judgements[question.id])
        for question in read.questions
        if question.id in judgements
    ]
    if read.questions and not judged:
        raise QuestionSetError(
            f"{qrels} judges none of the questions: it knows {_some(judgements)}, and they are "
            f"{_some(question.id for question in read.questions)}.",
            hint="Give the judgements that belong to them: `--qrels FILE` or `--split NAME`.",
        )
    notes = list(read.notes)
    if len(judged) < len(read.questions):
        count = f"{len(judged):,} of the {len(read.questions):,} questions"
        notes.append(f"{qrels.name} judges {count}; the others are left out")
    known = {question.id for question in read.questions}
    if unasked := [id for id in judgements if id not in known]:
        notes.append(f"{qrels.name} judges {len(unasked):,} that are not asked: {_some(unasked)}")
    return QuestionSet(tuple(judged), (*bad, *read.bad_lines), tuple(notes))


def _some(ids: Iterable[str]) -> str:
    """Name the first of some ids."""
    return first_of((repr(id[:40]) for id in ids), MOST_NAMED)


def _checked(path: Path, found: QuestionSet) -> QuestionSet:
    if found.questions:
        return found
    bad = found.bad_lines
    first = f" {bad[0].file}, line {bad[0].line}: {bad[0].reason}." if bad else ""
    hint = _EXAMPLES.get(path.suffix.lower(), _EXAMPLE)
    raise QuestionSetError(f"{path} has no usable question.{first}", hint=hint)
