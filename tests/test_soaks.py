"""Soaks are left out of a run that does not ask for them, and counted; CI leaves out none."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

SUITE = """
import pytest

@pytest.mark.soak
def test_long(): pass

def test_short(): pass
"""
SETTINGS = "[pytest]\nmarkers = soak\nasyncio_default_fixture_loop_scope = function"


@pytest.mark.parametrize(
    ("asked", "passed"),
    [((), 1), (("--soak",), 2), (("-m", "soak"), 1), (("test_it.py::test_long",), 1)],
)
def test_soaks_run_where_they_are_asked_for(
    pytester: pytest.Pytester, asked: tuple[str, ...], passed: int
) -> None:
    """If it fails, a run takes twice as long, or what was asked for is not run."""
    pytester.makepyfile(test_it=SUITE)
    pytester.makeini(SETTINGS)
    result = pytester.inline_run("-p", "tests.soaks", "-p", "no:cacheprovider", *asked)
    assert len(result.listoutcomes()[0]) == passed


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_what_is_left_out_is_counted(pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    """If it fails, a run without soaks looks like one of everything."""
    pytester.makepyfile(test_it=SUITE)
    pytester.makeini(SETTINGS)
    result = pytester.runpytest_inprocess("-p", "tests.soaks", *workers)
    result.stdout.fnmatch_lines(["1 soaks were left out*./scripts/test --soak*"])


def test_ci_runs_the_soaks() -> None:
    """If it fails, nobody runs them."""
    assert 'scripts/test" --soak' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
