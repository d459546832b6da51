"""Published collections: BEIR folders and TREC topics with their judgements, indexed as records."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.addressing import addressed, unknown_documents
from rag_assistant.evaluation.questions.collections import indexed_collection
from rag_assistant.evaluation.questions.found_as_documents import found_as_documents
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.contents import files_of, names_of
from rag_assistant.library.library import Library
from rag_assistant.library.rules import ReadingRules

RECORDS = [
    {"_id": "d1", "title": "Anchors", "text": "An anchor weighs eighty kilograms.", "metadata": {}},
    {"_id": "d2", "title": "Buoys", "text": "A buoy is yellow and floats.", "metadata": {}},
]
QRELS = "query-id\tcorpus-id\tscore\n"


def beir(tmp_path: Path, splits: Sequence[str] = ("test",), *, packed: bool = False) -> Path:
    """Write a collection; the split's name is in the grade: 1 for the first and so on."""
    folder = tmp_path / "sea"
    (folder / "qrels").mkdir(parents=True)
    corpus = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()
    if packed:
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(corpus))
    else:
        (folder / "corpus.jsonl").write_bytes(corpus)
    queries = '{"_id": "q1", "text": "What floats?", "metadata": {}}\n{"_id": "q2", "text": "2"}\n'
    (folder / "queries.jsonl").write_text(queries)
    for number, split in enumerate(splits, 1):
        (folder / "qrels" / f"{split}.tsv").write_text(f"{QRELS}q1\td2\t{number}\n")
    return folder


def test_a_beir_folder_gives_its_judged_queries(tmp_path: Path) -> None:
    """If this fails, published collections cannot be measured, or with queries nobody judged."""
    folder = beir(tmp_path)
    qrels = f"{QRELS}q1\td1\t2\nq1\td 2\t0\nq1\td3\nq9\td1\t1\nq1\td4\t9999999\n"
    (folder / "qrels" / "test.tsv").write_text(qrels)
    with (folder / "queries.jsonl").open("a") as stream:
        stream.write('{"_id": "3"}\n')
    found = read_questions(folder)
    assert [(q.id, q.text, q.relevant) for q in found.questions] == [
        ("q1", "What floats?", {"d1": 2, "d 2": 0})
    ]
    assert [(bad.file, bad.line) for bad in found.bad_lines] == [
        ("test.tsv", 4),
        ("test.tsv", 6),
        ("queries.jsonl", 3),
    ]
    assert found.notes == (
        "test.tsv judges 1 of the 2 questions; the others are left out",
        "test.tsv judges 1 that are not asked: 'q9'",
    )


@pytest.mark.parametrize(
    ("splits", "asked", "grade"),
    [(("dev", "test"), "", 2), (("dev",), "", 1), (("dev", "test", "train"), "train", 3)],
)
def test_the_split_is_the_one_asked_for_or_the_usual_one(
    tmp_path: Path, splits: Sequence[str], asked: str, grade: int
) -> None:
    """If this fails, figures are of other judgements than those that are published."""
    found = read_questions(beir(tmp_path, splits), split=asked)
    assert found.questions[0].relevant == {"d2": grade}


def test_splits_that_leave_a_choice_are_named(tmp_path: Path) -> None:
    """If this fails, a person has to look into the folder to go on."""
    folder = beir(tmp_path, ("dev", "train"))
    for asked in ("", "test"):
        with pytest.raises(QuestionSetError) as caught:
            read_questions(folder, split=asked)
        assert "--split dev|train" in caught.value.hint
    with pytest.raises(QuestionSetError, match="no splits"):
        read_questions(folder / "queries.jsonl", split="dev")
    with pytest.raises(QuestionSetError, match="both choose"):
        read_questions(folder, qrels=folder / "qrels" / "dev.tsv", split="dev")
    with pytest.raises(QuestionSetError, match="judges none of the questions"):
        (folder / "qrels" / "dev.tsv").write_text(f"{QRELS}other\td2\t1\n")
        read_questions(folder, split="dev")


def test_a_collection_is_indexed_as_records_and_its_queries_are_no_documents(
    tmp_path: Path,
) -> None:
    """If this fails, a query finds itself first, and no judgement names what is found."""
    folder = beir(tmp_path)
    library = Library(tmp_path / "home")
    made = indexed_collection(library, folder)
    assert made
    assert (made.database, made.made, made.notes) == ("sea", True, ())
    assert {(name.path, name.key) for name in names_of(library.database("sea"))} == {
        ("corpus.jsonl", "d1"),
        ("corpus.jsonl", "d2"),
    }
    with (folder / "corpus.jsonl").open("a") as stream:
        stream.write(json.dumps({"_id": "d3", "text": "A third one."}) + "\n")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "What floats now?"}\n')
    again = indexed_collection(library, folder)
    assert again
    assert again.report
    assert (again.made, again.report.updated, again.report.added) == (False, 1, 0)
    assert len(names_of(library.database("sea"))) == 3
    questions = addressed(library, read_questions(folder), (), folder)
    assert questions[0].databases == ("sea",)
    assert unknown_documents(library, questions) == ()


def test_queries_that_were_indexed_are_told_with_the_command_that_leaves_them_out(
    tmp_path: Path,
) -> None:
    """If this fails, a database made without thought gives figures that look like a fault."""
    folder = beir(tmp_path)
    library = Library(tmp_path / "home")
    library.index(folder, name="deep")
    there = indexed_collection(library, folder)
    assert there
    assert (there.database, there.made) == ("deep", False)
    assert len(files_of(library.database("deep"))) == 3
    questions = addressed(library, read_questions(folder), (), folder)
    (note,) = found_as_documents(library, questions, folder)
    assert note.startswith("qrels/test.tsv, queries.jsonl can be found as a document of deep;")
    assert note.endswith(f"rag-assistant index {folder} --name deep --include corpus.jsonl")
    rules = ReadingRules(WalkRules(include=("corpus.jsonl",)))
    library.index(folder, name="deep", reading=rules)
    assert found_as_documents(library, questions, folder) == ()


def test_a_question_set_among_the_documents_is_told(library: Library, folder: Path) -> None:
    """If this fails, every question finds its own line first, and the figures are of that."""
    (folder / "my questions.csv").write_text("question\nWhen is the salary paid?\n")
    library.index(folder)
    path = folder / "my questions.csv"
    asked = addressed(library, read_questions(path), ("staff",), path)
    (note,) = found_as_documents(library, asked, path)
    assert note.endswith(f"rag-assistant index {folder} --name staff --exclude '/my questions.csv'")
    rules = ReadingRules(WalkRules(exclude=("/my questions.csv",)))
    library.index(folder, reading=rules)
    assert found_as_documents(library, asked, path) == ()


def test_records_with_questions_of_their_own_are_a_collection(tmp_path: Path) -> None:
    """If this fails, a folder of records and questions.jsonl has its questions indexed."""
    folder = beir(tmp_path)
    (folder / "queries.jsonl").rename(folder / "questions.jsonl")
    library = Library(tmp_path / "home")
    made = indexed_collection(library, folder)
    assert made
    assert {file.path for file in files_of(library.database("sea"))} == {"corpus.jsonl"}
    assert len(read_questions(folder).questions) == 2


def test_a_packed_corpus_says_how_it_is_unpacked(tmp_path: Path) -> None:
    """If this fails, a collection as it is downloaded ends at an error about an empty folder."""
    folder = beir(tmp_path, packed=True)
    library = Library(tmp_path / "home")
    with pytest.raises(QuestionSetError) as caught:
        indexed_collection(library, folder)
    assert caught.value.hint == f"Unpack them: `gunzip --keep {folder / 'corpus.jsonl.gz'}`."
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.md").write_text("Words.")
    library.index(tmp_path / "elsewhere", name="sea")
    there = indexed_collection(library, folder)
    assert there
    assert (there.database, there.report) == ("sea", None)


def test_a_database_of_another_folder_is_told(tmp_path: Path) -> None:
    """If this fails, figures of other documents pass for those of the collection."""
    folder = beir(tmp_path)
    library = Library(tmp_path / "home")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.md").write_text("Words.")
    library.index(tmp_path / "elsewhere", name="sea")
    there = indexed_collection(library, folder)
    assert there
    assert there.notes == (
        f"The database 'sea' is that of {tmp_path / 'elsewhere'}, not of {folder}",
    )
    assert indexed_collection(library, tmp_path / "elsewhere") is None


CLASSIC = """
<top>

<num> Number: 301
<title> International Organized&amp;Crime

<desc> Description:
Identify organizations.

</top>
<top>
<num> Number: 302 </num>
<title></title>
<desc> Description:
Is the disease of <b> polio gone?
<narr> Narrative: …
</top>
<top>
<title> Nobody's
"""
XML = """<?xml version="1.0"?>
<topics task="x">
  <topic number="301"><query>organized crime</query><question>Who?</question></topic>
  <topic><num>302</num><title>polio</title></topic>
  <topic number="303">own words</topic>
  <topic number="304"><narrative>only this</narrative></topic>
</topics>
"""


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (
            "topics.txt",
            CLASSIC,
            {"301": "International Organized&Crime", "302": "Is the disease of polio gone?"},
        ),
        ("topics.xml", XML, {"301": "organized crime", "302": "polio", "303": "own words"}),
        ("topics.tsv", "301\tWho did it?\n302\tWhen, and why?\n", None),
        ("queries", "301\tWho did it?\n302\tWhen, and why?\n", None),
    ],
)
def test_topics_of_trec_in_all_their_forms(
    tmp_path: Path, name: str, text: str, wanted: dict[str, str] | None
) -> None:
    """If this fails, people who come from trec_eval cannot bring their collections."""
    path = tmp_path / name
    path.write_text(text)
    found = read_questions(path)
    wanted = wanted or {"301": "Who did it?", "302": "When, and why?"}
    assert {question.id: question.text for question in found.questions} == wanted


def test_topics_without_number_or_words_are_named_by_their_lines(tmp_path: Path) -> None:
    """If this fails, a topic that is left out looks like one that was never there."""
    for name, text, said in (
        ("topics.txt", CLASSIC, (18, "a topic without a number")),
        ("topics.xml", XML, (6, "question: empty")),
    ):
        path = tmp_path / name
        path.write_text(text)
        assert [(bad.line, bad.reason) for bad in read_questions(path).bad_lines] == [said]


def test_judgements_of_trec_take_the_place_of_others(tmp_path: Path) -> None:
    """If this fails, --qrels is without effect, or judges by two sets at once."""
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.txt"
    questions.write_text(
        '{"id": "1", "question": "?", "relevant": ["x"]}\n{"id": "2", "question": "??"}\n'
    )
    qrels.write_text("1 0 a.md 1\n1  0\tb.md 2\n1 Q0 c.md -2\nno line\n")
    found = read_questions(questions, qrels=qrels)
    assert [question.relevant for question in found.questions] == [
        {"a.md": 1, "b.md": 2, "c.md": -2}
    ]
    assert [(bad.file, bad.line) for bad in found.bad_lines] == [("qrels.txt", 4)]
    assert found.notes == ("qrels.txt judges 1 of the 2 questions; the others are left out",)


def test_a_folder_of_topics_and_judgements_is_one_set(tmp_path: Path) -> None:
    """If this fails, a downloaded TREC collection has to be named file by file."""
    (tmp_path / "robust.topics.txt").write_text("<top><num>1<title>polio</top>")
    (tmp_path / "robust.qrels.txt").write_text("1 0 d1 1\n")
    found = read_questions(tmp_path)
    assert [(q.id, q.text, q.relevant) for q in found.questions] == [("1", "polio", {"d1": 1})]
    (tmp_path / "other.qrels.txt").write_text("1 0 d1 1\n")
    with pytest.raises(QuestionSetError, match=r"other\.qrels\.txt") as caught:
        read_questions(tmp_path)
    assert "--qrels" in caught.value.hint
