"""The benchmarks of search run, at tiny sizes, and say what they promise."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.terms import STOP_WORDS, terms_by_word

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def script(name: str) -> ModuleType:
    """Import a script as the others of its folder do."""
    if str(SCRIPTS) not in sys.path:
        sys.path.append(str(SCRIPTS))
    return importlib.import_module(name)


def run(name: str, *arguments: str) -> str:
    """Run a script and give what it prints."""
    command = [sys.executable, str(SCRIPTS / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_same_seed_gives_the_same_passages_however_many_are_made() -> None:
    """Sizes could not be compared, and no run repeated."""
    make = script("synthetic_text").Language
    language, again = make(1, 3_000, 20), make(1, 3_000, 20)
    assert list(language.passages(5)) == list(again.passages(20))[:5]
    assert list(language.questions(5, 20)) == list(again.questions(5, 20))
    assert list(make(2, 3_000, 20).passages(5)) != list(language.passages(5))


def test_synthetic_text_is_of_the_promised_kind() -> None:
    """Latencies of other texts would be compared with the goals."""
    language = script("synthetic_text").Language(1, 3_000, 20)
    passages = list(language.passages(300))
    mean = sum(len(passage.text) for passage in passages) / len(passages)
    assert 740 < mean < 820
    assert len({passage.text for passage in passages}) == len(passages)
    for question in language.questions(50, 300):
        words = question.split()
        assert len(words) == 8
        assert 3 <= sum(word in STOP_WORDS for word in words) <= 4


def test_the_search_benchmark_compares_and_leaves_out_what_is_not_there(tmp_path: Path) -> None:
    """A figure would be missing without a word."""
    arguments = ["--words", "3000", "--questions", "6", "--work", str(tmp_path)]
    arguments += ["--peers-python", sys.executable, "--json"]
    run("search_benchmark.py", "--passages", "100", *arguments)
    found = json.loads(run("search_benchmark.py", "--passages", "300", *arguments))
    names = " ".join(figure["name"] for figure in found["figures"])
    for part in ("size", "typing: p95", "question: p95", "growth from 100 to 300"):
        assert part in names
    tables = "\n".join(found["tables"])
    for row in ("product, 8 passages an entry", "product, question", "FTS5 on its file"):
        assert f"| {row}" in tables
    for peer in ("tantivy", "bm25s"):
        assert f"| {peer} |" in tables or peer in " ".join(found["skipped"])


def test_the_faults_of_search_are_looked_for(tmp_path: Path) -> None:
    """Odd queries would be tried only when a person types them."""
    arguments = ("--queries", "150", "--passages", "200", "--words", "3000", "--processes", "1")
    output = run("search_faults.py", *arguments, "--vocabulary", "3000", "--work", str(tmp_path))
    assert (
        "150 adversarial queries to 200 passages, both profiles: exceptions and hangs: 0" in output
    )
    assert "queries to 3,001 distinct terms" in output
    assert "MISSED" not in output


@given(st.lists(st.integers(0, 90_000_000), min_size=2, unique=True))
def test_ten_million_words_are_distinct_and_stay_as_they_are(numbers: list[int]) -> None:
    """The vocabulary would be smaller than it is said to be."""
    word_of = script("wide_vocabulary").word_of
    words = [word_of(number) for number in numbers if number < 81_000_000]
    assert len(set(words)) == len(words)
    assert all(terms_by_word(word) == {word: word} for word in words)


def test_adversarial_queries_are_of_all_kinds_and_the_same_again() -> None:
    """A failure could not be found a second time."""
    module = script("adversarial_queries")
    queries = list(module.adversarial_queries(1_500, 1, ["harbour", "crane", "the"] * 10))
    assert queries == list(module.adversarial_queries(1_500, 1, ["harbour", "crane", "the"] * 10))
    kinds = {kind.__name__.replace("_", " ") for kind in module.KINDS}
    assert {kind for kind, _ in queries} == kinds


@pytest.mark.parametrize(
    ("value", "goal", "met"),
    [(2.0, "<= 2.0", True), (2.01, "<= 2.0", False), (0.8, ">= 0.8", True), (30.0, "< 30", False)],
)
def test_goals_are_met_or_missed(value: float, goal: str, met: bool) -> None:
    """The page would praise what fell short."""
    assert script("figures").Figure("x", value, goal=goal).met() is met


def kept(name: str, **more: Any) -> str:
    """Write the result of a part as an earlier run keeps it."""
    figure = {"name": f"{name} speed", "value": 3.0, "unit": "s", "goal": "< 2", "detail": ""}
    report = {"figures": [figure], "tables": [], "skipped": ["there is no such thing"]}
    facts = {"date": "2026-01-01 10:00", "commit": "abc", "minutes": 2.0, "load": 0.5}
    places = {"command": "x.py", "failed": False, "machine": "a machine"}
    return json.dumps({"report": report, **facts, **places, **more})


def test_a_run_goes_on_where_it_was_and_says_why_goals_are_missed(tmp_path: Path) -> None:
    """A night's figures would be lost with the last of them, or a miss be left unexplained."""
    results = tmp_path / "quick" / "results"
    results.mkdir(parents=True)
    parts = [part.name for part in script("benchmarks").PARTS]
    for name in parts:
        (results / f"{name}.json").write_text(kept(name), encoding="utf-8")
    remarks = tmp_path / "remarks.toml"
    remarks.write_text('[[remark]]\nfigure = "fuzz *"\ntext = "The disk is slow."\n')
    run("benchmarks.py", "--quick", "--work", str(tmp_path), "--remarks", str(remarks))
    page = (tmp_path / "quick" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"0 of {len(parts)} goals are met" in page
    assert "| fuzz speed | 3 s | < 2 | The disk is slow. |" in page
    assert page.count("no reason is written down yet") == len(parts) - 1
    assert "Skipped: there is no such thing." in page
    assert "Measured on a machine." in page


def test_a_single_part_is_run_again(tmp_path: Path) -> None:
    """Every new figure would cost the whole night."""
    arguments = ("--quick", "--work", str(tmp_path), "--only", "vocabulary")
    run("benchmarks.py", *arguments)
    path = tmp_path / "quick" / "results" / "vocabulary.json"
    first = path.stat().st_mtime_ns
    run("benchmarks.py", *arguments)
    assert path.stat().st_mtime_ns > first
    page = (tmp_path / "quick" / "benchmarks.md").read_text(encoding="utf-8")
    assert "## Ten million words" in page
    assert "Small sizes" in page
