"""Which databases a question goes to, and which of their entries are meant."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.questions.addressing import (
    addressed,
    collection_of,
    own_databases,
    unknown_documents,
    wanted_by,
)
from rag_assistant.evaluation.questions.values import Question, QuestionSet
from rag_assistant.library.contents import names_of
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.scope import Scope

ASKED = Question("1", "When is the salary paid?")


def only(library: Library, question: Question, path: Path, *databases: str) -> Question:
    """Address one question."""
    (found,) = addressed(library, QuestionSet((question,)), databases, path)
    return found


def entry_of(library: Library, path: str) -> int:
    """Give the id of the entry of a file."""
    return next(name.id for name in names_of(library.database("staff")) if name.path == path)


@pytest.mark.parametrize(
    "name",
    ["staff.questions.jsonl", "staff.csv", "staff/questions.toml", "staff", "staff.questions.txt"],
)
def test_the_folder_that_questions_are_about(tmp_path: Path, name: str) -> None:
    """If this fails, question sets in one of the usual places need -d."""
    (tmp_path / "staff").mkdir(exist_ok=True)
    assert collection_of(tmp_path / name) == tmp_path / "staff"


def test_a_set_finds_the_database_of_its_folder_whatever_that_is_called(
    library: Library, folder: Path
) -> None:
    """If this fails, a folder that was indexed under another name is to be indexed again."""
    library.rename("staff", "people")
    for path in (folder, folder / "questions.csv", folder.with_name("staff.questions.jsonl")):
        assert only(library, ASKED, path).databases == ("people",)


def test_a_question_goes_to_its_own_database_or_the_named_one_or_the_only_one(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """If this fails, -d takes questions from their documents, or a folder and ten are no report."""
    library.index(folder / "leave", name="other")
    own = replace(ASKED, databases=("staff",))
    assert only(library, own, tmp_path / "staff.csv", "other").databases == ("staff",)
    assert only(library, ASKED, tmp_path / "staff.csv", "other").databases == ("other",)
    (note,) = own_databases(QuestionSet((own, ASKED)), ("other",))
    assert note == "1 question names a database in the file and went there, not to -d: staff"
    assert own_databases(QuestionSet((own, ASKED)), ("staff",)) == ()
    assert only(library, own, tmp_path / "other.csv").databases == ("staff",)
    library.remove("other")
    assert only(library, ASKED, tmp_path / "ten.csv").databases == ("staff",)


def test_a_missing_database_is_one_line_with_the_question_and_the_next_step(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """If this fails, a set of a thousand questions ends at a riddle, or half way through."""
    with pytest.raises(LibraryError) as caught:
        only(library, replace(ASKED, databases=("stuff",)), folder)
    assert caught.value.message == (
        "There is no database 'stuff', which is to be asked 'When is the salary paid?'."
    )
    assert caught.value.hint == "Did you mean staff? Or change it in staff."
    with pytest.raises(LibraryError, match="'other'") as caught:
        only(library, ASKED, tmp_path / "other.questions.jsonl")
    (tmp_path / "other").mkdir()
    with pytest.raises(LibraryError) as caught:
        only(library, ASKED, tmp_path / "other.questions.jsonl")
    assert f"rag-assistant index {tmp_path / 'other'}. Or name one" in caught.value.hint
    with pytest.raises(LibraryError, match="'nowhere'"):
        only(library, ASKED, folder, "nowhere")
    with pytest.raises(LibraryError, match="cannot be the name"):
        only(library, replace(ASKED, databases=("../x",)), folder)


def test_ids_of_entries_become_the_names_they_go_by(library: Library, folder: Path) -> None:
    """If this fails, a person who writes the ids that a search shows gets nothing but misses."""
    first, second = (entry_of(library, path) for path in ("leave/annual.md", "pay/pay dates.md"))
    grades = {str(first): 1, "leave/annual.md": 2, "99999": 1, "9" * 30: 1}
    asked = replace(ASKED, relevant=grades, without=(str(second), "leave/sick.md"))
    found = only(library, asked, folder)
    assert found.relevant == {"leave/annual.md": 2, "99999": 1, "9" * 30: 1}
    assert found.without == ("pay/pay dates.md", "leave/sick.md")
    notes = unknown_documents(library, [found])
    assert notes == (f"Not in the database, but said to be relevant: 99999, {'9' * 30} (2 in all)",)


def test_digits_that_name_a_record_or_entries_of_several_databases_stay(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """If this fails, the records of a collection are taken for other entries of the same number."""
    records = tmp_path / "records"
    records.mkdir()
    (records / "a.jsonl").write_text('{"_id": "2", "text": "Two."}\n{"_id": "1", "text": "One."}\n')
    library.index(records)
    found = only(library, replace(ASKED, relevant={"1": 1, "2": 1}), records)
    assert found.relevant == {"1": 1, "2": 1}
    id = entry_of(library, "leave/annual.md")
    library.index(folder / "leave", name="second")
    there = {name.id for name in names_of(library.database("second"))}
    assert id in there
    both = only(library, replace(ASKED, relevant={str(id): 1}), folder, "staff", "second")
    assert both.relevant == {str(id): 1}
    assert "an entry of several databases: give its path" in unknown_documents(library, [both])[0]


def test_documents_that_are_not_there_are_named_with_what_is_near(
    library: Library, folder: Path
) -> None:
    """If this fails, a misspelt path looks like a fault of the search."""
    asked = replace(ASKED, relevant={"leave/anual.md": 1}, without=("gone.md",))
    found = only(library, asked, folder)
    assert unknown_documents(library, [found]) == (
        "Not in the database, but said to be relevant: leave/anual.md (did you mean "
        "leave/annual.md?) (1 in all)",
        "Not in the database, but to be taken away: gone.md (1 in all)",
    )


def test_a_question_is_asked_as_if_documents_had_never_been_there(
    library: Library, folder: Path
) -> None:
    """If this fails, refusals are measured while the answer still stands in the documents."""
    asked = Question("1", "salary annual leave", without=("pay/pay dates.md",))
    found = only(library, asked, folder)
    (wanted,) = wanted_by(library, found)
    assert isinstance(wanted, Scope)
    hits = search_databases(library.databases([wanted]), found.text, 10).hits
    assert hits
    assert "pay/pay dates.md" not in {hit.path for hit in hits}
    assert wanted_by(library, replace(found, without=())) == ("staff",)
    everything = tuple(name.path for name in names_of(library.database("staff")))
    nothing = wanted_by(library, replace(found, without=everything))
    assert not search_databases(library.databases(nothing), found.text, 10).hits


@pytest.mark.parametrize(
    "written",
    [
        "./pay/pay dates.md",
        "pay//pay dates.md",
        "staff/pay/pay dates.md",
        r"pay\pay dates.md",
        "{}",
    ],
)
def test_other_paths_to_a_document_lead_to_it(library: Library, folder: Path, written: str) -> None:
    """If this fails, a path as a shell completes it is a miss of the search."""
    name = written.format(folder / "pay/pay dates.md")
    question = replace(ASKED, relevant={name: 2}, without=(name,))
    found = only(library, question, folder)
    assert found.relevant == {"pay/pay dates.md": 2}
    assert found.without == ("pay/pay dates.md",)
    outside = replace(ASKED, relevant={"../pay/pay dates.md": 1, "/etc/pay dates.md": 1})
    assert only(library, outside, folder) == replace(outside, databases=("staff",))


def test_a_name_in_other_letters_is_offered(library: Library, folder: Path) -> None:
    """If this fails, a file named in capitals is said to be missing, and no more."""
    question = only(library, replace(ASKED, relevant={"PAY/PAY DATES.MD": 1}), folder)
    (note,) = unknown_documents(library, [question])
    assert "PAY/PAY DATES.MD (did you mean pay/pay dates.md?)" in note
