"""The oldest and newest versions that are allowed must be those tried, and all of them."""

import tomllib
from collections import Counter
from pathlib import Path

from packaging.requirements import Requirement

from scripts.benchmarks.program import dependency_versions as module

ROOT = Path(__file__).resolve().parents[2]
LEANED_ON = (
    "fastembed httpx2 markdown-it-py mcp openai pypdfium2 sqlite-utils textual textual-image "
    "textual-serve tomlkit watchfiles"
).split()
"""Packages of which the product knows more than is promised: see the remarks in pyproject.toml."""


def test_each_package_of_the_product_is_tried_from_its_lowest_version() -> None:
    """If this fails, a bound of pyproject.toml is a guess that nothing has tried."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = module.requirements(project)
    assert {one.name for one in asked} == set(module.TRIED)
    pins = module.lowest(asked)
    assert "textual==8.2.8" in pins
    assert len(pins) == len(asked)
    for files in module.TRIED.values():
        assert all((ROOT / file).is_file() for file in files.split())


def test_what_is_leaned_on_has_an_upper_bound() -> None:
    """If this fails, a release of somebody else's breaks what is installed tomorrow."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        texts += extra
    bounded = {
        one.name
        for one in map(Requirement, texts)
        if any(bound.operator == "<" for bound in one.specifier)
    }
    assert set(LEANED_ON) <= bounded


def test_results_are_counted_by_file(tmp_path: Path) -> None:
    """If this fails, a package is said to work whose tests could not even be imported."""
    written = tmp_path / "results.xml"
    written.write_text(
        '<testsuites><testsuite><testcase classname="tests.test_config" name="test_a"/>'
        '<testcase classname="tests.test_config" name="b"><skipped/></testcase>'
        '<testcase classname="tests.test_config" name="c"><failure/></testcase>'
        '<testcase classname="" name="tests.test_imports"><error/></testcase>'
        "</testsuite></testsuites>",
        encoding="utf-8",
    )
    results = module.results_of(written)
    assert results == {
        "tests/test_config.py": Counter(passed=1, skipped=1, failed=1),
        "tests/test_imports.py": Counter(failed=1),
    }
    environment = module.Environment({}, results)
    assert module.outcome(environment, ["tests/test_config.py"]) == "1 of 2, 1 skipped"
    assert module.outcome(environment, ["tests/test_fences.py"]) == "none ran"
