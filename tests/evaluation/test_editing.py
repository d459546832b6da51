"""A question set is changed a question at a time, and the rest stays as a person wrote it."""

import json
from pathlib import Path

import pytest

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions import editing
from rag_assistant.evaluation.questions.reading import read_questions

MINE = """{"id": "a",  "question": "How long is leave?", "relevant": ["leave.md"], "mine": [1, 2]}

{"id": "b", "question": "Who pays?", "relevant": {"pay.md": 2}}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "mine.jsonl"
    made.write_text(MINE)
    return made


def test_other_words_leave_everything_else(path: Path) -> None:
    """If it fails, what a person noted beside a question is gone once they mend a word."""
    editing.reword(path, "a", " How many days of leave? ")
    first, second = path.read_text().splitlines()
    assert json.loads(first)["question"] == "How many days of leave?"
    assert json.loads(first)["mine"] == [1, 2]
    assert second == MINE.splitlines()[2]


def test_questions_come_and_go(path: Path) -> None:
    """If it fails, a set can only be changed with an editor."""
    made = editing.add(path, "Where is the key?", "keys.md")
    assert made.id == "own-1"
    assert editing.add(path, "Who won the derby?").answerable is False
    editing.remove(path, "a")
    found = read_questions(path).questions
    assert [one.id for one in found] == ["b", "own-1", "own-2"]
    assert dict(found[1].relevant) == {"keys.md": 1}


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (MINE + "not JSON\n", "Line 4 of mine.jsonl cannot be used"),
        (MINE.replace('"a"', '"c"'), "has no question a any more"),
    ],
)
def test_what_cannot_be_changed_is_left(path: Path, written: str, why: str) -> None:
    """If it fails, lines that could not be read are lost, or another question is changed."""
    path.write_text(written)
    with pytest.raises(QuestionSetError, match=why):
        editing.reword(path, "a", "What?")
    assert path.read_text() == written
    with pytest.raises(QuestionSetError, match="needs words"):
        editing.reword(path, "a", "  ")
    with pytest.raises(QuestionSetError, match="no file of JSON lines"):
        editing.add(path.with_suffix(".csv"), "What?")


def test_the_last_question_stays(path: Path) -> None:
    """If it fails, a set without questions is left, which nothing can read."""
    editing.remove(path, "a")
    with pytest.raises(QuestionSetError, match="the only question"):
        editing.remove(path, "b")
    assert len(read_questions(path).questions) == 1
