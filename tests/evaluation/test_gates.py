"""Least values and baselines: what fails a script, and what it is told."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.cli.main import main
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.figures import Figures
from rag_assistant.evaluation.measuring.gates import (
    GUARDED,
    Minimum,
    no_worse,
    reached,
    read_minimums,
)
from rag_assistant.evaluation.measuring.metric_names import LESS_IS_BETTER, NEITHER
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from tests.evaluation.made_runs import ndcg, run, verdict


def test_least_values_as_they_are_written() -> None:
    """If this fails, a gate is passed that nobody set."""
    found = read_minimums(["nDCG@10=0.7", "answered = 1"], EXPLANATIONS)
    assert found == (Minimum("nDCG@10", 0.7), Minimum("answered", 1.0))


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("ndcg@10=0.7", "Did you mean nDCG@10"),
        ("answerd=0.7", "Did you mean answered"),
        ("nDCG@10", "--min nDCG@10=0.7"),
        ("nDCG@10=", "--min nDCG@10=0.7"),
        ("nDCG@10=much", "--min nDCG@10=0.7"),
        ("nDCG@10=nan", "--min nDCG@10=0.7"),
        ("nDCG@10=inf", "--min nDCG@10=0.7"),
        ("=0.5", "There are: "),
    ],
)
def test_a_slip_in_a_least_value_is_told(written: str, hint: str) -> None:
    """If this fails, a gate with a slip in it lets everything through."""
    with pytest.raises(QuestionSetError) as caught:
        read_minimums([written], EXPLANATIONS)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("metric", "value", "demanded", "holds", "said"),
    [
        ("MAP", 0.7, 0.7, True, "MAP is 0.7; at least 0.7 is demanded."),
        ("MAP", 0.69996, 0.7, False, "MAP is 0.69996; at least 0.7 is demanded."),
        ("MAP", 0.5, 0.7, False, "MAP is 0.5; at least 0.7 is demanded."),
        ("stopped", 0.2, 0.1, False, "stopped is 0.2; at most 0.1 is demanded."),
        ("answer_p95_ms", 900.0, 1000, True, "is 900; at most 1000 is demanded."),
        ("MAP", None, 0.7, False, "was not measured, and 0.7 is demanded: the questions give"),
    ],
)
def test_a_least_value_is_reached_or_not(
    metric: str, value: float | None, demanded: float, *, holds: bool, said: str
) -> None:
    """If this fails, the exit code says the opposite of the figures."""
    (check,) = reached([Minimum(metric, demanded)], {metric: value})
    assert check.holds is holds
    assert said in check.line


def test_what_this_run_does_not_measure_fails() -> None:
    """If this fails, a gate on answers is passed by a run that asked for none."""
    (check,) = reached([Minimum("answered", 0.1)], {"MAP": 1.0})
    assert not check.holds
    assert "see --mode" in check.line


@pytest.mark.parametrize(
    ("old", "new", "tolerance", "holds", "said"),
    [
        ([0.9] * 9, [0.2] * 9, 0.0, False, "worse by 0.700, and more than noise, p 0.0039"),
        ([0.9] * 9, [0.2] * 9, 0.8, True, "0.8 is allowed"),
        ([0.2] * 9, [0.9] * 9, 0.0, True, "0.200 in a, now 0.900."),
        ([0.5] * 9, [0.5] * 9, 0.0, True, "0.500 in a, now 0.500."),
        ([0.5, 0.7] * 5, [0.7, 0.4] * 5, 0.0, True, "no more than noise"),
        ([0.9] * 5, [0.2] * 5, 0.0, True, "5 questions differ: too few to tell"),
    ],
)
def test_a_baseline_is_held_against(
    old: list[float], new: list[float], tolerance: float, *, holds: bool, said: str
) -> None:
    """If this fails, a loss passes, or noise stops a release."""
    (check,) = no_worse(ndcg("a", *old), ndcg("b", *new), tolerance=tolerance)
    assert check.holds is holds
    assert said in check.line


def some(name: str, measures: Mapping[str, float], metrics: Mapping[str, float | None]) -> Figures:
    """Nine questions with the same measures, in a run with these metrics besides."""
    made = run(name, *(verdict(str(n), measures) for n in range(9)))
    return replace(made, metrics={**made.metrics, **metrics})


def test_what_cannot_be_compared_is_told_and_what_was_lost_fails() -> None:
    """If this fails, a baseline of other questions, or one that lost its answers, is a pass."""
    (check,) = no_worse(ndcg("a", 0.5), run("b", verdict("other", {"nDCG@10": 0.5})))
    assert not check.holds
    assert "b cannot be held against a" in check.line
    before = some("a", {"nDCG@10": 0.5, "token_f1": 0.5, "citation_verified": 1.0}, {})
    now = some("b", {"nDCG@10": 0.5}, {"citation_verified": None})
    held, lost, not_asked = no_worse(before, now)
    assert held.holds
    assert (lost.holds, lost.line) == (
        False,
        "Measured in a, and could not be now: citation_verified.",
    )
    assert not_asked.holds
    assert not_asked.line == "Not held against a, because not asked now: token_f1."


def test_only_what_is_guarded_stops_anybody() -> None:
    """If this fails, a measure that nobody looks at fails a release."""
    before = some("a", {"nDCG@10": 0.5, "sentences_supported": 1.0}, {})
    now = some("b", {"nDCG@10": 0.5, "sentences_supported": 0.0}, {})
    assert [check.holds for check in no_worse(before, now)] == [True]


def test_every_name_is_that_of_a_metric() -> None:
    """If this fails, a metric was renamed and its gate guards nothing."""
    assert {*GUARDED, *LESS_IS_BETTER, *NEITHER} <= set(EXPLANATIONS)


def test_the_exit_code(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails, CI goes on with what the gate was to stop."""
    home = ["--home", str(tmp_path / "cli-home")]
    assert main([*home, "index", str(folder)]) == 0
    questions = folder.with_name("staff.questions.jsonl")
    told = {"id": "1", "question": "On which day is the salary paid in December?"}
    lines = [{**told, "relevant": ["pay/pay dates.md"]}]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    search = [*home, "eval", str(questions), "--mode", "search"]
    base = tmp_path / "base.json"
    assert main([*search, "--min", "found@10=1", "--report", str(base)]) == 0
    assert "found@10 is 1.0; at least 1 is demanded." in capsys.readouterr().err
    assert main([*search, "--min", "found@10=1.01"]) == 1
    assert main([*search, "--min", "answered=0.1"]) == 1
    for baseline in ("1", "last", str(base)):
        assert main([*search, "--baseline", baseline]) == 0
    capsys.readouterr()
    runs = sorted((tmp_path / "cli-home" / "evaluations").iterdir())
    assert main([*search, "--min", "fond@10=1"]) == 1
    assert main([*search, "--baseline", "99"]) == 1
    printed = capsys.readouterr().err
    assert "Did you mean found@10" in printed
    assert "There is no run 99" in printed
    # Nothing was asked before the slip was told.
    assert sorted((tmp_path / "cli-home" / "evaluations").iterdir()) == runs
