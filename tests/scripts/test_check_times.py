"""The figures of trust, on a folder small enough to know them."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.trust import check_times
from tests.conftest import write_files


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library whose only sentence on cranes is the whole answer to a question about them."""
    texts = {
        "crane.md": "# The crane\n\nThe crane lifts forty tonnes at most.\n",
        "boats.md": "# Boats\n\nBoats are moored at the northern quay.\n",
    }
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "harbour", texts))
    return library


def test_the_time_of_checks_is_measured(library: Library) -> None:
    """If this fails, a check is timed no more, and none of them seems to cost anything."""
    asked = [("harbour", "How many tonnes does the crane lift at most?")]
    report = check_times.times_of_checks(library, "harbour", asked)
    measured = {figure.name: figure for figure in report.figures}
    assert 0 < measured["checks, of the time of an answer, harbour"].value < 1
    rows = report.tables[0].splitlines()[2:]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [
        *check_times.CHECKS,
        check_times.MASKING,
    ]
    assert float(rows[0].split(" | ")[2]) > 0
