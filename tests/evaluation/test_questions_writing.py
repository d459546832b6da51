"""Writing question sets: what is written reads back, and nothing of a person's is lost."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.values import Question, document_id
from rag_assistant.evaluation.questions.writing import write_questions
from tests.examples import examples

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20
).filter(str.strip)
DOCUMENTS = TEXTS.map(document_id)
WORDS = st.just("") | TEXTS


@st.composite
def question(draw: st.DrawFn) -> Question:
    """Make any question that a file can hold."""
    quotes = tuple(draw(st.lists(TEXTS, max_size=3)))
    count = draw(st.sampled_from([0, len(quotes)]))
    starts = draw(st.lists(st.integers(0, 10**9), min_size=count, max_size=count))
    return Question(
        id=draw(TEXTS),
        text=draw(TEXTS),
        relevant=draw(st.dictionaries(DOCUMENTS, st.integers(-1000, 1000), max_size=3)),
        quotes=quotes,
        answers=tuple(draw(st.lists(TEXTS, max_size=3))),
        answerable=draw(st.booleans()),
        databases=tuple(draw(st.lists(TEXTS, max_size=2, unique=True))),
        without=tuple(draw(st.lists(DOCUMENTS, max_size=2, unique=True))),
        kind=draw(WORDS),
        generated=draw(WORDS),
        starts=tuple(starts),
    )


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(questions=st.lists(question(), min_size=1, max_size=4, unique_by=lambda q: q.id))
def test_any_question_reads_back_as_it_was(tmp_path: Path, questions: list[Question]) -> None:
    """If this fails, a kept run or a generated set asks something else than was asked."""
    path = tmp_path / "q.jsonl"
    write_questions(path, questions, replacing=True)
    found = read_questions(path)
    assert (found.questions, found.bad_lines, found.notes) == (tuple(questions), (), ())


def test_what_is_generated_is_seen_first(tmp_path: Path) -> None:
    """If this fails, questions of a machine pass for those of a person."""
    path = tmp_path / "q.jsonl"
    made = Question("1", "Who?", {"a.md": 1}, generated="known item", databases=("staff",))
    write_questions(path, [made])
    values = json.loads(path.read_text())
    assert list(values) == ["id", "question", "generated", "database", "relevant"]
    assert (values["database"], values["relevant"]) == ("staff", ["a.md"])


def test_a_file_that_is_there_is_kept_and_the_next_step_told(tmp_path: Path) -> None:
    """If this fails, a second run of the generator loses what a person corrected."""
    path = tmp_path / "q.jsonl"
    path.write_text("mine")
    with pytest.raises(QuestionSetError, match="exists already") as caught:
        write_questions(path, [Question("1", "Who?")])
    assert caught.value.hint
    assert path.read_text() == "mine"
    write_questions(path, [Question("1", "Who?")], replacing=True)
    assert path.read_text() == '{"id": "1", "question": "Who?"}\n'


@pytest.mark.parametrize(
    "questions",
    [
        [Question("1", " ")],
        [Question("1", "a"), Question("1", "b")],
        [Question("1", "half \ud800")],
        [Question("1", "a", {"a.md": 10**9})],
        [Question("1", "a", answers=("",))],
        [Question("1", "a", databases=("a", "a"))],
    ],
)
def test_what_could_not_be_read_is_not_written(tmp_path: Path, questions: list[Question]) -> None:
    """If this fails, a set is written that loses questions when it is read."""
    with pytest.raises(QuestionSetError, match="is not written"):
        write_questions(tmp_path / "q.jsonl", questions)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """If this fails, a misspelt folder ends at a traceback."""
    with pytest.raises(QuestionSetError, match="cannot be written"):
        write_questions(tmp_path / "nowhere" / "q.jsonl", [Question("1", "Who?")])
