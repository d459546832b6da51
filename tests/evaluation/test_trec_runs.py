"""Runs in the format of TREC: written, read back, and read by the programs that others use."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.values import BadLine, document_id
from rag_assistant.evaluation.runs.outcomes import QuestionCost, RankedDocument, SearchOutcome
from rag_assistant.evaluation.runs.trec_runs import read_run, write_run

read_by_ir_measures: Any = ir_measures.read_trec_run  # it has no annotations
NAMES = st.text(min_size=1, max_size=8).map(document_id) | st.sampled_from(
    ["50% off.md", "a%20b", "pay/pay dates.md", "caf\udce9.txt", "a\N{NO-BREAK SPACE}b", "a\x1cb"]
)
SCORES = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, 5000.0, 5000.0001])
RANKINGS = st.dictionaries(
    NAMES.filter(lambda name: not _has_a_lone_surrogate(name)),
    st.lists(st.tuples(NAMES, SCORES), unique_by=lambda pair: pair[0], min_size=1, max_size=12),
    min_size=1,
    max_size=4,
)


def _has_a_lone_surrogate(name: str) -> bool:
    return any(0xD800 <= ord(letter) < 0xE000 for letter in name)


def outcome(question: str, ranking: Sequence[tuple[str, float]]) -> SearchOutcome:
    ranked = sorted((RankedDocument(*pair) for pair in ranking), key=lambda one: -one.score)
    return SearchOutcome(question, tuple(ranked), {}, QuestionCost(1.0))


@given(RANKINGS, st.sampled_from(["", "3", "with reranker"]))
def test_what_is_written_is_read_again(
    rankings: dict[str, list[tuple[str, float]]], tag: str
) -> None:
    """If this fails, a ranking that was kept as a run is measured as another."""
    outcomes = [outcome(question, ranking) for question, ranking in rankings.items()]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out.trec"
        write_run(path, outcomes, tag)
        found = read_run(path)
        theirs = list(read_by_ir_measures(path.read_text("utf-8", "surrogateescape")))
    assert found.bad_lines == ()
    wanted = {one.question_id: [ranked.document for ranked in one.ranking] for one in outcomes}
    read = {question: [one.document for one in each] for question, each in found.rankings.items()}
    assert read == wanted
    by_question: dict[str, list[str]] = {}
    for line in sorted(theirs, key=lambda line: -line.score):
        by_question.setdefault(unquote(line.query_id), []).append(unquote(line.doc_id))
    assert by_question == wanted


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdeéß"), st.sampled_from([1.0, 1.00000001, 2.0, -3.0, 1e300])),
        unique_by=lambda pair: pair[0],
        min_size=1,
    )
)
def test_ties_are_broken_as_trec_eval_breaks_them(lines: list[tuple[str, float]]) -> None:
    """If this fails, the figures of another program's run are not those that it publishes."""
    import pytrec_eval

    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        path.write_text("".join(f"1 Q0 {name} 0 {score} x\n" for name, score in lines), "utf-8")
        ranking = [one.document for one in read_run(path).rankings["1"]]
    for rank, name in enumerate(ranking, 1):
        evaluator = pytrec_eval.RelevanceEvaluator({"1": {name: 1}}, {"recip_rank"})
        assert evaluator.evaluate({"1": dict(lines)})["1"]["recip_rank"] == pytest.approx(1 / rank)


def test_lines_that_cannot_be_used_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    """If this fails, one slip in a long file costs the whole run, or nobody learns of it."""
    path = tmp_path / "bm25.run"
    path.write_bytes(
        b"\xef\xbb\xbf7\tQ0\td1\t1\t2.5\tother system 1\r\n"
        b"\n"
        b"7 Q0 d2 2\n"
        b"7 Q0 d3 3 high x\n"
        b"7 Q0 d4 4 nan x\n"
        b"7 Q0 d1 5 9.0 x\n"
        b"  8   Q0 d\xff 1 1e-3 x\n"
        b"7 Q0 d5 9 3 x"
    )
    found = read_run(path)
    assert [one.document for one in found.rankings["7"]] == ["d5", "d1"]
    assert found.rankings["8"] == (RankedDocument("d\udcff", 0.001),)
    assert found.bad_lines == (
        BadLine("bm25.run", 3, "4 fields instead of six: qid Q0 docid rank score tag"),
        BadLine("bm25.run", 4, "the fifth field, the score, is not a number"),
        BadLine("bm25.run", 5, "the fifth field, the score, is not a number"),
        BadLine("bm25.run", 6, "d1 is in the ranking of 7 already"),
    )


def test_ids_of_others_stay_as_they_are(tmp_path: Path) -> None:
    """If this fails, documents known by their address count as not found."""
    line = "1 Q0 https://example.org/a%20b 1 2.0 {}\n"
    for tag, document in (
        ("bm25", "https://example.org/a%20b"),
        ("rag-assistant-3", "https://example.org/a b"),
    ):
        path = tmp_path / tag
        path.write_text(line.format(tag), "utf-8")
        assert read_run(path).rankings["1"] == (RankedDocument(document, 2.0),)


def test_what_is_no_run_is_said_in_a_line(tmp_path: Path) -> None:
    """If this fails, a wrong path looks like a system that finds nothing."""
    path = tmp_path / "notes.txt"
    path.write_text("just words\n", "utf-8")
    with pytest.raises(QuestionSetError, match=r"no line of a TREC run\. Line 1: 2 fields"):
        read_run(path)
    with pytest.raises(QuestionSetError, match="cannot be read: No such file"):
        read_run(tmp_path / "nothing")


def test_how_a_run_looks(tmp_path: Path) -> None:
    """If this fails, tools that sort by score reorder hits of equal score by name."""
    ranking = (
        RankedDocument("50% z.md", 1.0),
        RankedDocument("50% y.md", 1.0),
        RankedDocument("x.md", 0.0),
    )
    path = tmp_path / "out.trec"
    write_run(path, [SearchOutcome("pay day", ranking, {}, QuestionCost(1.0))], "3")
    assert path.read_text("utf-8") == (
        "pay%20day Q0 50%25%20z.md 1 1.0000 rag-assistant-3\n"
        "pay%20day Q0 50%25%20y.md 2 0.9999 rag-assistant-3\n"
        "pay%20day Q0 x.md 3 0.0000 rag-assistant-3\n"
    )
