"""From the file of questions to the report, over a real index."""

import json
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import R, nDCG

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import LibraryError, QuestionSetError
from rag_assistant.evaluation.reports.as_json import report_json
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.reports.writing import check_outputs, write_reports
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.running import RunProgress
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.library.library import Library

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
    seen: list[RunProgress] = []
    evaluation = Evaluation(assistant, tell=seen.append)
    report = await evaluation.run(questions)
    found = json.loads(json.dumps(report_json(report)))
    assert (found["questions"], found["answerable"], found["mode"]) == (3, 2, "all")
    assert set(found["metrics"]) <= set(EXPLANATIONS)
    assert found["explanations"].keys() == found["metrics"].keys()
    assert found["metrics"]["R@10"] == pytest.approx((1 + 1 / 3) / 2, abs=1e-4)
    assert found["metrics"]["evidence_recall"] == 1
    assert found["metrics"]["refusal_recall"] == 1
    assert found["intervals"]["R@10"]["low"] <= found["metrics"]["R@10"]
    first, _, last = found["per_question"]
    assert (first["id"], first["databases"], first["outcome"]) == ("pay day", ["staff"], "answered")
    assert first["ranking"][0]["document"] == "pay/pay dates.md"
    assert first["ranking"][0]["grade"] == 1
    assert first["hits"][0]["grade"] == 1
    assert first["metrics"]["quote_recall"] == 1
    assert first["citations"][0]["verified"]
    assert first["traffic"].keys() == {"search", "retrieve", "answer"}
    assert last["outcome"] == "refused"
    assert [(line["file"], line["line"]) for line in found["bad_lines"]] == [
        ("staff.questions.jsonl", 2)
    ]
    stages = ("search", "retrieve", "answer")
    assert {(p.stage, p.done) for p in seen} == {(s, n) for s in stages for n in range(4)}
    run = found["run"]
    assert run["settings"]["stages"] == list(stages)
    assert run["indexes"][0]["database"] == "staff"
    assert {"rag-assistant", "python", "sqlite"} <= run["versions"].keys()


async def test_the_same_run_again_gives_the_same_figures(
    assistant: Assistant, questions: Path
) -> None:
    """If this fails, a difference between two runs says nothing."""
    evaluation = Evaluation(assistant)
    first, second = [report_json(await evaluation.run(questions)) for _ in range(2)]
    timed = [name for name in first["metrics"] if name.endswith("_ms")]
    for found in (first, second):
        for name in timed:
            found["metrics"].pop(name)
    assert timed
    assert first["metrics"] == second["metrics"]
    assert first["intervals"] == second["intervals"]
    assert [header.number for header in evaluation.store.headers()] == [2, 1]


async def test_what_a_set_has_no_references_for_is_left_out_and_said(
    assistant: Assistant, folder: Path
) -> None:
    """If this fails, a collection of judged documents costs a model's answers to each question."""
    path = folder.with_name("staff.jsonl")
    path.write_text(json.dumps({"id": 1, "question": "Leave?", "relevant": ["leave/annual.md"]}))
    report = await Evaluation(assistant).run(path)
    assert report.header.settings.stages == ("search",)
    assert any("--mode answer" in note for note in report.notes)
    assert "answered" not in report.metrics
    answers = await Evaluation(assistant).run(path, EvaluationOptions(mode="answer"))
    assert answers.metrics["answered"] == 1
    assert "MAP" not in answers.metrics


async def test_ten_bare_questions_are_asked(assistant: Assistant, folder: Path) -> None:
    """If this fails, a person with questions and no references gets nothing."""
    path = folder.with_name("mine.csv")
    path.write_text("question\nHow many days of annual leave are there?\nWho won the derby?\n")
    report = await Evaluation(assistant).run(path, EvaluationOptions(databases=("staff",)))
    assert [one.answer.outcome for one in report.asked if one.answer] == ["answered", "refused"]
    assert report.metrics["citation_verified"] == 1


async def test_relevant_files_that_are_not_indexed_are_named(
    assistant: Assistant, questions: Path
) -> None:
    """If this fails, a file that failed to index looks like a fault of the search."""
    report = await Evaluation(assistant).run(questions, EvaluationOptions(mode="search"))
    assert any("leave/gone.md" in note and "1 in all" in note for note in report.notes)


async def test_the_run_is_read_by_ir_measures_with_the_same_figures(
    assistant: Assistant, questions: Path, tmp_path: Path
) -> None:
    """If this fails, other tools read another ranking than we measured."""
    report = await Evaluation(assistant).run(questions, EvaluationOptions(mode="search"))
    out = tmp_path / "out.trec"
    assert list(write_reports(report, [str(out)])) == [out]
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


async def test_a_ranking_of_another_system_is_judged_by_the_same_measures(
    assistant: Assistant, questions: Path, tmp_path: Path
) -> None:
    """If this fails, people with TREC runs of their own cannot compare them with ours."""
    evaluation = Evaluation(assistant)
    ours = await evaluation.run(questions, EvaluationOptions(mode="search"))
    out = tmp_path / "ours.trec"
    list(write_reports(ours, [str(out)]))
    (tmp_path / "elsewhere").mkdir()
    nothing = Assistant(Library(tmp_path / "elsewhere"), Config(), {})
    judged = await Evaluation(nothing).run(questions, EvaluationOptions(ranking=out))
    names = ("nDCG@10", "R@10", "R@100", "MRR@10", "MAP")
    assert {n: judged.metrics[n] for n in names} == {n: ours.metrics[n] for n in names}
    assert "search_p50_ms" not in judged.metrics


async def test_a_file_to_write_is_looked_at_before_the_questions(
    assistant: Assistant, questions: Path, tmp_path: Path
) -> None:
    """If this fails, a slip in a file's name costs a run of an hour."""
    check_outputs([str(tmp_path / "r.html"), str(tmp_path / "r.trec")])
    check_outputs(["named-as-i-like"], trec={"named-as-i-like"})
    for wrong in ("report", "report.pdf", str(tmp_path / "none" / "r.html"), str(tmp_path)):
        with pytest.raises(QuestionSetError):
            check_outputs([wrong])
    answers = await Evaluation(assistant).run(questions, EvaluationOptions(mode="answer"))
    with pytest.raises(QuestionSetError, match="the run has no ranking"):
        list(write_reports(answers, [str(tmp_path / "r.trec")]))


async def test_a_folder_that_is_not_indexed_yet_is_named_with_the_command(
    tmp_path: Path, questions: Path
) -> None:
    """If this fails, the first evaluation on a fresh machine ends at a riddle."""
    assistant = Assistant(Library(tmp_path / "empty"), Config(), {})
    with pytest.raises(LibraryError) as caught:
        await Evaluation(assistant).run(questions)
    assert "'staff'" in caught.value.message
    assert f"rag-assistant index {questions.parent / 'staff'}" in caught.value.hint


async def test_named_databases_win_over_the_name_of_the_file(
    assistant: Assistant, questions: Path
) -> None:
    """If this fails, -d is without effect."""
    other = questions.rename(questions.with_name("other.questions.jsonl"))
    wishes = EvaluationOptions(mode="search", databases=("staff",))
    report = await Evaluation(assistant).run(other, wishes)
    assert report.metrics["MRR@10"] == 1
    with pytest.raises(LibraryError, match="'nowhere'"):
        await Evaluation(assistant).run(other, EvaluationOptions(databases=("nowhere",)))


async def test_a_collection_is_indexed_and_judged_by_its_own_ids(tmp_path: Path) -> None:
    """BEIR collections could not be measured, or every hit would bear the name of the one file."""
    folder = tmp_path / "sea"
    (folder / "qrels").mkdir(parents=True)
    records = [
        {"_id": "d1", "title": "Anchors", "text": "An anchor weighs eighty kilograms."},
        {"_id": "d2", "title": "Buoys", "text": "A buoy is yellow and floats."},
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, records)))
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "What floats?"}))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t1\n")
    remarks: list[str] = []
    assistant = Assistant(Library(tmp_path / "home"), Config(), {})
    report = await Evaluation(assistant, remark=remarks.append).run(folder)
    assert any("sea" in line for line in remarks)
    assert report.metrics["nDCG@10"] == 1.0
    (asked,) = report.asked
    assert asked.search is not None
    assert [ranked.document for ranked in asked.search.ranking] == ["d2"]
