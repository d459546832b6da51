"""Two runs compared: how questions are paired, what is called noise, and what is told of each."""

from dataclasses import replace

import pytest

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.comparing import compare
from rag_assistant.evaluation.measuring.figures import figures_of
from rag_assistant.evaluation.reports.comparison import outcome
from rag_assistant.evaluation.reports.comparison_table import comparison_table
from tests.evaluation.made_reports import made_report
from tests.evaluation.made_runs import ndcg, run, verdict


def test_questions_are_paired_by_id_and_words() -> None:
    """If this fails, a run is compared with another question's figures."""
    before = run(
        "a",
        verdict("1", {"MAP": 0.5}),
        verdict("2", {"MAP": 1.0}),
        replace(verdict("3", {"MAP": 1.0}), question="As it was?"),
    )
    now = run(
        "b", verdict("3", {"MAP": 0.0}), verdict("1", {"MAP": 0.75}), verdict("4", {"MAP": 0})
    )
    found = compare(before, now)
    assert (found.pairs, found.only_before, found.only_now) == (1, ("2",), ("4",))
    assert found.reworded == ("3",)
    (change,) = found.changes
    assert (change.before, change.now, change.paired.pairs) == (0.5, 0.75, 1)
    assert [one.id for one in found.moved] == ["1"]
    shown = comparison_table(found)
    assert "Left out, only in a (1): 2" in shown
    assert "with other words now (1): 3" in shown


@pytest.mark.parametrize(
    ("old", "new", "word", "said"),
    [
        ([0.2] * 9, [0.9] * 9, "better", "Better: nDCG@10."),
        ([0.9] * 9, [0.2] * 9, "worse", "Worse: nDCG@10."),
        ([0.5, 0.6, 0.7] * 3, [0.6, 0.5, 0.7] * 3, "noise", "No difference is more than noise"),
        ([0.5] * 5, [0.9] * 5, "noise", "No difference is more than noise"),
        ([0.5] * 9, [0.5] * 9, "same", "No question has another measure"),
        ([0.5] * 9, [0.50004] * 9, "same", "No question has another measure"),
    ],
)
def test_what_a_difference_is_called(
    old: list[float], new: list[float], word: str, said: str
) -> None:
    """If this fails, noise is sold as progress, or progress as noise."""
    found = compare(ndcg("a", *old), ndcg("b", *new))
    assert found.changes[0].word == word
    assert outcome(found).startswith(said)
    assert ("it takes 6 at least" in comparison_table(found, 300)) is (len(old) == 5)


def test_less_is_better_where_it_is() -> None:
    """If this fails, a run that breaks off more often is praised."""
    answers = ["answered"] * 10
    before = run("a", *(verdict(str(n), {}, outcome=said) for n, said in enumerate(answers)))
    broken = ["answered", *["stopped"] * 9]
    now = run("b", *(verdict(str(n), {}, outcome=said) for n, said in enumerate(broken)))
    found = compare(before, now)
    words = {change.metric: (change.word, change.better, change.worse) for change in found.changes}
    assert words == {"answered": ("worse", 0, 9), "stopped": ("worse", 0, 9)}
    assert found.changes[1].drop == pytest.approx(0.9)
    assert found.moved[0].gain == -1
    assert found.moved[0].changes[0] == "answered → stopped"


def test_the_questions_that_fared_worst_come_first_with_what_changed() -> None:
    """If this fails, a person has to look for the question that broke."""
    before = run(
        "a",
        verdict("same", {"R@10": 1.0}, rank=3),
        verdict("up", {"R@10": 0.0}, rank=0),
        verdict(
            "down",
            {"R@10": 1.0, "answer_contains": 1.0},
            rank=2,
            outcome="answered",
            quotes=("one", "two"),
        ),
        verdict("wrong", {"answer_contains": 1.0}, outcome="answered", quotes=("one",)),
    )
    now = run(
        "b",
        verdict("same", {"R@10": 1.0}, rank=3),
        verdict("up", {"R@10": 1.0}, rank=4),
        verdict(
            "down",
            {"R@10": 0.0, "answer_contains": 0.0},
            rank=0,
            outcome="refused",
            quotes=("two", "three", "four"),
        ),
        verdict("wrong", {"answer_contains": 0.0}, outcome="answered", quotes=("one",)),
    )
    moved = compare(before, now).moved
    assert [one.id for one in moved] == ["down", "wrong", "up"]
    assert moved[0].changes[:3] == (
        "rank 2 → over 10",
        "answered → refused",
        "quotes: 1 lost, 2 gained",
    )
    assert moved[1].changes == ("right → wrong", "answer_contains −1.000")
    assert moved[2].changes == ("rank over 10 → 4", "R@10 +1.000")
    shown = comparison_table(compare(before, now), 80, 1)
    assert "2 questions are worse, the first 1" in shown
    assert shown.index("down:") < shown.index("up:")
    assert "wrong:" not in shown


def test_only_the_metrics_that_were_named() -> None:
    """If this fails, --metric is without effect, or a slip of the pen compares nothing."""
    before = run("a", verdict("1", {"MAP": 0.5, "R@10": 1.0}))
    now = run("b", verdict("1", {"MAP": 0.6, "R@10": 0.0}))
    found = compare(before, now, metrics=["MAP"])
    assert [change.metric for change in found.changes] == ["MAP"]
    assert found.moved[0].gain == pytest.approx(0.1)
    with pytest.raises(QuestionSetError) as caught:
        compare(before, now, metrics=["r@1"])
    assert caught.value.hint == "Did you mean R@10?"


def test_runs_with_nothing_in_common() -> None:
    """If this fails, comparing a search with answers ends in a traceback."""
    found = compare(ndcg("a", 0.5), run("b", verdict("q0", {"token_f1": 0.5})))
    assert found.changes == ()
    assert "nothing to compare" in comparison_table(found)
    assert compare(run("a"), run("b")).pairs == 0
    with pytest.raises(QuestionSetError, match="no metric 'MAP'"):
        compare(run("a"), run("b"), metrics=["MAP"])


def test_what_is_not_alike_comes_first() -> None:
    """If this fails, another model's gain is taken for that of a setting."""
    report = made_report(6)
    header = report.header
    (stamp,) = header.indexes
    other = replace(
        report,
        header=replace(
            header,
            number=13,
            set_digest="another",
            settings=replace(header.settings, model="large", reranker="cross", seed=3),
            indexes=(replace(stamp, digest="changed!", entries=1_412),),
            versions={**header.versions, "sqlite": "4"},
            machine="1 core",
        ),
    )
    found = compare(figures_of(report), figures_of(other))
    assert [one.what for one in found.unlike] == [
        "questions",
        "model",
        "reranker",
        "index staff",
        "sqlite",
        "machine",
    ]
    shown = comparison_table(found, 80)
    assert shown.index("Not made alike") < shown.index("metric  ")
    assert "model        extractive → large" in shown
    assert "reranker     – → cross" in shown
    assert "on different machines" in shown
    assert compare(figures_of(report), figures_of(report)).unlike == ()
