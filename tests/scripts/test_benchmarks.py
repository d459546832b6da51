"""Every part of the benchmarks can be run, says what it lacks, and is told of with its facts."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.scripts.test_search_benchmarks import kept, script

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
PARTS = script("benchmarks").PARTS
STANDING_FOR = ("WORK", "PEERS", "MODEL")
PAGE = """# Benchmarks

| missed | measured | goal | reason |
| --- | --- | --- | --- |
| cold start: search | 300 ms | < 253 | It rained. |

| figure | measured | goal | detail |
| --- | --- | --- | --- |
| cold start: search | 110.9 ms | < 253 | a median |
| scifact: nDCG@10 | 0.7076 | >= 0.710 **missed** | 300 questions |
"""


class ParsedError(Exception):
    """Arguments were understood; nothing more is to be done with them."""


@pytest.fixture
def only_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every script end where it has read its command line."""
    parse = argparse.ArgumentParser.parse_args

    def parsed(parser: argparse.ArgumentParser, *given: Any) -> None:
        parse(parser, *given)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)


def call(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a script of the folder within this process."""
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    script(name.removesuffix(".py")).main()


@pytest.mark.usefixtures("only_parsing")
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_each_part_understands_its_arguments(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, a night's run ends with a usage message in the place of figures."""
    assert (SCRIPTS / part.script).is_file()
    for arguments in (part.arguments, part.quick):
        given = [word for word in arguments.split() if word not in STANDING_FOR[2:]]
        with pytest.raises(ParsedError):
            call(part.script, [*given, "--json"], monkeypatch)


@pytest.mark.parametrize("name", sorted({part.script for part in PARTS}))
def test_each_script_explains_itself(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this fails, `--help` of a script is a traceback."""
    with pytest.raises(SystemExit) as ended:
        call(name, ["--help"], monkeypatch)
    assert ended.value.code == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["quality", "ablation", "merging", "passage_sizes", "ingest_benchmark"]
)
def test_a_collection_that_is_not_there_is_a_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this fails, whoever lacks the test collections gets a traceback, or silence."""
    call(name, [str(tmp_path / "nowhere"), "--json"], monkeypatch)
    told = json.loads(capsys.readouterr().out)
    assert any("nowhere" in line for line in told["skipped"])
    assert not told["figures"] and not told["tables"]


def outcome(name: str, machine: str) -> Any:
    """Give what a part found, somewhere."""
    figures = script("figures")
    report = figures.Report([figures.Figure("speed", 2.0)])
    facts = ("2026-01-02 03:04", "abc1234", 2.0, 0.5, machine)
    return script("benchmarks_page").Outcome(
        name, name.title(), report, f"{name}.py", False, *facts
    )


@pytest.mark.parametrize("machines", [("a machine", "a machine"), ("a machine", "another one")])
def test_the_page_says_on_what_when_and_of_what_each_part_was_measured(
    machines: tuple[str, str], tmp_path: Path
) -> None:
    """If this fails, figures of two machines or commits stand together as if they were of one."""
    outcomes = [outcome(f"part{n}", machine) for n, machine in enumerate(machines)]
    page = script("benchmarks_page").page(outcomes, tmp_path / "none.toml", quick=False)
    for machine in set(machines):
        assert machine in page
    for number, machine in enumerate(machines):
        section = page.split(f"## Part{number}")[1].split("## ")[0]
        assert "2026-01-02 03:04 UTC, commit abc1234, 2 minutes, load 0.5" in section
        assert (f"on {machine}" in section) == (len(set(machines)) > 1)


def test_the_page_is_written_of_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this fails, a new reason or a reworded line costs hours of measuring."""
    results = tmp_path / "results"
    results.mkdir()
    (results / "install.json").write_text(kept("install"), encoding="utf-8")
    page = tmp_path / "page.md"
    call("benchmarks.py", ["--page", "--work", str(tmp_path), "--out", str(page)], monkeypatch)
    assert "| install speed | 3 s |" in page.read_text(encoding="utf-8")
    assert "running" not in capsys.readouterr().err


def test_figures_that_readme_quotes_are_those_of_the_page() -> None:
    """If this fails, README has gone stale: run scripts/readme_figures.py."""
    module = script("readme_figures")
    figures = module.figures_of(module.PAGE.read_text(encoding="utf-8"))
    readme = module.README.read_text(encoding="utf-8")
    assert not module.stale(readme, figures)
    assert module.refreshed(readme, figures) == readme
    assert readme.count("<!--") == readme.count("-->")


def test_a_stale_figure_is_named_and_written_anew() -> None:
    """If this fails, README praises what is measured no more, and no test says so."""
    module = script("readme_figures")
    figures = module.figures_of(PAGE)
    assert figures["cold start: search"] == "110.9 ms"
    readme = (
        "A search starts in 90 ms<!-- cold start: search -->,\n| SciFact | "
        "0.7076<!-- scifact: nDCG@10 --> | of 300, and 12 kB<!-- gone -->"
    )
    assert module.stale(readme, figures) == [
        "cold start: search: README has 90 ms, and it is 110.9 ms",
        "gone: README has 12 kB, and it is not on the page",
    ]
    anew = module.refreshed(readme, figures)
    assert anew == readme.replace("90 ms", "110.9 ms")
    assert module.stale(anew, figures) == ["gone: README has 12 kB, and it is not on the page"]
