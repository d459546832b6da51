"""Reading question sets: every line is a question or a complaint, never neither."""

import json
from pathlib import Path

import pytest

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions import read_questions


def test_a_bad_line_is_named_with_its_number_and_the_rest_is_read(tmp_path: Path) -> None:
    """If this fails, one typing mistake costs the whole set or silently shrinks it."""
    path = tmp_path / "q.jsonl"
    lines = [
        b'{"id": "1", "question": "One?", "relevant": ["a.md"]}',
        b"",
        b'{"id": "2", "question": "Two?"',
        b'{"id": "3"}',
        b'{"id": "4", "question": "Four?", "relevant": "a.md"}',
        b'{"id": "5", "question": "F\xfcnf?"}',
        b'{"id": "1", "question": "One again?"}',
        b'["6"]',
        b'{"id": 7, "question": "Seven?"}',
    ]
    path.write_bytes(b"\n".join(lines))
    found = read_questions(path)
    assert [question.id for question in found.questions] == ["1", "7"]
    assert {line.line for line in found.bad_lines} == {3, 4, 5, 6, 7, 8}
    reasons = {line.line: line.reason for line in found.bad_lines}
    assert reasons[3].startswith("not JSON")
    assert "'question' is a required property" in reasons[4]
    assert reasons[5].startswith("relevant:")
    assert "UTF-8" in reasons[6]
    assert "'1' is taken" in reasons[7]
    assert {line.file for line in found.bad_lines} == {"q.jsonl"}


def test_every_key_is_read_and_has_its_default(tmp_path: Path) -> None:
    """If this fails, measures are taken of the wrong references."""
    path = tmp_path / "q.jsonl"
    whole = {
        "id": "1",
        "question": "One?",
        "relevant": {"a.md": 2, "b.md": 0},
        "quotes": ["these words"],
        "answers": ["one", "1"],
        "answerable": False,
        "database": "staff",
        "starts": [12],
    }
    bare = {"id": "2", "question": "Two\u2028lines?"}
    text = "\n".join(json.dumps(values, ensure_ascii=False) for values in (whole, bare))
    path.write_text("\ufeff" + text, encoding="utf-8")
    first, second = read_questions(path).questions
    assert (first.relevant, first.quotes) == ({"a.md": 2, "b.md": 0}, ("these words",))
    assert (first.answers, first.answerable) == (("one", "1"), False)
    assert first.databases == ("staff",)
    assert second.text == "Two\u2028lines?"
    assert (second.relevant, second.quotes, second.answers) == ({}, (), ())
    assert second.answerable
    assert not second.ranks


def test_names_in_either_spelling_of_an_accent_are_one_document(tmp_path: Path) -> None:
    """If this fails, a file found on a Mac counts as a miss."""
    path = tmp_path / "q.jsonl"
    path.write_text(
        json.dumps({"id": "1", "question": "?", "relevant": ["Cafe\u0301.md"]}), encoding="utf-8"
    )
    assert list(read_questions(path).questions[0].relevant) == ["Caf\u00e9.md"]


@pytest.mark.parametrize("content", [None, b"", b"nothing\n"])
def test_a_file_without_a_question_is_an_error_with_a_hint(
    tmp_path: Path, content: bytes | None
) -> None:
    """If this fails, a misspelt file name gives figures over no questions."""
    path = tmp_path / "q.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(QuestionSetError) as caught:
        read_questions(path)
    assert "q.jsonl" in caught.value.message
    assert caught.value.hint


def test_a_beir_folder_gives_its_judged_queries(tmp_path: Path) -> None:
    """If this fails, published collections cannot be measured, or with queries nobody judged."""
    (tmp_path / "qrels").mkdir()
    queries = '{"_id": "1", "text": "one"}\n{"_id": "2", "text": "two"}\n{"_id": "3"}\n'
    (tmp_path / "queries.jsonl").write_text(queries, encoding="utf-8")
    qrels = "query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n1\td3\n"
    (tmp_path / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    found = read_questions(tmp_path)
    assert [(q.id, q.text, q.relevant) for q in found.questions] == [
        ("1", "one", {"d1": 2, "d2": 0})
    ]
    assert {(line.file, line.line) for line in found.bad_lines} == {
        ("test.tsv", 4),
        ("queries.jsonl", 3),
    }


def test_the_folder_of_documents_points_to_the_questions_beside_it(tmp_path: Path) -> None:
    """If this fails, a natural mistake ends without a next step."""
    (tmp_path / "staff").mkdir()
    (tmp_path / "staff.questions.jsonl").touch()
    with pytest.raises(QuestionSetError, match=r"staff\.questions\.jsonl"):
        read_questions(tmp_path / "staff")
