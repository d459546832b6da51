"""A judge that a person named: what it may change of an answer's marks, and what it may not."""

import json

from rag_assistant.errors import ModelError
from rag_assistant.library.library import Library
from rag_assistant.models.protocol import Model
from rag_assistant.values.evidence import Answer
from rag_assistant.values.support import Support
from tests.assistant.conftest import Played
from tests.scripted import GivenModels, Scripted, ScriptedModel
from tests.verification.test_refusing import LEAVE, asked, read, searched

FREE = "Mothers and fathers alike may stay at home on their usual wage [1]."
WRONG = "Every parent gets twenty weeks of leave at full pay [1]."


async def answer_of(played: Played, library: Library, said: str, judge: Model) -> Answer:
    """Let a model say something that cites every entry it read, with a judge beside it."""
    ids = [entry.id for entry in library.database("handbook").entries()]
    main = ScriptedModel([searched(LEAVE), read(LEAVE, *ids), said])
    assistant = played(main, judge="judge")
    assistant.models = GivenModels(assistant, {"played": main, "judge": judge})
    return await asked(assistant, LEAVE)


def judging(*replies: Scripted) -> ScriptedModel:
    judge = ScriptedModel(replies)
    judge.name = "second"
    return judge


async def test_a_judge_lifts_a_soft_mark_and_is_named(played: Played, indexed: Library) -> None:
    """A right sentence in free words would be doubted although a model has confirmed it."""
    judge = judging(json.dumps({"confirmed": [0]}))
    answer = await answer_of(played, indexed, FREE, judge)
    (sentence,) = answer.sentences
    assert (sentence.support, sentence.confirmed_by) == (Support.SUPPORTED, "second")
    assert sentence.note == "confirmed by second, not word for word"
    assert ("judge", "second") in {(used.role, used.model) for used in answer.usage_by_model}
    (request,) = judge.requests
    assert "usual wage" in request.messages[-1].text
    assert "sixteen weeks" in request.messages[-1].text
    assert "[1]" not in request.messages[-1].text


async def test_a_judge_lifts_no_hard_mark(played: Played, indexed: Library) -> None:
    """One that says yes to everything would make another number right."""
    answer = await answer_of(
        played, indexed, f"{FREE}\n\n{WRONG}", judging('{"confirmed": [0, 1]}')
    )
    states = [one.support for one in answer.sentences]
    assert states[1].is_hard
    judge = judging('{"confirmed": [0, 1]}')
    alone = await answer_of(played, indexed, WRONG, judge)
    assert alone.refusal is not None
    assert judge.requests == []


async def test_a_judge_that_fails_changes_nothing_and_that_is_said(
    played: Played, indexed: Library
) -> None:
    """An answer would be lost, or a mark, because of a model that is only beside it."""
    for reply in ("I cannot say.", '{"confirmed": ["all"]}', ModelError("It is busy.")):
        answer = await answer_of(played, indexed, FREE, judging(reply))
        assert [one.support for one in answer.sentences] == [Support.UNCONFIRMED]
        assert any("second could not give the answer" in said for said in answer.objections)
