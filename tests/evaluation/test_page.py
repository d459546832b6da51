"""The page of a report as a file: what is in it, and what may run in it."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from importlib.resources import files

import pytest

from rag_assistant.evaluation.reports import page
from rag_assistant.evaluation.reports.page import page_json, report_page
from tests.evaluation.made_reports import made_report, saying

HOSTILE = (
    "</script><script>window.ran=1</script><img src=x onerror='window.ran=1'>\u202egnp.\x1b[31m"
)


def test_nothing_but_its_own_script_and_style_may_run_or_be_fetched() -> None:
    """A document could run a script in the report, or the report would need another server."""
    whole = report_page(saying(made_report(3), HOSTILE))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', whole)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", whole, re.DOTALL)
        assert rules[name] == f"'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'"
    outside = set(
        re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\"'\s]*", whole, re.IGNORECASE)
    )
    assert outside <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|iframe|object|embed|base|form)\b", whole)


def test_texts_from_elsewhere_are_data_and_never_markup() -> None:
    """What a document says would be read as HTML, or turn round the words beside it."""
    whole = report_page(saying(made_report(3), HOSTILE))
    assert "onerror" not in whole
    assert "window.ran" not in whole
    (packed,) = re.findall(r'id="data">([A-Za-z0-9+/=]+)</script>', whole)
    said = json.loads(gzip.decompress(b64decode(packed)))
    text = json.dumps(said, ensure_ascii=False)
    assert "onerror" in text
    assert "\u202e" not in text
    assert "\\u001b" not in text
    assert said["per_question"][0]["id"].endswith("\ufffdgnp.\ufffd[31m")


def test_equal_reports_give_equal_pages_and_the_page_says_what_was_measured() -> None:
    """A page that is kept beside code would differ each time it is made, or hide figures."""
    report = made_report(6)
    assert report_page(report) == report_page(report)
    said = page_json(report)
    shown = {
        metric["name"]: metric
        for group in said["groups"]
        for metric in (*group["quality"], *group["traffic"])
    }
    assert set(shown) == set(report.metrics)
    assert shown["refusal_recall"]["shown"] == "-"
    assert shown["token_f1"]["interval"].count("0.") == 2
    assert {"seed", "version of sqlite", "index staff"} <= {word for word, _ in said["made_with"]}
    assert any("line 7: not JSON" in line for line in said["remarks"])
    assert said["per_question"][0]["rank"] == 1 or said["per_question"][0]["faults"]


def test_the_page_is_made_of_small_parts_that_lie_in_the_package() -> None:
    """An installed program could make no page, or its script has grown into one lump."""
    there = {part.name: part for part in files(page.__package__).joinpath("page").iterdir()}
    assert set(there) == {*page.STYLES, *page.SCRIPTS, "report.html"}
    assert all(len(part.read_text("utf-8").splitlines()) < 300 for part in there.values())
    scripts = "\n".join(there[name].read_text("utf-8") for name in page.SCRIPTS)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", scripts
    )


@pytest.mark.parametrize("mode", ["search", "retrieve", "answer"])
def test_a_page_of_one_stage_shows_that_alone(mode: str) -> None:
    """Stages that were not asked for would stand there empty."""
    report = made_report(4, mode=mode)  # type: ignore[arg-type]
    assert {group["title"] for group in page_json(report)["groups"]} >= {
        {"search": "Search", "retrieve": "Evidence", "answer": "Answers"}[mode]
    }
    assert report_page(report)
