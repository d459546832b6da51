"""Question sets as tables and as TOML, which people write by hand."""

from pathlib import Path

import pytest

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.values import BadLine


def csv(tmp_path: Path, text: str | bytes) -> Path:
    """Write a table."""
    path = tmp_path / "q.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_column_of_questions_is_a_question_set(tmp_path: Path) -> None:
    """If this fails, ten questions in a sheet are no report, or cut at their commas."""
    found = read_questions(csv(tmp_path, "Question\r\nHow long, and when?\r\n\r\nHow far?\r\n"))
    assert [question.text for question in found.questions] == ["How long, and when?", "How far?"]
    assert (found.bad_lines, found.notes) == ((), ())


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_hold_several_values_and_grades(tmp_path: Path, separator: str) -> None:
    """If this fails, the references of a table are one long text that nothing equals."""
    rows = [
        ["id", "question", "relevant", "quotes", "answers", "answerable", "starts", "database"],
        ["1", "How long?", '"a.md=2 | b/c d.md\n12"', '"he said ""six"" | six, 6"', "six | 6"],
        ["2", "How far?", "x=2.md", "", "", "NO", "", "a | b"],
    ]
    rows[1] += ["yes", "3 | 40", "staff"]
    text = "\ufeff" + "\n".join(separator.join(row) for row in rows) + "\n"
    found = read_questions(csv(tmp_path, text))
    assert found.bad_lines == ()
    first, second = found.questions
    assert first.relevant == {"a.md": 2, "b/c d.md": 1, "12": 1}
    assert first.quotes == ('he said "six"', "six, 6")
    assert (first.answers, first.answerable, first.starts) == (("six", "6"), True, (3, 40))
    assert (second.relevant, second.answerable) == ({"x=2.md": 1}, False)
    assert (first.databases, second.databases) == (("staff",), ("a", "b"))


def test_broken_rows_are_named_by_their_first_line_and_the_rest_is_read(tmp_path: Path) -> None:
    """If this fails, a quotation mark that is not closed swallows all rows after it."""
    text = (
        "id,question,relevant\n"
        "1,One?,a.md\n"
        '2,"Two?,a.md\n'
        '3,"Three\nlines?",a.md\n'
        "4,Four?,a.md,b.md\n"
        '5,"Five" or six?,a.md\n'
        "6,,a.md\n"
        "7,Seven?,a.md=99999\n"
        "8,Eight?\n"
    )
    found = read_questions(csv(tmp_path, text))
    assert [question.id for question in found.questions] == ["1", "3", "8"]
    assert found.questions[1].text == "Three\nlines?"
    assert [bad.line for bad in found.bad_lines] == [3, 6, 7, 8, 9]
    said = [bad.reason for bad in found.bad_lines]
    assert "quotation mark" in said[0]
    assert said[1].startswith("4 cells under 3 names")
    assert 'write " as ""' in said[2]
    assert said[3] == "question: there is none"
    assert said[4] == "relevant: a grade is beyond 1,000"


def test_another_encoding_is_read_and_told(tmp_path: Path) -> None:
    """If this fails, a sheet of an older Excel is refused, or garbled silently."""
    text = "question;answers\nWann ist die Prüfung für Fahrräder?;im März\n"
    found = read_questions(csv(tmp_path, text.encode("cp1252")))
    assert found.questions[0].text == "Wann ist die Prüfung für Fahrräder?"
    assert found.notes == ("q.csv is not UTF-8 and was read as cp1252: look at its accents",)
    assert read_questions(csv(tmp_path, text.encode("utf-16"))).notes == ()


def test_a_table_without_names_says_what_to_write(tmp_path: Path) -> None:
    """If this fails, the first question of a set is taken for names, or the error is a riddle."""
    with pytest.raises(QuestionSetError) as caught:
        read_questions(csv(tmp_path, "How long?,a.md\n"))
    assert "first row" in caught.value.message
    assert "id,question,relevant" in caught.value.hint
    with pytest.raises(QuestionSetError, match="is 'questions' meant"):
        read_questions(csv(tmp_path, "id,questions\n1,How long?\n"))
    with pytest.raises(QuestionSetError, match="'quotes' twice"):
        read_questions(csv(tmp_path, "question,quotes,quotes\n?,a,b\n"))


TOML = """\
[[question]]
id = 1
question = "How long?"
relevant = ["a.md"]

[[question]]
question = '''
What does this say?
[[question]]
'''
answers = "nothing"
[question.relevant]
"b.md" = 2

[[question]]
id = "3"
question = 3
"""


def test_tables_of_toml_are_questions_named_by_their_lines(tmp_path: Path) -> None:
    """If this fails, a person is sent to the wrong line, or grades are lost."""
    path = tmp_path / "q.toml"
    path.write_text(TOML)
    found = read_questions(path)
    assert [question.id for question in found.questions][:1] == ["1"]
    assert found.questions[1].relevant == {"b.md": 2}
    assert found.questions[1].answers == ("nothing",)
    assert found.bad_lines == (BadLine("q.toml", 15, "question: a number where a text belongs"),)


def test_a_mistake_in_toml_costs_one_question(tmp_path: Path) -> None:
    """If this fails, one missing quotation mark costs the whole set."""
    path = tmp_path / "q.toml"
    good = '[[question]]\nquestion = "How {}?"\n\n'
    broken = '[[question]]\nid = "2"\nquestion = "How\n\n'
    path.write_text(good.format("long") + broken + good.format("far"))
    found = read_questions(path)
    assert [question.text for question in found.questions] == ["How long?", "How far?"]
    (bad,) = found.bad_lines
    assert (bad.file, bad.line) == ("q.toml", 6)
    assert "begins on line 4" in bad.reason


def test_toml_without_questions_says_how_they_begin(tmp_path: Path) -> None:
    """If this fails, [[questions]] ends at a riddle."""
    path = tmp_path / "q.toml"
    path.write_text('[[questions]]\nquestion = "?"\n')
    with pytest.raises(QuestionSetError, match="only: questions") as caught:
        read_questions(path)
    assert "[[question]]" in caught.value.hint
