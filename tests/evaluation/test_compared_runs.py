"""Runs that are compared, from what is kept, JSON and TREC runs, in every form that is shown."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len

from rag_assistant.cli.main import main
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.comparing import Comparison, compare, measures_of
from rag_assistant.evaluation.measuring.figures import figures_of
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.measuring.verdicts import verdict_of
from rag_assistant.evaluation.reports.as_json import report_json
from rag_assistant.evaluation.reports.compared_runs import Judging, figures_at
from rag_assistant.evaluation.reports.comparison import comparison_json
from rag_assistant.evaluation.reports.comparison_markdown import comparison_markdown
from rag_assistant.evaluation.reports.comparison_table import comparison_table
from rag_assistant.evaluation.reports.read_json import read_report
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.text.safe_text import REPLACEMENT
from tests.evaluation.made_reports import made_report, saying
from tests.evaluation.made_runs import kept

HOSTILE = (
    "\x1b[31m<script>alert(1)</script>|\u202e[x](http://e.vil) @all 有給休暇の規則 `" + "w" * 90
)


def test_the_shares_of_answers_are_those_of_the_report(tmp_path: Path) -> None:
    """If this fails, "answered" is one figure in the report and another in a comparison."""
    report = kept(tmp_path, made_report(30))
    measured = [measures_of(verdict_of(one)) for one in report.asked]
    for name in ("answered", "refusal_recall", "stopped"):
        share = mean([one[name] for one in measured if name in one])
        assert share == pytest.approx(report.metrics[name]), name


def test_a_run_and_its_json_have_the_same_figures(tmp_path: Path) -> None:
    """If this fails, a baseline in a repository differs from the run that it was made of."""
    report = kept(tmp_path, made_report(20))
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report_json(report)), encoding="utf-8")
    there = read_report(path)
    found = compare(there, figures_of(report))
    assert (found.pairs, found.moved, found.unlike) == (20, (), ())
    assert {change.word for change in found.changes} == {"same"}
    for read, made in zip(there.verdicts, figures_of(report).verdicts, strict=True):
        assert replace(read, measures={}) == replace(made, measures={})
        assert measures_of(read) == measures_of(made)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"metrics": {}}',
        '{"metrics": {}, "per_question": [{"id": 1}]}',
        '{"metrics": {"MAP": NaN}, "per_question": []}',
        '{"metrics": {"MAP": 1e999}, "per_question": []}',
        "[" * 100_000,
        '{"metrics": {}, "per_question": [{"id": "1", "question": "?", "answerable": true,'
        ' "databases": [], "metrics": {"MAP": "much"}}]}',
    ],
)
def test_a_file_that_is_no_report_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    """If this fails, a wrong file ends in a traceback or in figures that are none."""
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionSetError, match="is no report") as caught:
        read_report(path)
    assert "--report OUT.json" in caught.value.hint
    assert len(caught.value.message) < 400


def test_a_report_of_old_is_compared_without_what_it_does_not_say(tmp_path: Path) -> None:
    """If this fails, the reports that people have kept are worth nothing after an update."""
    said = {
        "metrics": {"R@10": 1.0},
        "per_question": [
            {
                "id": "1",
                "question": "?",
                "answerable": True,
                "databases": ["staff"],
                "metrics": {"R@10": 1.0},
                "relevant": {"a.md": 1},
                "ranking": [{"document": "a.md", "score": 2.0, "grade": 1}],
            }
        ],
        "run": {"number": "no number"},
    }
    path = tmp_path / "old.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    figures = read_report(path)
    assert figures.header is None
    assert figures.verdicts[0].rank == 1
    assert "It is not known what" in comparison_table(compare(figures, figures))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """Three runs of a set, one of another, and one that was broken off."""
    home = tmp_path / "home"
    for seed in (1, 2, 3):
        kept(home, made_report(12, seed=seed))
    other = made_report(6, mode="search")
    header = replace(other.header, set_path="/home/kim/other.jsonl", set_name="other.jsonl")
    kept(home, replace(other, header=header))
    store = RunStore(home)
    report = made_report(12, seed=4)
    broken_off = replace(report.header, ended=None)
    store.begin(broken_off, [one.question for one in report.asked]).close()
    return store


def test_runs_are_named_by_number_last_and_before(store: RunStore, tmp_path: Path) -> None:
    """If this fails, "last" is a run that never ended, or one of other questions."""
    staff = Path("/home/kim/staff.questions.jsonl")
    assert figures_at("2", store).name == "run 2"
    assert figures_at("last", store).name == "run 4"
    assert figures_at("last", store, of_set=staff).name == "run 3"
    assert figures_at("before", store, of_set=staff).name == "run 2"
    assert "has not ended" in figures_at("5", store).notes[0]
    with pytest.raises(QuestionSetError, match="no run of the same questions before"):
        figures_at("before", store)
    with pytest.raises(QuestionSetError, match="There is no run 77"):
        figures_at("77", store)
    with pytest.raises(QuestionSetError, match="no run and no file nowhere") as caught:
        figures_at("nowhere", store)
    assert "eval runs" in caught.value.hint
    with pytest.raises(QuestionSetError, match="no run that is done yet"):
        figures_at("last", RunStore(tmp_path / "empty"))


def test_trec_runs_are_judged_by_a_question_set(tmp_path: Path, store: RunStore) -> None:
    """If this fails, rankings of other programs cannot be compared with ours."""
    questions = tmp_path / "staff.questions.jsonl"
    lines = [{"id": str(n), "question": f"What of {n}?", "relevant": ["a.md"]} for n in range(8)]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    good, bad = tmp_path / "good.trec", tmp_path / "bad.run"
    good.write_text("".join(f"{n} Q0 a.md 1 2.0 x\n{n} Q0 b.md 2 1.0 x\n" for n in range(8)))
    bad.write_text("".join(f"{n} Q0 b.md 1 2.0 x\n{n} Q0 a.md 2 1.0 x\n" for n in range(7)) + "?\n")
    judging = Judging(questions)
    before, now = (figures_at(str(path), store, judging) for path in (good, bad))
    found = compare(before, now)
    changes = {change.metric: change for change in found.changes}
    assert changes["MRR@10"].before == 1
    assert changes["MRR@10"].now == pytest.approx(7 / 8 / 2)
    assert changes["MRR@10"].word == "worse"
    assert found.moved[0].changes[0] == "rank 1 → over 10"
    assert any("bad.run, line 15" in note for note in found.notes)
    with pytest.raises(QuestionSetError) as caught:
        figures_at(str(good), store)
    assert caught.value.hint == "Give them: `--questions FILE`."


def two(questions: int = 30, hostile: str = "") -> Comparison:
    """A comparison of two made-up runs."""
    old, new = made_report(questions), made_report(questions, seed=9)
    if hostile:
        old, new = saying(old, hostile), saying(new, hostile)
        new = replace(new, header=replace(new.header, machine=hostile))
    new = replace(new, header=replace(new.header, number=13))
    return compare(figures_of(old), figures_of(new), samples=500)


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_the_table_keeps_to_its_width(width: int) -> None:
    """If this fails, a comparison is broken by the terminal into a heap of figures."""
    table = comparison_table(two(hostile=HOSTILE), width, 5)
    assert [line for line in table.split("\n") if cell_len(line) > width] == []
    assert not any(unicodedata.category(c) in ("Cc", "Cf") and c != "\n" for c in table)
    assert REPLACEMENT in table
    rows = [
        line for line in table.split("\n") if line.startswith(("metric ", "nDCG@10 ", "MRR@10 "))
    ]
    assert len(rows) == 3
    assert ("95 % interval" in rows[0]) is (width >= 80)
    assert len({row.index("  noise") for row in rows[1:]}) == 1


def test_ids_and_words_of_any_length_are_cut() -> None:
    """If this fails, one question fills the terminal, or the pull request."""
    found = two(6, hostile="長い" * 50_000)
    assert len(comparison_table(found, 80, 9)) < 12_000
    assert len(comparison_markdown(found, 9)) < 12_000


def test_the_markdown_is_only_text() -> None:
    """If this fails, a document's words become markup, or a mention, in a pull request."""
    text = comparison_markdown(two(hostile=HOSTILE), 5)
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inline)}
    assert not kinds & {"link_open", "image", "html_block", "code_inline", "fence", "em_open"}
    assert {one.content for one in inline if one.type == "html_inline"} <= {"<!-- -->"}
    assert "\x1b" not in text
    tables = [token for token in tokens if token.type == "table_open"]
    assert len(tables) >= 4


def test_the_json_has_all_that_is_shown() -> None:
    """If this fails, a script has to read the table."""
    found = two()
    said = json.loads(json.dumps(comparison_json(found), allow_nan=False))
    change = said["metrics"]["nDCG@10"]
    assert set(change) >= {"verdict", "before", "now", "difference", "interval", "p", "better"}
    assert change["verdict"] in ("better", "worse", "noise", "same")
    gains = [one["gain"] for one in said["per_question"]]
    assert gains == sorted(gains)
    assert (said["before"], said["now"], said["questions"]) == ("run 12", "run 13", 30)


def test_the_command(store: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails, `eval compare` does not do what its help says."""
    home = ["--home", str(store.folder.parent)]
    assert main([*home, "eval", "compare", "1", "3", "-n", "2"]) == 0
    assert capsys.readouterr().out.startswith("run 1 → run 3: 12 questions in both")
    out = tmp_path / "out.md"
    compared = [*home, "eval", "compare", "1", "2", "--json", "--md", str(out), "--seed", "4"]
    assert main([*compared, "--metric", "answered", "--samples", "500"]) == 0
    printed = capsys.readouterr()
    said = json.loads(printed.out)
    assert (list(said["metrics"]), said["seed"], said["samples"]) == (["answered"], 4, 500)
    assert out.read_text(encoding="utf-8").startswith("# run 1 → run 2")
    assert str(out) in printed.err
    assert main([*home, "eval", "compare", "1", "2", "--samples", "9"]) == 1
    assert "Give 100 to 1,000,000" in capsys.readouterr().err
    assert main([*home, "eval", "compare", "1", "2", "--metric", "anserwed"]) == 1
    assert "Did you mean answered" in capsys.readouterr().err
    assert main([*home, "eval", "compare", "1", "2", "--md", str(tmp_path / "no" / "x")]) == 1
    assert "cannot be written" in capsys.readouterr().err
