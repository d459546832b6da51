"""Questions put to the assistant on a real index: what comes back, and what it took."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config, Limits
from rag_assistant.errors import LibraryError, ModelError
from rag_assistant.evaluation.measuring.answers import answer_measures, refusal_metrics
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.answering import NOT_ANSWERED, answered
from rag_assistant.evaluation.runs.outcomes import RecordedCall
from rag_assistant.library.library import Library
from rag_assistant.values.scope import Scope
from scripts.benchmarks.shared.model_replies import Answer, Call, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.conftest import settle, write_files
from tests.egress.elsewhere import configured, far, policies

SALARY = Question(
    "1",
    "On which day is the salary paid in December?",
    {"pay/pay dates.md": 1},
    ("In December the salary is paid early, on the 19th.",),
    ("19th", "19 December"),
)
TEAPOT = Question("3", "Which zebra ate my teapot?", answerable=False)
SEARCH = Answer("Let me look.", calls=(Call("search_staff_database", '{"keyword": "salary"}'),))
VERDICT = '{"reason": "It says the 19th.", "verdict": "right"}'


async def test_an_answer_is_measured_against_its_references(assistant: Assistant) -> None:
    """If this fails, a right answer with the right quote does not score."""
    outcome = await answered(assistant, SALARY, ["staff"])
    assert outcome.outcome == "answered"
    measured = answer_measures(SALARY, outcome)
    for name in (
        "quote_recall", "evidence_quote_recall", "answer_contains", "citation_verified",
        "citation_recall", "sentences_supported",
    ):  # fmt: skip
        assert measured[name] == 1, name
    assert set(outcome.documents) == {"pay/pay dates.md"}
    assert {call.tool for call in outcome.tools} == {"search_staff_database"}
    traffic = outcome.traffic
    assert traffic.first_ms is not None
    assert 0 < traffic.first_ms < traffic.elapsed_ms
    assert traffic.tool_calls == len(outcome.tools)


async def test_answering_the_unanswerable_lowers_refusal_recall(assistant: Assistant) -> None:
    """If this fails, invented answers go unpunished."""
    invented = replace(SALARY, id="4", answerable=False)
    pairs = [(one, await answered(assistant, one, ["staff"])) for one in (TEAPOT, invented)]
    assert [outcome.outcome for _, outcome in pairs] == ["refused", "answered"]
    assert refusal_metrics(pairs)["refusal_recall"] == 0.5


async def test_a_part_of_a_database_is_asked_alone(assistant: Assistant) -> None:
    """If this fails, documents that were taken away for a question answer it."""
    outcome = await answered(assistant, SALARY, [Scope("staff", ("leave/", "travel/"))])
    assert "pay/pay dates.md" not in outcome.documents
    assert answer_measures(SALARY, outcome)["answer_contains"] == 0


async def test_a_run_that_meets_a_limit_is_an_outcome(library: Library) -> None:
    """If this fails, one question ends the run of all the others."""
    assistant = Assistant(library, Config(limits=Limits(tokens=0)), {})
    outcome = await answered(assistant, SALARY, [])
    assert outcome.outcome == "stopped"
    assert "tokens" in outcome.stopped
    assert answer_measures(SALARY, outcome)["quote_recall"] == 0


async def test_a_run_that_cannot_start_ends_in_one_line(assistant: Assistant) -> None:
    """If this fails, each of a hundred questions fails for the same reason."""
    with pytest.raises(LibraryError, match="stuff"):
        await answered(assistant, SALARY, ["stuff"])
    with pytest.raises(ModelError, match="nobody"):
        missing = Assistant(assistant.library, Config(model="nobody"), {})
        await answered(missing, SALARY, ["staff"])


async def test_what_is_refused_once_the_run_has_started_is_an_outcome(library: Library) -> None:
    """If this fails, a database that stays here ends the run of questions to the others."""
    with ScriptedServer() as server:
        config = configured({"far": far(server)}, databases=policies(staff="local"), fallback=False)
        outcome = await answered(Assistant(library, config, {}), SALARY, ["staff"])
    assert server.requests == []
    assert outcome.outcome == "stopped"
    assert "staff stays on this machine" in outcome.stopped
    assert "rag-assistant databases egress staff any" in outcome.stopped


async def test_words_before_a_tool_are_not_the_first_of_the_answer(library: Library) -> None:
    """If this fails, a model that says "Let me look" looks fast, and its calls are lost."""
    with ScriptedServer(SEARCH, Status(400, error("No."))) as server:
        config = configured({"near": server.settings()}, fallback=False)
        assistant = Assistant(library, config, {})
        outcome = await answered(assistant, SALARY, ["staff"])
        await assistant.aclose()
    assert outcome.outcome == "stopped"
    assert outcome.traffic.first_ms is None
    assert outcome.tools == (RecordedCall("search_staff_database", True, outcome.tools[0].seconds),)


async def test_tokens_and_cost_are_those_of_all_models(library: Library) -> None:
    """If this fails, a run costs more than its report says."""
    with ScriptedServer(SEARCH, Answer("I cannot tell.")) as server:
        models = {"near": server.settings(price_input=1e6, price_output=2e6)}
        assistant = Assistant(library, configured(models), {})
        outcome = await answered(assistant, SALARY, ["staff"])
        await assistant.aclose()
    traffic = outcome.traffic
    assert (traffic.tokens_in, traffic.tokens_out, traffic.cost) == (24, 14, 52.0)
    assert traffic.first_ms is not None


def judging(request: SeenRequest) -> Answer:
    """Judge every answer to be right."""
    return Answer(VERDICT)


async def test_only_answers_are_judged(library: Library) -> None:
    """If this fails, a judge is paid for refusals, or refusing what is hard looks right."""
    with ScriptedServer(judging) as server:
        config = configured({"judge": server.settings()}, model=EXTRACTIVE)
        assistant = Assistant(library, config, {})
        right = await answered(assistant, SALARY, ["staff"], judge="judge")
        hard = replace(TEAPOT, answerable=True, answers=("Zoë",))
        refused = await answered(assistant, hard, ["staff"], judge="judge")
        nothing = await answered(assistant, TEAPOT, ["staff"], judge="judge")
        await assistant.aclose()
        assert len(server.requests) == 1
    assert right.judgement
    assert (right.judgement.verdict, right.traffic.tokens_in) == ("right", 0)
    assert refused.judgement
    assert (refused.judgement.verdict, refused.judgement.reason) == ("wrong", NOT_ANSWERED)
    assert nothing.judgement is None


async def test_records_go_by_their_names(tmp_path: Path) -> None:
    """If this fails, citations of a collection of records are never of the right document."""
    record = (
        '{"_id": "doc-7", "title": "Pay", "text": "In December the salary is paid on the 19th."}'
    )
    folder = tmp_path / "papers"
    settle(write_files(folder, {"corpus.jsonl": record + "\n"}))
    library = Library(tmp_path / "home")
    library.index(folder)
    asked = replace(SALARY, relevant={"doc-7": 1}, quotes=())
    outcome = await answered(Assistant(library, Config(), {}), asked, ["papers"])
    assert set(outcome.documents) == {"doc-7"}
    measured = answer_measures(asked, outcome)
    assert measured["citation_precision"] == measured["citation_recall"] == 1
