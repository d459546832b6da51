"""Runs on disk: what is done stays done, whatever happens to the process."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.values import BadLine, Question
from rag_assistant.evaluation.running.answering import answered
from rag_assistant.evaluation.running.searching import searched
from rag_assistant.evaluation.runs.encoding import outcome_json, outcome_of
from rag_assistant.evaluation.runs.header import Header, IndexStamp, Settings
from rag_assistant.evaluation.runs.outcomes import (
    EvidenceOutcome,
    ModelVerdict,
    Outcome,
    Overlap,
    QuestionCost,
    RankedDocument,
    SearchOutcome,
    ShownHit,
    Span,
)
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.history.decoding import NotUnderstood
from rag_assistant.values.documents import Location

QUESTIONS = (
    Question("carry", "How many days may be carried over?", {"leave/annual.md": 2}, ("eight",)),
    Question("odd \ud800", "What is “this”?\nA line", without=("a.md",), answerable=False),
)
HEADER = Header(
    0,
    "/somewhere/staff.questions.jsonl",
    "staff.questions.jsonl",
    "abc",
    2,
    1_700_000_000.0,
    Settings("all", ("search", "answer"), ("staff",), model="extractive", at_once=2, seed=7),
    (IndexStamp("staff", "/somewhere/staff", 4, 5, "def"),),
    {"rag-assistant": "0"},
    "2 cores",
    bad_lines=(BadLine("staff.questions.jsonl", 3, "not JSON"),),
)


def found(id: str) -> SearchOutcome:
    """An outcome with a value in each field."""
    place = Location(3, 9, 2, "Leave > Rest", 4)
    return SearchOutcome(
        id,
        (RankedDocument("leave/annual.md", 1.5), RankedDocument("päy dates.md", -0.25)),
        {"leave/annual.md": 2},
        QuestionCost(12.5, 3.0, 2, 10, 20, 0.25),
        (ShownHit("staff", 1, "Annual leave", "leave/annual.md", place, "eight days", 2),),
    )


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """A store in an empty home."""
    return RunStore(tmp_path / "home")


async def test_what_is_kept_is_what_came_back(assistant: Assistant, store: RunStore) -> None:
    """Figures of a kept run would not be those that were shown when it ended."""
    question = QUESTIONS[0]
    answer = await answered(assistant, question, ["staff"])
    judged = replace(answer, judgement=ModelVerdict("mine", "partly", "why", "", 1, 2, 0.5))
    evidence = EvidenceOutcome(
        "carry",
        QuestionCost(1.0),
        (Span("staff", 1, 2, 3),),
        ("a quote",),
        (Span("staff", 1, 0, 9),),
        answer.answer.evidence,
        Overlap(4, 9, 3),
        Overlap(4, 3, 2),
        "it broke",
    )
    outcomes: list[Outcome] = [
        searched(assistant.library, question, ["staff"]),
        found(QUESTIONS[1].id),
        judged,
        evidence,
    ]
    run = store.begin(HEADER, QUESTIONS)
    for outcome in outcomes:
        run.add(outcome)
    run.finish(5.0, ["a note"])
    run.close()
    kept = store.read(1)
    assert answer.answer.citations
    assert kept.outcomes == tuple(outcomes)
    assert kept.questions == QUESTIONS
    assert kept.header == replace(HEADER, number=1, ended=5.0, notes=("a note",))


def test_a_line_that_was_half_written_is_asked_again(store: RunStore) -> None:
    """A killed run could not go on, or its last question would be lost without a word."""
    run = store.begin(HEADER, QUESTIONS)
    run.add(found("carry"))
    run.add(found(QUESTIONS[1].id))
    run.close()
    path = run.folder / "outcomes.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    again = store.resume(1)
    assert again.done() == {("carry", "search")}
    again.add(found(QUESTIONS[1].id))
    again.close()
    assert store.read(1).outcomes == (found("carry"), found(QUESTIONS[1].id))


def test_an_outcome_that_cannot_be_read_is_told_and_the_rest_is_there(store: RunStore) -> None:
    """One broken line would take a whole run away, or change its figures in silence."""
    run = store.begin(HEADER, QUESTIONS)
    run.add(found("carry"))
    run.close()
    path = run.folder / "outcomes.jsonl"
    deep = "[" * 100_000
    path.write_text(f'{{"stage": "search"}}\n[]\n{deep}\n' + path.read_text() + '{"stage": 7}\n')
    kept = store.read(1)
    assert kept.outcomes == (found("carry"),)
    assert kept.notes == ("4 outcomes count as not asked: the lines of run 1 cannot be read",)


def test_one_process_at_a_time_goes_on_with_a_run(store: RunStore) -> None:
    """Two would ask everything twice and write into each other's lines."""
    run = store.begin(HEADER, QUESTIONS)
    with pytest.raises(QuestionSetError, match="another process"):
        store.resume(1)
    with pytest.raises(QuestionSetError, match="another process"):
        store.remove(1)
    assert store.begin(HEADER, QUESTIONS).header.number == 2
    run.close()
    store.resume(1).close()
    store.remove(1)
    assert store.numbers() == [2]
    with pytest.raises(QuestionSetError, match="There is no run 1"):
        store.read(1)


@pytest.mark.parametrize("broken", ["", "{", "[]", "null", '{"number": 1}', "[" * 100_000])
def test_a_run_that_cannot_be_read_does_not_hide_the_others(store: RunStore, broken: str) -> None:
    """One damaged file would make `eval runs` useless, with no way to be rid of it."""
    store.begin(HEADER, QUESTIONS).close()
    damaged = store.begin(HEADER, QUESTIONS)
    damaged.close()
    (damaged.folder / "run.json").write_text(broken)
    assert [header.number for header in store.headers()] == [1]
    with pytest.raises(QuestionSetError, match="Run 2 cannot be read") as failure:
        store.read(2)
    assert failure.value.hint == "Remove it: `rag-assistant eval runs --remove 2`."
    store.remove(2)
    assert store.numbers() == [1]


def test_a_figure_that_has_turned_into_another_is_no_outcome(store: RunStore) -> None:
    """A damaged run would be compared with others as if it were whole."""
    run = store.begin(HEADER, QUESTIONS)
    run.close()
    for name in ("questions.jsonl", "run.json"):
        path = run.folder / name
        whole = path.read_text()
        assert store.problems(1) == []
        at = whole.index('": "') + 4
        path.write_text(f"{whole[:at]}#{whole[at + 1 :]}")
        (problem,) = store.problems(1)
        assert "not what was written" in problem
        path.write_text(whole)
    # Runs of before there were checksums are read as they are.
    (run.folder / "run.json").write_text(re.sub(r', "crc32": \d+', "", whole))
    assert store.problems(1) == []


def test_only_the_same_work_is_gone_on_with(store: RunStore) -> None:
    """Half a run of one index, or of one model, would be finished with another."""
    store.begin(HEADER, QUESTIONS).close()
    assert store.unfinished(replace(HEADER, started=9.0, notes=("x",)))
    others = (
        replace(HEADER, set_digest="other"),
        replace(HEADER, settings=replace(HEADER.settings, model="mine")),
        replace(HEADER, indexes=(replace(HEADER.indexes[0], digest="other"),)),
        replace(HEADER, versions={"rag-assistant": "1"}),
    )
    assert not any(map(store.unfinished, others))
    run = store.resume(1)
    run.finish(3.0)
    run.close()
    assert not store.unfinished(HEADER)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """A full disk would end in a traceback after hours of questions."""
    (tmp_path / "evaluations").write_text("in the way")
    with pytest.raises(QuestionSetError, match="cannot be kept"):
        RunStore(tmp_path).begin(HEADER, QUESTIONS)


def test_an_outcome_of_another_shape_is_not_taken() -> None:
    """Hostile or later files would become values that break elsewhere."""
    good = outcome_json(found("carry"))
    assert outcome_of(good) == found("carry")
    for change in ({"stage": "dance"}, {"ranking": [1]}, {"traffic": None}, {"question_id": 3}):
        with pytest.raises(NotUnderstood):
            outcome_of({**good, **change})
    with pytest.raises(NotUnderstood):
        outcome_of([])
