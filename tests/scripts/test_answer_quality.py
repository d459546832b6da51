"""The figures of answers are those that `eval` gives of the same questions."""

import json
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.evaluation import answer_quality
from tests.conftest import write_files

QUESTION = {
    "id": "crane",
    "database": "harbour",
    "question": "How many tonnes does the crane lift at most?",
    "relevant": ["crane.md"],
    "quotes": ["The crane lifts forty tonnes at most."],
    "answers": ["forty tonnes"],
    "answerable": True,
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose only sentence on cranes is the whole answer to the question."""
    texts = {
        "crane.md": "# The crane\n\nThe crane lifts forty tonnes at most.\n",
        "boats.md": "# Boats\n\nBoats are moored at the northern quay.\n",
    }
    Library(tmp_path / "home").index(write_files(tmp_path / "harbour", texts))
    return tmp_path / "home"


def test_figures_are_taken_over_from_the_program(home: Path, tmp_path: Path) -> None:
    """If this fails, the page shows other figures than a person gets, or misses some in silence."""
    report = answer_quality.asked_of(home, tmp_path, "harbour", [QUESTION])
    found = {figure.name: figure for figure in report.figures}
    assert found["harbour: nDCG@10"].value == 1
    assert found["harbour: evidence_recall"].value == 1
    assert found["harbour: answer_contains"].value == 1
    assert found["harbour: citation_verified"].detail
    assert "harbour: refusal_recall" not in found
    times, confidence, *_ = report.tables
    assert [row.split(" | ")[0] for row in times.splitlines()[2:]] == [
        "| search",
        "| retrieve",
        "| answer",
    ]
    assert confidence.splitlines()[-1].endswith("| 1 | 1.00 |")


def test_what_served_for_tuning_is_not_reported(tmp_path: Path) -> None:
    """If this fails, the figures are of questions that the constants were chosen by."""
    lines = [
        {
            "id": str(n),
            "question": f"What is {n}?",
            "relevant": ["a"],
            "quotes": ["b"],
            "starts": [0],
        }
        for n in range(720)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    write_files(tmp_path, {"questions.jsonl": text})
    asked = answer_quality.covid_questions(tmp_path, 8)
    assert [one["id"] for one in asked if "without" not in one] == ["700", "708", "716"]
    left = [one for one in asked if "without" in one]
    assert all(one["without"] == ["a"] and not one["answerable"] for one in left)
    demo = answer_quality.demo_questions()
    assert demo[0]["id"] == "handbook-02"
    assert len(demo) == 60
