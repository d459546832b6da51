"""The measures of answers, each against an example computed by hand."""

import pytest

from rag_assistant.evaluation.measuring.answers import (
    ANSWER_MEASURES,
    answer_measures,
    judge_metrics,
    refusal_metrics,
    refusal_precision,
    refusal_recall,
    rightness,
)
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.runs.outcomes import ModelVerdict
from tests.evaluation.made_answers import made_outcome

CARRIED = "Up to eight days may be carried over."
USED = "They must be used by 30 June, after which they lapse."
ELSEWHERE = "The salary is paid on the 25th of each month."
QUESTION = Question("1", "How many days?", {"a.md": 1}, (CARRIED, USED), ("eight days", "8 days"))
UNANSWERABLE = Question("2", "Who ate it?", answerable=False)
RIGHT = ModelVerdict(
    "far", "right", "As the reference says.", tokens_in=100, tokens_out=9, cost=0.5
)
SILENT = ModelVerdict("far", "", failure="It timed out.", tokens_in=50)


def test_citations_count_by_what_they_quote() -> None:
    """If this fails, citing everything looks as good as citing what matters."""
    # Two of three citations are of a reference, and they are of the same one of two.
    quotes = ["eight days may be carried over", f"# Leave {CARRIED}", ELSEWHERE]
    measured = answer_measures(QUESTION, made_outcome("Eight days [1][2][3].", quotes))
    assert measured["citation_precision"] == pytest.approx(2 / 3)
    assert measured["citation_recall"] == 0.5
    assert measured["quote_recall"] == 0.5
    assert measured["citation_verified"] == 1


def test_without_quotes_citations_count_by_their_documents() -> None:
    """If this fails, sets that have judged documents alone say nothing of citations."""
    asked = Question("1", "?", {"a.md": 2, "b.md": 1, "c.md": 0})
    outcome = made_outcome("So [1][2].", ["x", "y"], paths=["a.md", "c.md"])
    measured = answer_measures(asked, outcome)
    assert measured["citation_precision"] == 0.5
    assert measured["citation_recall"] == 0.5
    records = made_outcome("So [1].", ["x"], paths=["corpus.jsonl"], documents=["b.md"])
    assert answer_measures(asked, records)["citation_precision"] == 1


def test_what_was_refused_misses_its_references() -> None:
    """If this fails, a model that refuses what is hard looks precise, and nothing tells."""
    measured = answer_measures(QUESTION, made_outcome("The documents do not hold it."))
    assert measured["citation_recall"] == measured["quote_recall"] == 0
    assert measured["token_f1"] == measured["answer_contains"] == 0
    assert not measured.keys() & {"citation_precision", "citation_verified", "judged_right"}


def test_markers_are_no_part_of_the_answer() -> None:
    """If this fails, no answer that cites is ever an exact match."""
    measured = answer_measures(QUESTION, made_outcome("Eight days [1].", [CARRIED]))
    assert measured["exact_match"] == measured["token_f1"] == 1


def test_an_unanswerable_question_has_no_references_to_miss() -> None:
    """If this fails, rightly refusing lowers the means."""
    assert answer_measures(UNANSWERABLE, made_outcome("No.")) == {}
    assert answer_measures(UNANSWERABLE, made_outcome("So [1].", ["?made up"])) == {
        "citation_verified": 0
    }


@pytest.mark.parametrize(("verdict", "worth"), [("right", 1), ("partly", 0.5), ("wrong", 0)])
def test_verdicts_count(verdict: str, worth: float) -> None:
    """If this fails, partly right is as good as right, or as bad as wrong."""
    judgement = ModelVerdict("far", verdict)  # type: ignore[arg-type]
    outcome = made_outcome("So [1].", [ELSEWHERE], judgement=judgement)
    assert answer_measures(QUESTION, outcome)["judged_right"] == worth
    assert rightness(QUESTION, outcome) == worth


def test_a_judge_without_a_verdict_counts_neither_way() -> None:
    """If this fails, an endpoint that fails makes answers wrong."""
    outcome = made_outcome("Eight days [1].", [CARRIED], judgement=SILENT)
    assert "judged_right" not in answer_measures(QUESTION, outcome)
    assert rightness(QUESTION, outcome) == 1  # told by the references


def test_every_measure_has_its_name_and_its_line() -> None:
    """If this fails, a figure is in no report, or stands there without a word."""
    outcome = made_outcome("Eight days [1].", [CARRIED], judgement=RIGHT)
    pairs = [(QUESTION, outcome)]
    assert answer_measures(QUESTION, outcome).keys() <= {*ANSWER_MEASURES, *judge_metrics(pairs)}
    named = {*ANSWER_MEASURES, *refusal_metrics(pairs), *judge_metrics(pairs)}
    assert named <= EXPLANATIONS.keys()


def test_right_is_told_by_the_references_where_there_is_no_judge() -> None:
    """If this fails, reliability compares confidence with something else than being right."""
    assert rightness(QUESTION, made_outcome("Eight days [1].", [ELSEWHERE])) == 1
    assert rightness(QUESTION, made_outcome("See there [1].", [USED])) == 1
    assert rightness(QUESTION, made_outcome("Ten days [1].", [ELSEWHERE])) == 0
    assert rightness(UNANSWERABLE, made_outcome("The dog [1].", [ELSEWHERE])) == 0
    assert rightness(Question("3", "?", {"a.md": 1}), made_outcome("So [1].", ["x"])) is None
    assert rightness(QUESTION, made_outcome("Not there.")) is None
    assert rightness(QUESTION, made_outcome("Eight [1]", [CARRIED], stopped="limit")) is None


def test_refusals_are_right_or_wrong_both_ways() -> None:
    """If this fails, refusing everything or nothing looks good."""
    # (refused, answerable): one right refusal, one wrong one, one invented answer, one answer.
    outcomes = [(True, False), (True, True), (False, False), (False, True)]
    assert refusal_precision(outcomes) == 0.5
    assert refusal_recall(outcomes) == 0.5
    assert refusal_precision([(False, True)]) is None
    assert refusal_recall([(True, True)]) is None


def test_a_run_that_broke_off_is_neither_answer_nor_refusal() -> None:
    """If this fails, a broken model looks like an honest one."""
    broken = made_outcome(stopped="the limit of tokens")
    found = refusal_metrics([(QUESTION, broken), (UNANSWERABLE, broken)])
    assert found == {"answered": 0, "refusal_precision": None, "refusal_recall": 0, "stopped": 1}
    assert set(refusal_metrics([]).values()) == {None}


def test_what_the_judge_took_is_told_apart() -> None:
    """If this fails, judging is not paid for, or every report has lines on a judge."""
    pairs = [(QUESTION, made_outcome("x", ["y"], judgement=one)) for one in (RIGHT, SILENT)]
    pairs.append(
        (QUESTION, made_outcome("No.", judgement=ModelVerdict("far", "wrong")))
    )  # not asked
    assert judge_metrics(pairs) == {
        "judged_right": 0.5, "judge_failed": 0.5,
        "judge_tokens_in": 150, "judge_tokens_out": 9, "judge_cost": 0.5,
    }  # fmt: skip
    assert judge_metrics([(QUESTION, made_outcome())]) == {}
