"""Every part of the benchmarks can be run, says what it lacks, and is told of with its facts."""

import argparse
import ast
import sys
from pathlib import Path

import pytest

from scripts import readme_figures
from scripts.benchmarks.__main__ import main
from scripts.benchmarks.page import Outcome, page
from scripts.benchmarks.parts import PARTS, Part
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.places import ROOT
from tests.scripts.command import kept, printed, run

PAGE = """# Benchmarks

| missed | measured | goal | reason |
| --- | --- | --- | --- |
| cold start: search | 300 ms | < 253 | It rained. |

| figure | measured | goal | detail |
| --- | --- | --- | --- |
| cold start: search | 110.9 ms | < 253 | a median |
| scifact: nDCG@10 | 0.7076 | >= 0.710 **missed** | 300 questions |
"""


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_each_part_understands_its_arguments(part: Part) -> None:
    """If this fails, a night's run ends with a usage message in the place of figures."""
    benchmark = part.benchmark()
    assert benchmark.__doc__
    assert callable(benchmark.measured)
    parser = argparse.ArgumentParser(part.name, exit_on_error=False)
    benchmark.add_options(parser)
    for quick in (False, True):
        assert parser.parse_args(part.given(quick=quick))


def test_parts_are_told_apart_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails, a part takes the place of another, or nobody learns of it."""
    assert len({part.name for part in PARTS}) == len({part.title for part in PARTS}) == len(PARTS)
    assert main(["--list"]) == 0
    told = capsys.readouterr().out
    assert all(f"{part.name} " in told and part.title in told for part in PARTS)


def test_a_part_explains_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails, `--help` of a part is a traceback, or that of the whole."""
    with pytest.raises(SystemExit) as ended:
        main(["--only", "voices", "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "--fit" in told and "three voices" in told


@pytest.mark.parametrize("arguments", [["--fit"], ["--print"], ["--only", "gone"]])
def test_what_cannot_be_run_is_told(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """If this fails, a slip of the pen starts a night of measuring."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "--only" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["quality", "ablation", "merging", "passages", "formats"])
def test_a_collection_that_is_not_there_is_a_line(name: str, tmp_path: Path) -> None:
    """If this fails, whoever lacks the test collections gets a traceback, or silence."""
    told = printed(name, "--data", str(tmp_path / "nowhere"))
    assert any("nowhere" in line for line in told.skipped)
    assert not told.figures and not told.tables


def test_a_package_that_is_not_there_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, whoever lacks a package gets a traceback instead of the other parts."""
    monkeypatch.delitem(sys.modules, "scripts.benchmarks.program.install_size", raising=False)
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)
    told = printed("install")
    assert told.skipped == ["install: the package packaging.requirements is not installed"]


def outcome(name: str, machine: str) -> Outcome:
    """Give what a part found, somewhere."""
    facts = ("2026-01-02 03:04", "abc1234", 2.0, 0.5, machine)
    return Outcome(name, name.title(), Report([Figure(f"{name} speed", 2.0)]), False, *facts)


@pytest.mark.parametrize("machines", [("a machine", "a machine"), ("a machine", "another one")])
def test_the_page_says_on_what_when_and_of_what_each_part_was_measured(
    machines: tuple[str, str], tmp_path: Path
) -> None:
    """If this fails, figures of two machines or commits stand together as if they were of one."""
    outcomes = [outcome(f"part{n}", machine) for n, machine in enumerate(machines)]
    titles = [one.title for one in outcomes]
    written = page(titles, outcomes, "", tmp_path / "none.toml")
    assert f"Measured on {machines[0]}, unless a part says otherwise." in written
    for number, machine in enumerate(machines):
        section = written.split(f"## Part{number}")[1].split("## ")[0]
        assert f"`--only part{number}`, 2026-01-02 03:04 UTC, commit abc1234, 2 minutes" in section
        assert (f"on {machine}" in section) == (machine != machines[0])


def test_what_is_not_measured_anew_stays_on_the_page(tmp_path: Path) -> None:
    """If this fails, a part that is measured again takes the figures of all others with it."""
    remarks = tmp_path / "remarks.toml"
    remarks.write_text('[[remark]]\nfigure = "part*"\ntext = "It rained."\n')
    late = Figure("part0 delay", 3.0, "s", "< 2", "by the clock")
    first = outcome("part0", "a machine")
    first = Outcome(first.name, first.title, Report([late]), False, "d", "c", 1.0, 0.1, "a machine")
    before = page(["Part0", "Part1"], [first, outcome("part1", "a machine")], "", remarks)
    after = page(["Part0", "Part1"], [outcome("part1", "another one")], before, remarks)
    assert after.split("## ")[1] == before.split("## ")[1]
    assert "load 0.5, on another one" in after
    assert "Measured on a machine," in after
    assert "0 of 1 goals are met" in after
    assert "| part0 delay | 3 s | < 2 | It rained. |" in after
    assert page(["Part0", "Part1"], [], after, remarks) == after
    assert "Part1" not in page(["Part0"], [], after, remarks)


def test_the_page_of_the_project_is_as_the_command_would_write_it() -> None:
    """If this fails, somebody wrote into the page, or it names a part that is gone."""
    target = ROOT / "docs" / "benchmarks.md"
    before = target.read_text(encoding="utf-8")
    titles = [part.title for part in PARTS]
    assert page(titles, [], before, ROOT / "docs" / "benchmarks-remarks.toml") == before


def test_the_page_is_written_of_what_is_kept(tmp_path: Path) -> None:
    """If this fails, a new reason or a reworded line costs hours of measuring."""
    results = tmp_path / "parts"
    results.mkdir()
    (results / "install.json").write_text(kept("install"), encoding="utf-8")
    target = tmp_path / "page.md"
    assert main(["--page", "--work", str(tmp_path), "--out", str(target)]) == 0
    assert "| install speed | 3 s |" in target.read_text(encoding="utf-8")


def test_a_run_goes_on_where_it_was_and_says_why_goals_are_missed(tmp_path: Path) -> None:
    """A night's figures would be lost with the last of them, or a miss be left unexplained."""
    results = tmp_path / "quick" / "parts"
    results.mkdir(parents=True)
    for part in PARTS:
        (results / f"{part.name}.json").write_text(kept(part.name), encoding="utf-8")
    remarks = tmp_path / "remarks.toml"
    remarks.write_text('[[remark]]\nfigure = "fuzz *"\ntext = "The disk is slow."\n')
    run("--quick", "--work", str(tmp_path), "--remarks", str(remarks))
    written = (tmp_path / "quick" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"0 of {len(PARTS)} goals are met" in written
    assert "| fuzz speed | 3 s | < 2 | The disk is slow. |" in written
    assert written.count("no reason is written down yet") == len(PARTS) - 1
    assert "Skipped: there is no such thing." in written
    assert "Measured on a machine, unless" in written


@pytest.mark.soak
def test_a_single_part_is_run_again(tmp_path: Path) -> None:
    """Every new figure would cost the whole night."""
    arguments = ("--quick", "--work", str(tmp_path), "--only", "vocabulary")
    run(*arguments)
    path = tmp_path / "quick" / "parts" / "vocabulary.json"
    first = path.stat().st_mtime_ns
    run(*arguments)
    assert path.stat().st_mtime_ns > first
    written = (tmp_path / "quick" / "benchmarks.md").read_text(encoding="utf-8")
    assert "## Ten million words" in written
    assert "Small sizes" in written


def test_scripts_import_one_another_by_their_package() -> None:
    """If this fails, a script runs only where the path was bent, and no type of it is checked."""
    started_as_files = {"start.py", "test.py"}  # before anything is installed
    for file in sorted((ROOT / "scripts").rglob("*.py")):
        if file.name in started_as_files:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        named = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "sys.path" not in named, file


def test_figures_that_readme_quotes_are_those_of_the_page() -> None:
    """If this fails, README has gone stale: run python -m scripts.readme_figures."""
    figures = readme_figures.figures_of(readme_figures.PAGE.read_text(encoding="utf-8"))
    assert readme_figures.README in readme_figures.quoting()
    for path in readme_figures.quoting():
        page = path.read_text(encoding="utf-8")
        assert not readme_figures.stale(page, figures, path.name)
        assert readme_figures.refreshed(page, figures) == page
        assert page.count("<!--") == page.count("-->")


def test_a_stale_figure_is_named_and_written_anew() -> None:
    """If this fails, README praises what is measured no more, and no test says so."""
    figures = readme_figures.figures_of(PAGE)
    assert figures["cold start: search"] == "110.9 ms"
    readme = (
        "A search starts in 90 ms<!-- cold start: search -->,\n| SciFact | "
        "0.7076<!-- scifact: nDCG@10 --> | of 300, and 12 kB<!-- gone -->"
    )
    assert readme_figures.stale(readme, figures) == [
        "cold start: search: README has 90 ms, and it is 110.9 ms",
        "gone: README has 12 kB, and it is not on the page",
    ]
    anew = readme_figures.refreshed(readme, figures)
    assert anew == readme.replace("90 ms", "110.9 ms")
    assert readme_figures.stale(anew, figures) == [
        "gone: README has 12 kB, and it is not on the page"
    ]
