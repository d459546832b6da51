"""What a run tells of its searches, what it read, and the limits that it met."""

from rag_assistant.config import Limits
from rag_assistant.values.coverage import coverage_statement
from tests.agents.playing import play, read, search
from tests.agents.test_limits import searches


async def test_an_ordinary_run_meets_no_limit() -> None:
    """Every answer would seem to be cut short."""
    played = await play([(search(),), (read(),), "Sixteen weeks [1]."])
    assert played.answer.coverage.limits == ()
    assert "Limit" not in coverage_statement(played.answer.coverage)


async def test_the_limits_that_were_met_are_named() -> None:
    """A person would take an answer that was cut short for all that there is."""
    played = await play([*searches(2), "Found."], Limits(searches=1))
    (met,) = played.answer.coverage.limits
    assert met == "searches (1), 1 more not made"
    played = await play([*searches(1), "As far as I found."], Limits(steps=2))
    assert played.answer.coverage.limits == ("2 steps (nearly)",)
    played = await play(searches(3), Limits(steps=3))
    assert played.stopped.partial.coverage.limits == ("3 steps",)
