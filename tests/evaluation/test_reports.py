"""The report as a table for a terminal and as Markdown: what is said, and how it is set."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len

from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.questions.values import BadLine
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.reports.groups import grouped, shown
from rag_assistant.evaluation.reports.markdown import escaped, report_markdown
from rag_assistant.evaluation.reports.table import report_table
from rag_assistant.evaluation.reports.worst import worst
from rag_assistant.text.safe_text import clean_line
from tests.evaluation.made_reports import made_report, saying

HOSTILE = "\x1b[31m| `x` <img src=x onerror=1> [l](javascript:1)\n# @kim https://x.de 有給休暇"


@pytest.mark.parametrize("width", [40, 80, 140])
def test_a_table_keeps_to_its_width_with_figures_in_a_column(width: int) -> None:
    """Lines would break in the middle of figures, and nobody could compare them."""
    report = made_report(30)
    lines = report_table(report, width).splitlines()
    assert max(map(cell_len, lines[1:-5])) <= max(width, 66)  # notes and commands stay whole
    figures = [line.split() for line in lines if line.startswith("  ") and line[2] != " "]
    there = {words[0]: words[1] for words in figures if words[0] in report.metrics}
    assert there["token_f1"] == shown("token_f1", report.metrics["token_f1"])
    ends = {
        line.index(f" {line.split()[1]} ") + len(line.split()[1])
        for line in lines
        if line.startswith("  ") and line.split()[0] in ("token_f1", "nDCG@10", "quote_recall")
    }
    assert len(ends) == 1
    assert all(name in "\n".join(lines) for name in report.metrics)


def test_a_table_says_what_ran_what_is_wrong_and_what_comes_next() -> None:
    """A person would have figures, and neither know over what nor what to do with them."""
    report = made_report(30)
    table = report_table(report, 140)
    assert "staff.questions.jsonl: 30 questions, 6 of them without an answer" in table
    assert "Run 12 · databases staff · mode all · model extractive" in table
    assert "over the 24 answerable questions with relevant files" in table
    assert EXPLANATIONS["token_f1"] in table
    faults, many = worst(report, 5)
    assert f"Something is wrong with {many} of 30 questions; the first 5" in table
    assert all(fault.id in table and "; ".join(fault.lines) in table for fault in faults)
    assert "Left out: staff.questions.jsonl, line 7: not JSON" in table
    assert "rag-assistant eval report 12 report.html" in table
    assert "rag-assistant eval compare before last" in table


def test_a_run_that_was_broken_off_says_how_to_go_on() -> None:
    """Half a run would look like a whole one."""
    report = made_report(4)
    broken = replace(report, header=replace(report.header, ended=None))
    assert "rag-assistant eval resume 12" in report_table(broken)
    assert "rag-assistant eval resume 12" in report_markdown(broken)
    assert "resume" not in report_table(report)


def test_questions_with_the_most_wrong_come_first() -> None:
    """The first questions that a person looks at would be those that matter least."""
    faults, many = worst(made_report(60), 60)
    assert many == len(faults) > 5
    lengths = [len(fault.lines) for fault in faults]
    assert lengths == sorted(lengths, reverse=True)
    first = [fault.id for fault in faults if len(fault.lines) == lengths[0]]
    assert first == sorted(first)


@pytest.mark.parametrize("report", [made_report(0), made_report(1, mode="search")])
def test_a_report_of_next_to_nothing_is_still_one(report: Report) -> None:
    """A set whose lines were all left out would end in a crash."""
    assert "questions" in report_table(report) or "1 question," in report_table(report)
    assert report_markdown(report).startswith("# Evaluation 12")


def test_each_metric_is_in_the_group_of_its_stage() -> None:
    """Figures of the answers would be read as those of the search."""
    report = made_report(5)
    groups = {group.stage: (*group.quality, *group.traffic) for group in grouped(report)}
    assert {"nDCG@10", "search_p50_ms"} <= set(groups["search"])
    assert {"evidence_recall", "retrieve_p50_ms"} <= set(groups["retrieve"])
    assert {"token_f1", "refusal_recall", "answer_p50_ms"} <= set(groups["answer"])
    assert sum(map(len, groups.values())) == len(report.metrics)


def test_markdown_has_the_facts_the_figures_and_the_worst() -> None:
    """A pull request would show figures without what they were measured with."""
    said = report_markdown(made_report(30))
    assert "- **databases:** staff" in said
    assert "- **index staff:** 412 entries, 2,970 passages, state 9f86d081884c7d65" in said
    assert "- **seed:** 20261121" in said
    assert "| `token_f1` | 0." in said
    assert " to 0." in said
    assert "## What fared worst" in said
    assert "not JSON: a quote is missing" in said


def test_texts_from_elsewhere_stay_text_in_a_terminal_and_in_markdown() -> None:
    """A document could colour the terminal, call people, or put a picture into a pull request."""
    report = saying(made_report(4), HOSTILE)
    assert "\x1b" not in report_table(report)
    said = report_markdown(report)
    assert "\x1b" not in said
    parsed = MarkdownIt("commonmark", {"html": True}).enable("table").parse(said)
    inline = [part for token in parsed for part in (token.children or ())]
    assert {part.content for part in inline if part.type == "html_inline"} == {"<!-- -->"}
    assert not [part for part in inline if part.type in ("link_open", "image")]
    assert not [token for token in parsed if token.type == "html_block"]
    rows = [line for line in said.splitlines() if line.startswith("| staff-")]
    assert rows
    tables = [token for token in parsed if token.type == "tr_open"]
    assert len(tables) >= len(rows)


@given(st.text(st.characters(codec="utf-8"), max_size=60) | st.text("\\`*_[]<>|~&$:/w.@ #a&lt;"))
@example("__0__")
def test_an_escaped_text_says_the_same(text: str) -> None:
    """Names of files would be shown otherwise than they are, or break the table they stand in."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    row = f"| a | b |\n|---|---|\n| x{escaped(text)}x | y |\n"
    cells = [token for token in markdown.parse(row) if token.type == "inline"]
    assert len(cells) == 4
    parts = [part for part in cells[2].children or () if part.type != "html_inline"]
    assert {part.type for part in parts} <= {"text", "text_special"}
    assert "".join(part.content for part in parts) == f"x{clean_line(text)}x"


def test_a_thousand_bad_lines_do_not_bury_the_figures() -> None:
    """A wrong file would scroll everything else away, or its faults would not be counted."""
    bad = tuple(BadLine("mine.csv", number, "no question") for number in range(1, 1001))
    report = made_report(2)
    table = report_table(replace(report, header=replace(report.header, bad_lines=bad)))
    assert table.count("Left out: mine.csv") == 20
    assert "and 980 more lines were left out" in table
