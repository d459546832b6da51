"""Runs that are limited, stopped, broken or gone on with: a real index, a model on loopback."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import ModelError, QuestionSetError
from rag_assistant.evaluation.running.budget import EvaluationBudget
from rag_assistant.evaluation.running.evaluate import Evaluation
from rag_assistant.evaluation.running.running import RunProgress
from rag_assistant.evaluation.running.wishes import EvaluationOptions
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Answer, Silence, Status
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest

COUNT = 6


@pytest.fixture
def questions(folder: Path) -> Path:
    """Questions of which a request tells which it is for."""
    path = folder.with_name("staff.questions.jsonl")
    lines = [
        {"id": str(n), "question": f"Question number {n} on leave?", "answers": ["27 days"]}
        for n in range(COUNT)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


class Served:
    """A library, and a model that says the same to everything."""

    def __init__(self, library: Library, server: ScriptedServer) -> None:
        self.server = server
        settings = server.settings(price_input=1.0, price_output=1.0)
        config = Config(model="mine", models={"mine": settings}, fallback=False)
        self.assistant = Assistant(library, config, {})

    def asked(self) -> set[int]:
        """The questions that the model was asked so far."""
        texts = [request.text() for request in self.server.requests]
        return {n for n in range(COUNT) if any(f"Question number {n}" in text for text in texts)}


@pytest.fixture
async def served(library: Library) -> AsyncGenerator[Served, None]:
    """A model that answers at once, without evidence."""
    with ScriptedServer(Answer("Twenty-seven.", usage=(100, 20))) as server:
        made = Served(library, server)
        yield made
        await made.assistant.aclose()


async def test_a_budget_ends_a_run_that_can_go_on(served: Served, questions: Path) -> None:
    """A forgotten run would cost without end, or all it had cost would be lost with it."""
    evaluation = Evaluation(served.assistant)
    wishes = EvaluationOptions(mode="answer", budget=EvaluationBudget(at_once=1, tokens=200))
    report = await evaluation.run(questions, wishes)
    done = [one for one in report.asked if one.answer]
    assert 0 < len(done) < COUNT
    assert report.header.ended is None
    (note,) = [note for note in report.notes if "Not all was asked" in note]
    assert "--max-tokens" in note
    assert "rag-assistant eval resume 1" in note
    before = len(served.server.requests)
    whole = await evaluation.resume(1, EvaluationBudget(tokens=10**9))
    assert [one.answer is not None for one in whole.asked] == [True] * COUNT
    assert whole.header.ended is not None
    assert whole.asked[0].answer == done[0].answer
    again = served.server.requests[before:]
    assert not any("Question number 0" in request.text() for request in again)
    with pytest.raises(QuestionSetError, match="Run 1 is done"):
        await evaluation.resume(1)


async def test_money_counts_what_was_spent_before(served: Served, questions: Path) -> None:
    """A run that is resumed again and again would spend its budget each time."""
    evaluation = Evaluation(served.assistant)
    wishes = EvaluationOptions(mode="answer", budget=EvaluationBudget(at_once=1, cost=0.0001))
    first = await evaluation.run(questions, wishes)
    asked = len(served.server.requests)
    again = await evaluation.run(questions, wishes)
    assert again.header.number == first.header.number
    assert len(served.server.requests) == asked
    assert any("--max-cost" in note for note in again.notes)


async def test_no_more_questions_are_asked_at_once_than_was_said(
    library: Library, questions: Path
) -> None:
    """A server with one place would be flooded, or a large one wait on a single question."""
    running, most = 0, 0
    loop = asyncio.get_running_loop()
    several = asyncio.Event()

    def count(_: SeenRequest) -> Answer:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == 3:
            loop.call_soon_threadsafe(several.set)
        asyncio.run_coroutine_threadsafe(several.wait(), loop).result(10)
        running -= 1
        return Answer("Twenty-seven.")

    with ScriptedServer(count) as server:
        served = Served(library, server)
        wishes = EvaluationOptions(mode="answer", budget=EvaluationBudget(at_once=3))
        report = await Evaluation(served.assistant).run(questions, wishes)
        await served.assistant.aclose()
    assert most == 3
    assert report.header.settings.at_once == 3
    assert len([one for one in report.asked if one.answer]) == COUNT


async def test_a_run_that_is_stopped_goes_on_where_it_was(
    library: Library, questions: Path
) -> None:
    """Ctrl-C, or a lost connection, would cost all that was done."""
    asked: list[str] = []

    def hang(request: SeenRequest) -> Answer | Silence:
        asked.append(request.text())
        stuck = "Question number 3" in request.text()
        return Silence() if stuck and len(asked) < 40 and not released else Answer("27 days.")

    released = False
    seen: list[RunProgress] = []
    remarks: list[str] = []
    with ScriptedServer(hang) as server:
        served = Served(library, server)
        evaluation = Evaluation(served.assistant, tell=seen.append, remark=remarks.append)
        wishes = EvaluationOptions(mode="answer", budget=EvaluationBudget(at_once=1))
        run = asyncio.create_task(evaluation.run(questions, wishes))
        async with asyncio.timeout(20):
            while 3 not in served.asked():
                await asyncio.sleep(0.01)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert seen[-1].done == 3
        released = True
        before = len(server.requests)
        report = await evaluation.run(questions, wishes)
        later = [request.text() for request in server.requests[before:]]
        await served.assistant.aclose()
    assert remarks == ["Run 1 was broken off at 3 of 6, and goes on (--anew begins another)."]
    assert not any(f"Question number {n}" in text for text in later for n in range(3))
    assert report.header.number == 1
    assert len([one for one in report.asked if one.answer]) == COUNT


async def test_a_model_that_never_answers_ends_the_run(library: Library, questions: Path) -> None:
    """Hundreds of questions would be put to a server that is not there, and count as answers."""
    with ScriptedServer(Status(401, {"error": {"message": "no such key"}})) as server:
        served = Served(library, server)
        evaluation = Evaluation(served.assistant)
        with pytest.raises(ModelError, match="The first 5 questions all broke off"):
            await evaluation.run(
                questions, EvaluationOptions(mode="answer", budget=EvaluationBudget(at_once=1))
            )
        kept = evaluation.store.read(1)
        await served.assistant.aclose()
    assert kept.outcomes == ()
    assert kept.header.ended is None


async def test_another_index_is_another_run(
    assistant: Assistant, questions: Path, folder: Path
) -> None:
    """Half of the figures would be of documents that are no longer there."""
    evaluation = Evaluation(assistant)
    wishes = EvaluationOptions(mode="answer", budget=EvaluationBudget(at_once=1, minutes=0))
    first = await evaluation.run(questions, wishes)
    assert not [one for one in first.asked if one.answer]
    (folder / "new.md").write_text("# New\n\nThere are 30 days of leave now.\n", encoding="utf-8")
    assistant.library.index(folder)
    with pytest.raises(QuestionSetError, match="have changed since"):
        await evaluation.resume(1)
    second = await evaluation.run(questions, replace(wishes, budget=EvaluationBudget()))
    assert second.header.number == 2
    assert second.header.indexes[0].digest != first.header.indexes[0].digest
    third = await evaluation.run(questions, replace(wishes, budget=EvaluationBudget()))
    assert third.header.same_work(second.header)
