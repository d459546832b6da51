"""A report as one HTML file that needs nothing else: no network, no server, no other file.

What it shows came from documents, models and question files, so none of it is ever parsed as HTML:
it travels compressed, as data, and the page's script puts it in as text. A content security policy
lets that script and that style run, by their hashes, and nothing else.
"""

import gzip
import json
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.measuring.verdicts import verdict_of
from rag_assistant.evaluation.reports.as_json import report_json
from rag_assistant.evaluation.reports.groups import (
    facts,
    grouped,
    interval_shown,
    made_with,
    remarks,
    shown,
)
from rag_assistant.evaluation.reports.worst import faults
from rag_assistant.text.safe_text import clean

Json = dict[str, Any]

STYLES = ("report.css", "questions.css")
SCRIPTS = (
    "elements.js",
    "overview.js",
    "charts.js",
    "times.js",
    "question.js",
    "filters.js",
    "questions.js",
    "report.js",
)
"""The parts of the page's script, in the order in which they build on one another."""

NOT_SHOWN = frozenset(
    ("text_hash", "usage", "usage_by_model", "retrieved", "entries_read", "entry_id")
)
"""Keys of the report's JSON that would double the page and are nowhere in it."""


def report_page(report: Report) -> str:
    """Give the page as HTML, in ASCII.

    Equal reports give equal pages.
    """
    style = "\n".join(map(_part, STYLES))
    script = "\n".join(map(_part, SCRIPTS))
    page = _part("report.html")
    for name, text in (
        ("STYLE_HASH", _hash(style)),
        ("SCRIPT_HASH", _hash(script)),
        ("STYLE", style),
        ("SCRIPT", script),
        ("DATA", _packed(page_json(report))),
    ):
        page = page.replace(f"%{name}%", text)
    return page


def page_json(report: Report) -> Json:
    """Give what the page is made of: the report's JSON, and the words it is shown in."""
    said = report_json(report)
    for one, asked in zip(said["per_question"], report.asked, strict=True):
        verdict = verdict_of(asked)
        one["rank"] = verdict.rank
        one["faults"] = list(faults(verdict))
        one["covered"] = (one.pop("coverage", None) or {}).get("statement", "")
    shown_json: Json = _fit(said)
    return {
        **shown_json,
        "facts": _fit(facts(report)),
        "made_with": _fit(made_with(report)),
        "remarks": _fit(remarks(report)),
        "groups": [
            {
                "title": group.title,
                "over": group.over,
                "quality": [_metric(report, name) for name in group.quality],
                "traffic": [_metric(report, name) for name in group.traffic],
            }
            for group in grouped(report)
        ],
    }


def _metric(report: Report, name: str) -> Json:
    interval = report.intervals.get(name)
    return {
        "name": name,
        "shown": shown(name, report.metrics[name]),
        "interval": interval_shown(name, interval),
    }


def _fit(value: Any) -> Any:
    """Give JSON with each text fit to be shown, and without what is not."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {_key(key): _fit(held) for key, held in value.items() if key not in NOT_SHOWN}
    if isinstance(value, list | tuple):
        return [_fit(held) for held in value]
    return value


@lru_cache(maxsize=1000)
def _key(name: str) -> str:
    """Clean a key: of thousands of questions most have the same."""
    return clean(name)


def _packed(said: Json) -> str:
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _part(name: str) -> str:
    """Read a part of the page, without the new line that ends it."""
    whole = files(__package__).joinpath("page", name).read_text(encoding="utf-8")
    return whole.removesuffix("\n")
