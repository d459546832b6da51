"""Reading question sets: every line is a question or a complaint, never neither."""

import json
import re
from pathlib import Path

import pytest

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.fields import KEYS
from rag_assistant.evaluation.questions.reading import read_questions


def test_a_bad_line_is_named_with_its_number_and_the_rest_is_read(tmp_path: Path) -> None:
    """If this fails, one typing mistake costs the whole set or silently shrinks it."""
    path = tmp_path / "q.jsonl"
    lines = [
        b'{"id": "1", "question": "One?", "relevant": ["a.md"]}',
        b"",
        b'{"id": "2", "question": "Two?"',
        b'{"id": "3"}',
        b'{"id": "4", "question": "Four?", "relevant": [4.5]}',
        b'{"id": "5", "question": "F\xfcnf?"}',
        b'{"id": "1", "question": "One again?"}',
        b'["6"]',
        b'{"id": 7, "question": "Seven?"}',
    ]
    path.write_bytes(b"\n".join(lines))
    found = read_questions(path)
    assert [question.id for question in found.questions] == ["1", "7"]
    assert [(line.file, line.line, line.reason) for line in found.bad_lines] == [
        ("q.jsonl", 3, "not JSON: Expecting ',' delimiter at column 31"),
        ("q.jsonl", 4, "question: there is none"),
        ("q.jsonl", 5, "relevant: a number where a text belongs"),
        ("q.jsonl", 6, "not UTF-8: invalid start byte"),
        ("q.jsonl", 7, "the id '1' is taken already, by line 1"),
        ("q.jsonl", 8, "not an object of keys and values"),
    ]


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
        "database": ["staff", "ships"],
        "without": ["c.md", 12],
        "kind": "hard",
        "generated": "known item",
        "starts": [12],
    }
    bare = {"id": "2", "question": "Two\u2028lines?", "relevant": ["a.md", 7], "answers": "two"}
    nothing = {"question": "Three?", "relevant": None}
    text = "\n".join(json.dumps(values, ensure_ascii=False) for values in (whole, bare, nothing))
    path.write_text("\ufeff" + text, encoding="utf-8")
    found = read_questions(path)
    first, second, third = found.questions
    assert (found.bad_lines, found.notes) == ((), ())
    assert (first.relevant, first.quotes) == ({"a.md": 2, "b.md": 0}, ("these words",))
    assert (first.answers, first.answerable) == (("one", "1"), False)
    assert (first.databases, first.without) == (("staff", "ships"), ("c.md", "12"))
    assert (first.kind, first.generated, first.starts) == ("hard", "known item", (12,))
    assert second.text == "Two\u2028lines?"
    assert (second.relevant, second.answers) == ({"a.md": 1, "7": 1}, ("two",))
    assert (third.relevant, third.quotes, third.answers) == ({}, (), ())
    assert third.answerable
    assert not third.ranks


def test_a_question_without_an_id_keeps_the_one_of_its_words(tmp_path: Path) -> None:
    """If this fails, a line put in at the top pairs the questions of two runs wrongly."""
    path = tmp_path / "q.txt"
    path.write_text("How long?\n\nHow far?\n")
    before = read_questions(path).questions
    path.write_text("A new one?\nHow long?\nHow far?\nHow  LONG?\n")
    found = read_questions(path)
    assert [question.text for question in before] == ["How long?", "How far?"]
    assert [question.id for question in found.questions[1:]] == [each.id for each in before]
    assert [(bad.line, bad.reason) for bad in found.bad_lines] == [
        (4, "the same question is taken already, by line 2")
    ]


def test_names_in_either_spelling_of_an_accent_are_one_document(tmp_path: Path) -> None:
    """If this fails, a file found on a Mac counts as a miss."""
    path = tmp_path / "q.jsonl"
    values = {"id": "1", "question": "?", "relevant": ["Cafe\u0301.md"], "without": ["e\u0301"]}
    path.write_text(json.dumps(values), encoding="utf-8")
    (question,) = read_questions(path).questions
    assert (list(question.relevant), question.without) == (["Caf\u00e9.md"], ("\u00e9",))


def test_an_unknown_key_is_told_once_with_what_is_meant(tmp_path: Path) -> None:
    """If this fails, references under a misspelt key are missing without a word."""
    path = tmp_path / "q.jsonl"
    lines = [{"id": str(n), "question": "?", "relevent": ["a.md"], "x": 1} for n in range(3)]
    path.write_text("\n".join(map(json.dumps, lines)))
    found = read_questions(path)
    assert len(found.questions) == 3
    assert found.notes == (
        "q.jsonl, line 1: the key 'relevent' is unknown and left out (did you mean 'relevant'?)",
        "q.jsonl, line 1: the key 'x' is unknown and left out",
    )


def test_offsets_have_to_be_as_many_as_quotes(tmp_path: Path) -> None:
    """If this fails, a quote is looked for at the place of another one."""
    path = tmp_path / "q.jsonl"
    lines = [
        {"id": "1", "question": "?", "quotes": ["a", "b"], "starts": [1]},
        {"id": "2", "question": "?", "quotes": ["a"], "starts": [-1]},
        {"id": "3", "question": "?", "quotes": ["a"], "starts": [True]},
        {"id": "4", "question": "?", "quotes": ["a", "b"], "starts": [1, 0]},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    found = read_questions(path)
    assert [question.starts for question in found.questions] == [(1, 0)]
    assert [bad.line for bad in found.bad_lines] == [1, 2, 3]
    assert "1 for 2 quotes" in found.bad_lines[0].reason


@pytest.mark.parametrize("name", ["q.jsonl", "q.csv", "q.toml", "q.txt", "q.xml", "q"])
@pytest.mark.parametrize("content", [None, b"", b"\n \n", b"\0\1\2\3"])
def test_a_file_without_a_question_is_an_error_with_a_hint(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    """If this fails, a misspelt file name gives figures over no questions."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(QuestionSetError) as caught:
        read_questions(path)
    assert name in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("name", ["a" * 300, "a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_one_line(tmp_path: Path, name: str) -> None:
    """If this fails, a path from a script ends at a traceback."""
    with pytest.raises(QuestionSetError, match="cannot be read"):
        read_questions(tmp_path / name)


def test_files_of_other_kinds_say_how_they_become_question_sets(tmp_path: Path) -> None:
    """If this fails, a spreadsheet or a list ends at a riddle."""
    sheet, packed, listed = tmp_path / "q.xlsx", tmp_path / "q.jsonl.gz", tmp_path / "q.json"
    sheet.write_bytes(b"PK\3\4\0\0")
    packed.write_bytes(b"\x1f\x8b\x08\0\0")
    listed.write_text('[{"id": "1", "question": "?"}]')
    for path, hint in ((sheet, "as CSV"), (packed, "gunzip --keep"), (listed, "jq -c '.[]'")):
        with pytest.raises(QuestionSetError) as caught:
            read_questions(path)
        assert hint in caught.value.hint


def test_a_folder_may_hold_its_questions_or_lie_beside_them(tmp_path: Path) -> None:
    """If this fails, a natural mistake ends without a next step."""
    folder = tmp_path / "staff"
    folder.mkdir()
    (tmp_path / "staff.questions.jsonl").touch()
    with pytest.raises(QuestionSetError) as caught:
        read_questions(folder)
    assert "staff.questions.jsonl" in caught.value.hint
    (folder / "questions.csv").write_text("question\nHow long?\n")
    assert len(read_questions(folder).questions) == 1


def test_the_documented_forms_are_read_as_they_stand(tmp_path: Path) -> None:
    """If this fails, who copies an example from the documentation gets complaints."""
    page = Path(__file__).parents[2] / "docs" / "question-sets.md"
    examples = re.findall(r"```(\w+)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert [form for form, _ in examples] == ["csv", "jsonl", "toml", "text"]
    for form, text in examples:
        path = tmp_path / f"q.{form}"
        path.write_text(text, encoding="utf-8")
        found = read_questions(path)
        assert (len(found.questions), found.bad_lines, found.notes) == (2, (), ())
    assert all(f"| `{key}` |" in page.read_text(encoding="utf-8") for key in KEYS)
