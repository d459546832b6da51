"""From the file of questions to the report, over a real index."""

import json
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import R, nDCG

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.evaluate import collection_of, evaluate
from rag_assistant.evaluation.questions import Question
from rag_assistant.evaluation.report import EXPLANATIONS, report_json, report_table, write_run
from rag_assistant.evaluation.runner import Progress, Ranked, SearchOutcome
from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.library import Library
from rag_assistant.library.rules import ReadingRules

QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "pay day",
        "question": "On which day is the salary paid in December?",
        "relevant": ["pay/pay dates.md"],
        "quotes": ["In December the salary is paid early, on the 19th."],
        "answers": ["19th"],
    },
    {
        "id": "2",
        "question": "How many days of annual leave are there, and when must they be used?",
        "relevant": {"leave/annual.md": 2, "leave/sick.md": 1, "leave/gone.md": 1},
    },
    {"id": "3", "question": "Which zebra ate my teapot?", "answerable": False},
]


@pytest.fixture
def questions(folder: Path) -> Path:
    path = folder.with_name("staff.questions.jsonl")
    lines = [json.dumps(values) for values in QUESTIONS]
    path.write_text("\n".join([lines[0], "{", *lines[1:]]), encoding="utf-8")
    return path


async def test_a_whole_evaluation_as_json(assistant: Assistant, questions: Path) -> None:
    """If this fails, scripts that read the report break."""
    seen: list[Progress] = []
    report = await evaluate(assistant, questions, mode="all", on_progress=seen.append)
    found = json.loads(json.dumps(report_json(report)))
    assert (found["questions"], found["answerable"], found["mode"]) == (3, 2, "all")
    assert set(found["metrics"]) == set(EXPLANATIONS)
    assert found["metrics"]["R@10"] == pytest.approx((1 + 1 / 3) / 2, abs=1e-4)
    assert found["metrics"]["refusal_recall"] == 1
    first, _, last = found["per_question"]
    assert (first["id"], first["databases"], first["outcome"]) == ("pay day", ["staff"], "answered")
    assert first["ranking"][0]["document"] == "pay/pay dates.md"
    assert first["ranking"][0]["grade"] == 1
    assert first["metrics"]["quote_recall"] == 1
    assert first["citations"][0]["verified"]
    assert (last["outcome"], last["metrics"]) == ("refused", {})
    assert [(line["file"], line["line"]) for line in found["bad_lines"]] == [
        ("staff.questions.jsonl", 2)
    ]
    assert {(p.stage, p.done) for p in seen} == {
        (stage, done) for stage in ("search", "answer") for done in (1, 2, 3)
    }


async def test_relevant_files_that_are_not_indexed_are_named(
    assistant: Assistant, questions: Path
) -> None:
    """If this fails, a file that failed to index looks like a fault of the search."""
    report = await evaluate(assistant, questions)
    assert any("leave/gone.md" in note and "1 in all" in note for note in report.notes)


async def test_the_table_says_what_was_measured_and_what_was_left_out(
    assistant: Assistant, questions: Path
) -> None:
    """If this fails, a person reads figures without knowing over what they are."""
    table = report_table(await evaluate(assistant, questions, mode="all"), 70)
    assert "staff.questions.jsonl: 3 questions, 1 of them without an answer" in table
    assert "over the 2 answerable questions with relevant files" in table
    assert "staff.questions.jsonl, line 2: not JSON" in table
    assert all(name in table for name in EXPLANATIONS)
    figures = [line for line in table.splitlines() if line.startswith("  ") and line[2] != " "]
    assert len({line.index(line.split()[1]) + len(line.split()[1]) for line in figures}) == 1
    assert max(len(line) for line in figures) <= 70


async def test_the_run_is_read_by_ir_measures_with_the_same_figures(
    assistant: Assistant, questions: Path, tmp_path: Path
) -> None:
    """If this fails, other tools read another ranking than we measured."""
    report = await evaluate(assistant, questions)
    assert report.search
    out = tmp_path / "out.trec"
    write_run(out, report.search.outcomes)
    read_trec_run: Any = ir_measures.read_trec_run  # it has no annotations
    run = list(read_trec_run(str(out)))
    assert {(line.query_id, line.doc_id) for line in run} >= {("pay%20day", "pay/pay%20dates.md")}
    qrels = [
        ir_measures.Qrel(q["id"].replace(" ", "%20"), path.replace(" ", "%20"), grade)
        for q in QUESTIONS
        if "relevant" in q
        for path, grade in (
            q["relevant"] if isinstance(q["relevant"], dict) else dict.fromkeys(q["relevant"], 1)
        ).items()
    ]
    theirs = ir_measures.calc_aggregate([nDCG @ 10, R @ 10], qrels, run)
    assert theirs[nDCG @ 10] == pytest.approx(report.metrics["nDCG@10"])
    assert theirs[R @ 10] == pytest.approx(report.metrics["R@10"])


def test_scores_of_a_run_decrease_strictly(tmp_path: Path) -> None:
    """If this fails, tools that sort by score reorder hits of equal score by name."""
    ranking = tuple(
        Ranked(f"50% {name}.md", score) for name, score in (("z", 1), ("y", 1), ("x", 0))
    )
    out = tmp_path / "out.trec"
    write_run(out, [SearchOutcome(Question("1", "?"), ranking, {}, 0.0)])
    rows = [line.split() for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row[2] for row in rows] == ["50%25%20z.md", "50%25%20y.md", "50%25%20x.md"]
    scores = [float(row[4]) for row in rows]
    assert scores == sorted(set(scores), reverse=True)
    assert [row[3] for row in rows] == ["1", "2", "3"]


async def test_a_folder_that_is_not_indexed_yet_is_named_with_the_command(
    tmp_path: Path, questions: Path
) -> None:
    """If this fails, the first evaluation on a fresh machine ends at a riddle."""
    assistant = Assistant(Library(tmp_path / "empty"), Config(), {})
    with pytest.raises(LibraryError) as caught:
        await evaluate(assistant, questions)
    assert "'staff'" in caught.value.message
    assert f"rag-assistant index {questions.parent / 'staff'}" in caught.value.hint


async def test_named_databases_win_over_the_name_of_the_file(
    assistant: Assistant, questions: Path
) -> None:
    """If this fails, -d is without effect."""
    other = questions.rename(questions.with_name("other.questions.jsonl"))
    with pytest.raises(LibraryError, match="'other'"):
        await evaluate(assistant, other)
    report = await evaluate(assistant, other, databases=["staff"])
    assert report.metrics["MRR@10"] == 1
    with pytest.raises(LibraryError, match="'nowhere'"):
        await evaluate(assistant, other, databases=["nowhere"])


def test_the_folder_that_questions_are_about(tmp_path: Path) -> None:
    """If this fails, question sets in one of the usual places need -d."""
    for name in ("staff.questions.jsonl", "staff.jsonl", "staff/questions.jsonl", "staff"):
        (tmp_path / "staff").mkdir(exist_ok=True)
        assert collection_of(tmp_path / name) == tmp_path / "staff"


async def test_records_are_judged_by_their_own_ids(tmp_path: Path) -> None:
    """BEIR collections could not be measured: every hit would bear the name of the one file."""
    folder = tmp_path / "sea"
    (folder / "qrels").mkdir(parents=True)
    records = [
        {"_id": "d1", "title": "Anchors", "text": "An anchor weighs eighty kilograms."},
        {"_id": "d2", "title": "Buoys", "text": "A buoy is yellow and floats."},
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, records)))
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "What floats?"}))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t1\n")
    library = Library(tmp_path / "home")
    rules = ReadingRules(WalkRules(include=("corpus.jsonl",)))
    assert library.index(folder, reading=rules).added == 1
    report = await evaluate(Assistant(library, Config(), {}), folder, mode="search")
    assert report.notes == ()
    assert report.metrics["nDCG@10"] == 1.0
    assert report.search is not None
    assert report.search.outcomes[0].ranking[0].document == "d2"
