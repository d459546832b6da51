"""Questions with what is right for them, and the names that documents go by in judgements."""

import unicodedata
from collections.abc import Container, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is right for it.

    `relevant` maps documents to grades; a document is named by its path relative to the indexed
    folder or by the collection's own id, and counts as relevant from grade 1 on. `quotes` are the
    words of the documents that hold the answer, `answers` are wordings of it, each of them right.
    `databases` are asked; when there are none, the evaluation chooses. `without` are documents that
    are taken away before it is asked. `kind` is a word of the person's by which reports can be
    filtered; `generated` says by what a question was made that no person wrote, "" otherwise.
    `starts` are the offsets of the quotes in their documents, one for each or none at all.
    """

    id: str
    text: str
    relevant: Mapping[str, int] = field(default_factory=dict)
    quotes: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answerable: bool = True
    databases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    kind: str = ""
    generated: str = ""
    starts: tuple[int, ...] = ()

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
    """The questions of a file or folder in order, and the lines that could not be used.

    `notes` tell what else a person should know of how it was read.
    """

    questions: tuple[Question, ...]
    bad_lines: tuple[BadLine, ...] = ()
    notes: tuple[str, ...] = ()


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
