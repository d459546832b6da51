"""The measurements of quotes, of support and of failing models find what the product promises."""

from pathlib import Path

import pytest

from scripts.benchmarks.trust import model_faults
from tests.scripts.command import printed


def test_altered_quotes_of_the_demo_are_told_apart(tmp_path: Path) -> None:
    """Slips would make quotes missing, or wrong quotes pass, and the docstring's figures lie."""
    report = printed("quotes", "--data", str(tmp_path / "nowhere"))
    found = {figure.name: figure.value for figure in report.figures}
    assert found["demo: altered quotes found"] >= 90
    assert found["demo: wrong quotes taken for found"] <= 1
    assert "nowhere/covidqa" in report.skipped[0]


def test_some_faults_are_printed_and_the_page_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying one fault would leave a page of one fault."""
    monkeypatch.setattr(model_faults, "PAGE", Path("/nowhere/faults.md"))
    report = printed("model-faults", "--fault", "wrong key", "--fault", "a web page")
    assert report.figures[0].value == 0
    assert report.figures[0].detail == "of 6"
    assert "| a web page | HOST sent a web page" in report.tables[0]
