"""What a reader of the figures must know: why there is a "-", and what is not what it seems."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.evaluation.runs.lines import line_of, value_in
from rag_assistant.evaluation.runs.store import HEADER, PAUSED, RunStore
from rag_assistant.library.library import Library
from rag_assistant.values.support import Support
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.conftest import settle, write_files
from tests.egress.elsewhere import configured, player

BARE = {"question": "How many days of annual leave are there?"}


def kept_set(tmp_path: Path, *questions: Mapping[str, object]) -> Path:
    """Write a question set."""
    lines = "\n".join(json.dumps(each) for each in questions)
    settle(write_files(tmp_path, {"staff.jsonl": lines}))
    return tmp_path / "staff.jsonl"


def named(report: Report, word: str) -> str:
    """Give the note that has a word, "" for none."""
    return next((note for note in report.notes if word in note), "")


@pytest.mark.parametrize(
    "question",
    [
        BARE,
        {**BARE, "relevant": ["leave/annual.md"]},
        {**BARE, "answers": ["27 days"]},
        {**BARE, "quotes": ["no words of any document"]},
        {"question": "Which zebra ate my teapot?", "answerable": False},
    ],
)
async def test_each_metric_without_a_value_has_its_reason(
    assistant: Assistant, tmp_path: Path, question: dict[str, object]
) -> None:
    """If this fails, a person takes a "-" for a fault, or for a zero."""
    report = await Evaluation(assistant).run(
        kept_set(tmp_path, question), EvaluationOptions(mode="all")
    )
    missing = [name for name, value in report.metrics.items() if value is None]
    reasons = " ".join(note for note in report.notes if note.startswith("Not measured, because"))
    untold = {name for name in missing if f"{name}," not in f"{reasons.replace(' Not', ', Not')},"}
    # Nothing was answered, or the built-in model has no prices: the figures beside these say so.
    assert untold <= {
        "retrieve_cost", "answer_cost", "answer_first_p50_ms", "answer_first_p95_ms",
        "retrieve_first_p50_ms", "retrieve_first_p95_ms", "sentences_verbatim",
        "sentences_no_claim", *(f"sentences_{one.value}" for one in Support),
    }  # fmt: skip
    if "confidence_ECE" in report.metrics:
        assert "confidence_ECE" in named(report, "it takes 20 answers")


async def test_answers_that_broke_off_are_named_with_the_reason(
    library: Library, tmp_path: Path
) -> None:
    """If this fails, a server's fault looks like the model's."""

    def reply(request: SeenRequest) -> Answer:
        return (
            Answer("Half", then="cut") if "Second" in request.text() else Answer("I do not know.")
        )

    path = kept_set(tmp_path, {"id": "1", "question": "First?"}, {"id": "2", "question": "Second?"})
    with ScriptedServer(reply) as server:
        models = {"near": server.settings(helper="always")}
        assistant = Assistant(library, configured(models, fallback=False), {})
        report = await Evaluation(assistant).run(path, EvaluationOptions(mode="answer"))
        await assistant.aclose()
    note = named(report, "Broke off")
    assert note.startswith("Broke off, and count as not answered: 2 (1 in all), first: 127.0.0.1")


async def test_a_helper_that_the_built_in_model_stood_in_for_is_told(
    library: Library, tmp_path: Path
) -> None:
    """If this fails, a helper that never worked has the figures of the built-in model."""
    play = player("staff")

    def reply(request: SeenRequest) -> object:
        return Answer("nonsense") if "response_format" in request.body else play(request)

    with ScriptedServer(reply) as server:  # type: ignore[arg-type]
        models = {"near": server.settings(helper="always")}
        assistant = Assistant(library, configured(models, fallback=False), {})
        path = kept_set(tmp_path, {"id": "1", "question": "What of parental leave?"})
        report = await Evaluation(assistant).run(path, EvaluationOptions(mode="answer"))
        await assistant.aclose()
    note = named(report, "evidence of the built-in model")
    assert note.startswith(
        "Answered from evidence of the built-in model: 1 (1 in all), first: near"
    )


async def test_a_database_that_changes_while_it_is_asked_is_told(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """If this fails, half of a run is measured on other documents than the other half."""
    path = kept_set(tmp_path, BARE, {"question": "Pay?"})

    def index_more(progress: object) -> None:
        (folder / "new.md").write_text("# New\n\nIndexed by another process.\n")
        library.index(folder)

    assistant = Assistant(library, Config(), {})
    changed = await Evaluation(assistant, tell=index_more).run(
        path, EvaluationOptions(mode="search")
    )
    assert "Changed while the run was going on: staff" in named(changed, "Changed")
    assert changed.header.notes == changed.notes[: len(changed.header.notes)]
    still = await Evaluation(assistant).run(path, EvaluationOptions(mode="search"))
    assert named(still, "Changed") == ""


async def test_a_run_that_was_gone_on_with_says_so(assistant: Assistant, tmp_path: Path) -> None:
    """If this fails, a run that was left overnight "took" 30,000 seconds."""
    path = kept_set(tmp_path, BARE, {"question": "Pay?"})

    class Off(Exception):
        pass

    def break_off(progress: object) -> None:
        if getattr(progress, "done", 0):
            raise Off

    with pytest.raises(Off):
        await Evaluation(assistant, tell=break_off).run(path, EvaluationOptions(mode="search"))
    report = await Evaluation(assistant).resume(1)
    assert PAUSED in report.notes
    assert RunStore(assistant.library.home).header(1).notes == report.header.notes


async def test_a_run_that_was_left_behind_is_not_gone_on_with(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If this fails, what was asked last week is mixed with today's under a number from then, and
    `last` is another run."""
    path = kept_set(tmp_path, BARE)
    wishes = EvaluationOptions(mode="search")
    store = RunStore(assistant.library.home)
    first = await Evaluation(assistant).run(path, wishes)
    header = store.folder / "1" / HEADER
    assert first.header.ended is not None
    header.write_text(line_of({**value_in(header.read_bytes()), "ended": None}))
    assert store.header(1).ended is None
    await Evaluation(assistant).run(path, EvaluationOptions(mode="search", anew=True))
    await Evaluation(assistant).run(path, wishes)
    assert [(one.number, one.ended is None) for one in store.headers()] == [
        (3, False), (2, False), (1, True),
    ]  # fmt: skip


async def test_a_ranking_of_other_questions_is_told_of_in_its_report(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If this fails, a run over half of the questions looks like a bad one of all."""
    asked = [
        {"id": str(number), "question": f"Leave {number}?", "relevant": ["leave/annual.md"]}
        for number in range(3)
    ]
    path = kept_set(tmp_path, *asked)
    ranking = tmp_path / "theirs.trec"
    ranking.write_text("0 Q0 leave/annual.md 1 2.5 bm25\n7 Q0 a.md 1 1.0 bm25\nnonsense\n")
    evaluation = Evaluation(assistant)
    report = await evaluation.run(path, EvaluationOptions(ranking=ranking))
    assert report.header.settings.mode == "search"
    assert report.metrics["R@10"] == pytest.approx(1 / 3)
    assert "Not in the ranking, and counted as nothing found: 2 of 3" in named(report, "nothing")
    assert "Ranked, but not in the question set: 1 ids, 7" in named(report, "Ranked")
    assert [(bad.file, bad.line) for bad in report.header.bad_lines] == [("theirs.trec", 3)]


async def test_a_ranking_that_cannot_be_had_leaves_no_run(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If this fails, a slip in a file's name is kept as a run that nothing can go on with."""
    evaluation = Evaluation(assistant)
    path = kept_set(tmp_path, BARE)
    missing = tmp_path / "missing.trec"
    for wishes in (
        EvaluationOptions(ranking=missing),
        EvaluationOptions(ranking=missing, mode="answer"),
        EvaluationOptions(ranking=missing, judge="near"),
        EvaluationOptions(mode="search", judge="near"),
    ):
        with pytest.raises(QuestionSetError):
            await evaluation.run(path, wishes)
    assert evaluation.store.numbers() == []
