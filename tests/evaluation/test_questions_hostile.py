"""Question files are untrusted: whatever is in one, there are questions, reasons, or one error."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rag_assistant.errors import RagError
from rag_assistant.evaluation.questions.gathering import MOST_BAD_LINES
from rag_assistant.evaluation.questions.reading import read_questions
from tests.examples import examples

NAMES = ("q.jsonl", "q.csv", "q.toml", "q.txt", "q.xml", "q.tsv", "q")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4
)
KEYS = st.sampled_from(
    "id question database relevant quotes answers answerable without kind starts _id text".split()
)
MARKS = st.sampled_from(',;\t\n\r|=\0\ufeff{"') | st.sampled_from(
    "[[question]]\n question <topics> <topic> a.md=2 <top> <num> </top> <title> '''".split(" ")
)
ANYTHING = st.binary(max_size=200) | st.lists(MARKS | st.text(max_size=5), max_size=30).map(
    lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
)
BOUNDED = settings(
    max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def read(path: Path, data: bytes) -> None:
    """Read a file that may hold anything."""
    path.write_bytes(data)
    try:
        found = read_questions(path)
    except RagError as error:
        assert error.message
        return
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert all(bad.reason and 1 <= bad.line <= lines for bad in found.bad_lines)
    assert all(question.id.strip() and question.text.strip() for question in found.questions)
    assert len({question.id for question in found.questions}) == len(found.questions)
    json.dumps([question.text for question in found.questions], ensure_ascii=False).encode()


@BOUNDED
@given(name=st.sampled_from(NAMES), data=ANYTHING)
@example(name="q.jsonl", data=b'{"id": "\\ud800", "question": "\\u0000"}')
@example(name="q.jsonl", data=b'{"id": ' + b"9" * 5_000 + b', "question": "?"}')
@example(name="q.jsonl", data=b'{"question": "?", "starts": [1e999], "quotes": ["a"]}')
@example(name="q.jsonl", data=b'{"question": ' + b"[" * 100_000)
@example(name="q.toml", data=b"[[question]]\nquestion = " + b"[" * 10_000)
@example(name="q.toml", data=b"[[question]]\nid = " + b"9" * 5_000)
@example(name="q.toml", data=b"[question]\nquestion = 1\n")
@example(name="q.csv", data=b'question,starts\n?,"' + b"9" * 5_000 + b'"\n')
@example(name="q.csv", data=b"question\n" + b"a" * 200_000)
@example(name="q.csv", data=b"question,starts,quotes\n?,\xc2\xb2,a\n")
@example(name="q.xml", data=b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')
@example(name="q.xml", data=b"<a>" * 100_000)
def test_any_bytes_are_questions_or_reasons(tmp_path: Path, name: str, data: bytes) -> None:
    """If this fails, a broken file ends at a traceback."""
    read(tmp_path / name, data)


@BOUNDED
@given(values=st.dictionaries(KEYS, VALUES))
def test_any_values_are_a_question_or_a_reason(tmp_path: Path, values: dict[str, object]) -> None:
    """If this fails, a value of another kind than expected ends at a traceback."""
    read(tmp_path / "q.jsonl", json.dumps(values).encode())


@BOUNDED
@given(data=ANYTHING | st.from_regex(rb"(1\s0?\s?d\s-?\d{1,30}\r?\n){1,4}"))
def test_any_judgements_are_grades_or_reasons(tmp_path: Path, data: bytes) -> None:
    """If this fails, a broken file of judgements ends at a traceback."""
    questions, qrels = tmp_path / "q.tsv", tmp_path / "qrels"
    questions.write_text("1\twho?\n")
    qrels.write_bytes(data)
    try:
        (question,) = read_questions(questions, qrels=qrels).questions
    except RagError:
        return
    assert all(abs(grade) <= 1_000 for grade in question.relevant.values())


@pytest.mark.parametrize("name", ["q.jsonl", "q.csv"])
def test_a_file_of_nothing_but_mistakes_stays_small(tmp_path: Path, name: str) -> None:
    """If this fails, a wrong file fills the memory and the report with its lines."""
    path = tmp_path / name
    head = '{"question": "One?"}' if name == "q.jsonl" else "question\nOne?"
    path.write_text(head + "\n" + '"x"y\n' * 5_000)
    found = read_questions(path)
    assert len(found.questions) == 1
    assert len(found.bad_lines) == MOST_BAD_LINES + 1
    assert "4,000 more" in found.bad_lines[-1].reason
    assert found.bad_lines[-1].line == 5_000 + len(head.split("\n"))
