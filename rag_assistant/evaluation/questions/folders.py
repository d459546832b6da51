"""Folders that hold a question set: the layout of BEIR, topics and judgements of TREC, or a file
called `questions`.

BEIR's has `queries.jsonl`, judgements in `qrels/*.tsv`, and its documents in `corpus.jsonl`:
https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset
"""

from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.text_files import FORMS

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
USUAL_SPLIT = "test"
OWN_NAMES = ("questions.jsonl", "questions.csv", "questions.toml", "questions.txt")

_TOPICS = ("topics", "queries")
_QRELS = "qrels"
_MAKE_SOME = (
    "Give a file with a question on each line, or make some from a database: "
    "rag-assistant eval init -d NAME"
)


@dataclass(frozen=True, slots=True)
class SetFiles:
    """The file of questions that a folder holds, and the one of judgements, if they are apart."""

    questions: Path
    qrels: Path | None = None


def set_in(folder: Path, split: str = "", *, judged: bool = False) -> SetFiles:
    """Find the question set of a folder; `judged` says that the judgements are given otherwise.

    `split` names those of a BEIR folder: by default `test`, or the only one that there is. Raises
    QuestionSetError where there is no set, or a choice to make.
    """
    if (folder / QUERIES).is_file():
        return SetFiles(folder / QUERIES, None if judged else _qrels_of(folder, split))
    if split:
        raise QuestionSetError(
            f"The folder {folder} has no splits: no {QUERIES}.", hint="Leave out --split."
        )
    files = _files(folder)
    qrels = [path for path in files if _QRELS in path.name.lower()]
    topics = [path for path in files if _is_topics(path)]
    own = next((path for path in files if path.name in OWN_NAMES), None)
    if own:
        return SetFiles(own)
    if len(topics) == 1 and (judged or len(qrels) == 1):
        return SetFiles(topics[0], None if judged else qrels[0])
    if topics and (judged or qrels):
        names = ", ".join(path.name for path in (*topics, *qrels)[:10])
        raise QuestionSetError(
            f"The folder {folder} has several topics or judgements: {names}.",
            hint="Name one of each: `rag-assistant eval TOPICS --qrels QRELS`.",
        )
    beside = folder.parent / f"{folder.absolute().name}.questions.jsonl"
    raise QuestionSetError(
        f"The folder {folder} holds no questions ({QUERIES}, questions.csv and so on).",
        hint=f"Did you mean {beside}?" if beside.is_file() else _MAKE_SOME,
    )


def is_collection(folder: Path) -> bool:
    """Whether a folder holds questions and, beside them, records that they are asked of."""
    there = any((folder / name).is_file() for name in (CORPUS, f"{CORPUS}.gz"))
    own = any((folder / name).is_file() for name in OWN_NAMES)
    return folder.is_dir() and ((folder / QUERIES).is_file() or (there and own))


def files_of_set(path: Path) -> tuple[Path, ...]:
    """Give the files of a question set, or in a folder all that can be a part of one."""
    if not path.is_dir():
        return (path,)
    topmost = [
        file
        for file in _files(path)
        if file.name in OWN_NAMES or _QRELS in file.name.lower() or _is_topics(file)
    ]
    return (*topmost, *sorted((path / _QRELS).glob("*.tsv")))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise QuestionSetError(
            f"The folder {folder} cannot be listed: {error.strerror or error}.", hint=FORMS
        ) from error


def _is_topics(path: Path) -> bool:
    name = path.name.lower()
    return _QRELS not in name and any(word in name for word in _TOPICS)


def _qrels_of(folder: Path, split: str) -> Path:
    there = {path.stem: path for path in sorted((folder / _QRELS).glob("*.tsv"))}
    if not there:
        raise QuestionSetError(
            f"The folder {folder} has no judgements: no file qrels/*.tsv.",
            hint="Add them, or name a file of judgements: `--qrels FILE`.",
        )
    if split in there:
        return there[split]
    if not split and USUAL_SPLIT in there:
        return there[USUAL_SPLIT]
    if not split and len(there) == 1:
        return next(iter(there.values()))
    wanted = f"no split {split!r}" if split else f"several splits, and none named {USUAL_SPLIT!r}"
    raise QuestionSetError(
        f"The folder {folder} has {wanted}.", hint=f"Choose one: `--split {'|'.join(there)}`."
    )
