"""Relevance judgements (qrels): which documents are relevant to which question, and how much.

Two forms are read, and told apart line by line. That of TREC has four columns with white space
between, `question iteration document grade` (https://trec.nist.gov/data/qrels_eng/, and what
trec_eval reads); that of BEIR has three with tabs between, under a row of names
(https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset).
"""

from collections.abc import Mapping
from pathlib import Path

from rag_assistant.evaluation.questions.fields import Unfit, grade_of
from rag_assistant.evaluation.questions.gathering import BadLines
from rag_assistant.evaluation.questions.text_files import bytes_of, utf8_lines
from rag_assistant.evaluation.questions.values import document_id

Judgements = Mapping[str, Mapping[str, int]]
"""Grades by question id and document."""

_LONGEST_GRADE = 10


def read_judgements(path: Path, bad: BadLines) -> Judgements:
    """Read a file of judgements; the first line may be one of names.

    What is judged twice counts as judged last. Raises QuestionSetError when it cannot be read.
    """
    grades: dict[str, dict[str, int]] = {}
    for number, line in utf8_lines(path, bytes_of(path), bad):
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) != 3:
            parts = line.split()
            cells = [parts[0], *parts[2:]] if len(parts) == 4 else []
        try:
            question, document, grade = cells
            judged = grade_of(_number(grade), document[:60])
        except Unfit as reason:
            bad.add(path.name, number, str(reason))
        except ValueError:
            if number > 1 or not cells:
                bad.add(path.name, number, "not a question, a document and a whole number")
        else:
            grades.setdefault(question.strip(), {})[document_id(document.strip())] = judged
    return grades


def _number(grade: str) -> int:
    if len(grade.strip()) > _LONGEST_GRADE:
        raise Unfit("the grade has too many digits")
    return int(grade)
