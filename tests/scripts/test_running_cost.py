"""What an evaluation costs is measured on runs that are what they are said to be."""

import asyncio
from pathlib import Path

import pytest

from rag_assistant.evaluation.measuring.measured import report_of
from rag_assistant.evaluation.runs.store import RunStore
from scripts.benchmarks.evaluation import running_cost


@pytest.mark.soak
def test_a_killed_evaluation_asks_again_only_what_was_in_flight(tmp_path: Path) -> None:
    """If this fails, killing a run costs questions, or the benchmark does not see it."""
    (figure,) = running_cost.kills(tmp_path, 20, 10, 1).figures
    assert figure.value == 0
    assert figure.name.startswith("1 kills")
    assert "10 outcomes kept, 10 of them read" in figure.detail


def test_a_run_is_repeated_with_all_its_outcomes(tmp_path: Path) -> None:
    """If this fails, a report of 5,000 questions is measured on fewer."""
    folder = tmp_path / "synthetic"
    running_cost.write_collection(folder, 40, 3)
    asyncio.run(running_cost.evaluation_of(tmp_path / "home").run(folder, running_cost.SEARCHES))
    run = RunStore(tmp_path / "home").read(1)
    many = running_cost.repeated(run, 10)
    assert len({one.id for one in many.questions}) == len(many.outcomes) == 10
    assert sum(one.search is not None for one in report_of(many).asked) == 10
