"""What is settled before the first question: models, prices, leave to send."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import EgressError, ModelError, QuestionSetError, RagError
from rag_assistant.evaluation.running.budget import EvaluationBudget
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.library.library import Library
from rag_assistant.tools.permission import Decision, PermissionRequest
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.conftest import settle, write_files
from tests.egress.elsewhere import configured, far, policies, with_diary

ASKED = EvaluationOptions(databases=("staff",), mode="answer")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Three questions without references."""
    return write_files(tmp_path, {"mine.txt": "Leave?\nPay?\nSickness?\n"}) / "mine.txt"


async def refused(
    evaluation: Evaluation, questions: Path, kind: type[RagError], **more: Any
) -> str:
    """Give why a run is not begun; nothing may be kept of it."""
    with pytest.raises(kind) as refusal:
        await evaluation.run(questions, replace(ASKED, **more))
    assert list(evaluation.store.headers()) == []
    return str(refusal.value)


@pytest.mark.parametrize("policy", ["local", "ask"])
async def test_a_refusal_to_send_comes_before_any_question(
    library: Library, questions: Path, policy: Any
) -> None:
    """If this fails, a person who said no is told five times over, of a run nobody can go on with,
    or a time to answer has in it how long the person thought."""
    asked: list[PermissionRequest] = []

    async def no(request: PermissionRequest) -> Decision:
        asked.append(request)
        return Decision.NO

    with ScriptedServer() as server:
        config = configured({"far": far(server)}, databases=policies(staff=policy), fallback=False)
        evaluation = Evaluation(Assistant(library, config, {}), permit=no)
        why = await refused(evaluation, questions, EgressError)
        assert server.requests == []
    assert "rag-assistant databases egress staff any" in why
    assert len(asked) == (policy == "ask")


async def test_leave_is_asked_for_once_before_the_first_question(
    library: Library, questions: Path
) -> None:
    """If this fails, each question asks the person again, or is sent before they said yes."""
    asked: list[int] = []
    with ScriptedServer(Answer("I cannot tell.")) as server:

        async def yes(request: PermissionRequest) -> Decision:
            asked.append(len(server.requests))
            return Decision.ALWAYS

        config = configured({"far": far(server)}, databases=policies(staff="ask"), fallback=False)
        assistant = Assistant(library, config, {})
        report = await Evaluation(assistant, permit=yes).run(questions, ASKED)
        await assistant.aclose()
        assert len(server.requests) >= 3
    assert asked == [0]
    assert report.metrics["stopped"] == 0


async def test_a_database_that_stays_here_is_told_of_where_others_do_not(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """If this fails, one database that stays here keeps all others from being asked."""
    with_diary(library, tmp_path)
    lines = (
        '{"question": "Leave?", "database": "staff"}\n{"question": "March?", "database": "diary"}'
    )
    settle(write_files(tmp_path, {"two.jsonl": lines}))
    with ScriptedServer(Answer("I cannot tell.")) as server:
        allowed = policies(staff="any", diary="local")
        config = configured({"far": far(server)}, databases=allowed, fallback=False)
        assistant = Assistant(library, config, {})
        report = await Evaluation(assistant).run(
            tmp_path / "two.jsonl", EvaluationOptions(mode="answer")
        )
        await assistant.aclose()
    assert [one.answer.outcome for one in report.asked if one.answer] == ["refused", "stopped"]
    assert any("diary stays on this machine" in note for note in report.notes)


@pytest.mark.soak
def test_what_speaks_to_models_is_loaded_before_the_first_question(
    library: Library, questions: Path
) -> None:
    """If this fails, the slowest questions of a run are its first, whatever the model does."""
    with ScriptedServer(Answer("I cannot tell.")) as server:
        settings = {"base_url": server.base_url, "model": "scripted"}
        done = subprocess.run(
            [sys.executable, "-c", FIRST, str(library.home), str(questions), json.dumps(settings)],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.stdout.split() == ["loaded"], done.stderr


FIRST = """
import asyncio, json, sys
from pathlib import Path
from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.library.library import Library

home, questions, settings = sys.argv[1:]
config = Config(model="near", models={"near": ModelSettings(**json.loads(settings))})
assert "openai" not in sys.modules

def first(progress):
    if not progress.done:
        print("loaded" if "openai" in sys.modules else "not loaded")

async def main():
    assistant = Assistant(Library(Path(home)), config, {})
    wishes = EvaluationOptions(databases=("staff",), mode="answer")
    await Evaluation(assistant, tell=first).run(Path(questions), wishes)
    await assistant.aclose()

asyncio.run(main())
"""


async def test_a_model_that_is_not_there_is_named_before_any_search(
    library: Library, questions: Path
) -> None:
    """If this fails, a slip in a name is told after an hour of searches."""
    evaluation = Evaluation(Assistant(library, Config(model="nobody"), {}))
    assert "nobody" in await refused(evaluation, questions, ModelError, mode="all")


async def test_a_budget_of_money_needs_prices(library: Library, questions: Path) -> None:
    """If this fails, a person who set a limit pays without one."""
    limited = EvaluationBudget(cost=1)
    with ScriptedServer(Answer("I cannot tell.")) as server:
        free, paid = server.settings(), server.settings(price_output=1.0)
        config = configured({"near": free}, fallback=False)
        evaluation = Evaluation(Assistant(library, config, {}))
        why = await refused(evaluation, questions, QuestionSetError, budget=limited)
        assert "near has no prices" in why
        assert "--max-tokens" in why
        assert server.requests == []
        both = replace(configured({"near": free, "paid": paid}), helper="paid", fallback=False)
        assistant = Assistant(library, both, {})
        report = await Evaluation(assistant).run(questions, replace(ASKED, budget=limited))
        await assistant.aclose()
    assert any("does not count what near takes" in note for note in report.notes)
