"""The benchmarks of search run, at tiny sizes, and say what they promise."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.text.terms import STOP_WORDS, terms_by_word
from scripts.benchmarks.search import adversarial_queries
from scripts.benchmarks.search.wide_vocabulary import word_of
from scripts.benchmarks.shared.figures import Figure
from scripts.benchmarks.shared.synthetic_text import Language
from tests.scripts.command import run


def test_the_same_seed_gives_the_same_passages_however_many_are_made() -> None:
    """Sizes could not be compared, and no run repeated."""
    language, again = Language(1, 3_000, 20), Language(1, 3_000, 20)
    assert list(language.passages(5)) == list(again.passages(20))[:5]
    assert list(language.questions(5, 20)) == list(again.questions(5, 20))
    assert list(Language(2, 3_000, 20).passages(5)) != list(language.passages(5))


def test_synthetic_text_is_of_the_promised_kind() -> None:
    """Latencies of other texts would be compared with the goals."""
    language = Language(1, 3_000, 20)
    passages = list(language.passages(300))
    mean = sum(len(passage.text) for passage in passages) / len(passages)
    assert 740 < mean < 820
    assert len({passage.text for passage in passages}) == len(passages)
    for question in language.questions(50, 300):
        words = question.split()
        assert len(words) == 8
        assert 3 <= sum(word in STOP_WORDS for word in words) <= 4


@pytest.mark.soak
def test_the_search_benchmark_compares_and_leaves_out_what_is_not_there(tmp_path: Path) -> None:
    """A figure would be missing without a word."""
    arguments = ["--words", "1000", "--questions", "3", "--work", str(tmp_path)]
    arguments += ["--peers-python", sys.executable, "--json"]
    arguments += ["--only", "search-10k"]
    run("--passages", "40", *arguments, codes=(1,))  # so small an index misses its goal of size
    found = json.loads(run("--passages", "120", *arguments, codes=(0, 1)))
    names = " ".join(figure["name"] for figure in found["figures"])
    for part in ("size", "typing: p95", "question: p95", "growth from 40 to 120"):
        assert part in names
    tables = "\n".join(found["tables"])
    for row in ("product, files of 10 passages", "product, question", "FTS5 on its file"):
        assert f"| {row}" in tables
    for peer in ("tantivy", "bm25s"):
        assert f"| {peer} |" in tables or peer in " ".join(found["skipped"])


@pytest.mark.soak
def test_the_faults_of_search_are_looked_for(tmp_path: Path) -> None:
    """Odd queries would be tried only when a person types them."""
    work = ("--work", str(tmp_path), "--print")
    sizes = ("--queries", "40", "--passages", "60", "--words", "1000", "--processes", "1")
    output = run("--only", "fuzz", *sizes, *work)
    what = "40 adversarial queries to 60 passages, both profiles"
    assert f"{what}: exceptions and hangs: 0" in output
    output = run("--only", "vocabulary", "--vocabulary", "1000", *work)
    assert "queries to 1,001 distinct terms" in output


@given(st.lists(st.integers(0, 90_000_000), min_size=2, unique=True))
def test_ten_million_words_are_distinct_and_stay_as_they_are(numbers: list[int]) -> None:
    """The vocabulary would be smaller than it is said to be."""
    words = [word_of(number) for number in numbers if number < 81_000_000]
    assert len(set(words)) == len(words)
    assert all(terms_by_word(word) == {word: word} for word in words)


def test_adversarial_queries_are_of_all_kinds_and_the_same_again() -> None:
    """A failure could not be found a second time."""
    words = ["harbour", "crane", "the"] * 10
    queries = list(adversarial_queries.adversarial_queries(1_500, 1, words))
    assert queries == list(adversarial_queries.adversarial_queries(1_500, 1, words))
    kinds = {kind.__name__.replace("_", " ") for kind in adversarial_queries.KINDS}
    assert {kind for kind, _ in queries} == kinds


@pytest.mark.parametrize(
    ("value", "goal", "met"),
    [(2.0, "<= 2.0", True), (2.01, "<= 2.0", False), (0.8, ">= 0.8", True), (30.0, "< 30", False)],
)
def test_goals_are_met_or_missed(value: float, goal: str, met: bool) -> None:
    """The page would praise what fell short."""
    assert Figure("x", value, goal=goal).met() is met
