"""The JSON of a report: what `eval --json` prints, and what the page is made of.

Keys may be added; those that are here keep their names and meanings.
"""

from dataclasses import asdict
from typing import Any

from rag_assistant.evaluation.measuring.report import MeasuredQuestion, Report
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.runs.encoding import plain_json
from rag_assistant.evaluation.runs.outcomes import (
    AnswerOutcome,
    EvidenceOutcome,
    SearchOutcome,
    ShownHit,
)
from rag_assistant.values.json_shapes import answer_json, evidence_json, location_json

Json = dict[str, Any]

RANKS_SHOWN = 10
"""Documents of each ranking; `eval --run` writes all."""

OF_THE_ANSWER = (
    "answer",
    "citations",
    "coverage",
    "confidence",
    "voice",
    "chance",
    "signals",
    "draft",
    "model",
    "fallback",
    "sentences",
    "objections",
    "disagreements",
    "refusal",
    "usage_by_model",
)
"""The keys of an answer's own JSON that are those of its question here."""


def report_json(report: Report) -> Json:
    """Give the report as an object; a metric that could not be measured is null."""
    header = report.header
    shown = plain_json(header)
    return {
        "questions": len(report.asked),
        "answerable": report.answerable,
        "ranked": report.ranked,
        "mode": header.settings.mode,
        "metrics": {name: _rounded(value) for name, value in report.metrics.items()},
        "intervals": {
            name: {"low": _rounded(held.low), "high": _rounded(held.high)}
            for name, held in report.intervals.items()
        },
        "explanations": {
            name: EXPLANATIONS[name] for name in report.metrics if name in EXPLANATIONS
        },
        "reliability": [asdict(bin_) for bin_ in report.reliability],
        "questions_at_once": header.settings.at_once,
        "run": {key: held for key, held in shown.items() if key not in ("bad_lines", "notes")},
        "per_question": [asked_json(one) for one in report.asked],
        "bad_lines": [asdict(line) for line in header.bad_lines],
        "notes": list(report.notes),
    }


def asked_json(one: MeasuredQuestion) -> Json:
    """Give a question with what came back for it."""
    question = one.question
    said: Json = {
        "id": question.id,
        "question": question.text,
        "answerable": question.answerable,
        "databases": list(question.databases),
        "kind": question.kind,
        "generated": question.generated,
        "without": list(question.without),
        "quotes": list(question.quotes),
        "answers": list(question.answers),
        "relevant": dict(question.relevant),
        "metrics": {name: _rounded(value) for name, value in one.measures.items()},
        "traffic": {
            stage: asdict(outcome.traffic)
            for stage, outcome in (
                ("search", one.search),
                ("retrieve", one.evidence),
                ("answer", one.answer),
            )
            if outcome
        },
    }
    if one.search:
        said |= _search_json(one.search)
    if one.evidence:
        said |= _evidence_json(one.evidence)
    if one.answer:
        said |= _answer_json(one.answer)
    return said


def _search_json(outcome: SearchOutcome) -> Json:
    grades = outcome.grades
    return {
        "relevant": dict(grades),
        "ranking": [
            {**asdict(ranked), "grade": grades.get(ranked.document, 0)}
            for ranked in outcome.ranking[:RANKS_SHOWN]
        ],
        "hits": [_hit_json(hit) for hit in outcome.hits],
        "search_ms": round(outcome.traffic.elapsed_ms, 2),
    }


def _hit_json(hit: ShownHit) -> Json:
    return {
        "database": hit.database,
        "id": hit.entry_id,
        "title": hit.title,
        "path": hit.path,
        "document": hit.document,
        "location": location_json(hit.location),
        "snippet": hit.snippet,
        "grade": hit.grade,
    }


def _evidence_json(outcome: EvidenceOutcome) -> Json:
    return {
        "evidence": [evidence_json(evidence) for evidence in outcome.evidence],
        "wanted": [asdict(span) for span in outcome.wanted],
        "unplaced": list(outcome.unplaced),
        "retrieve_stopped": outcome.stopped,
        "retrieve_ms": round(outcome.traffic.elapsed_ms, 2),
    }


def _answer_json(outcome: AnswerOutcome) -> Json:
    answer = answer_json(outcome.answer)
    return {
        "outcome": outcome.outcome,
        "stopped": outcome.stopped,
        **{key: answer[key] for key in OF_THE_ANSWER},
        "answer_evidence": answer["evidence"],
        "tools": [asdict(call) for call in outcome.tools],
        "judgement": asdict(outcome.judgement) if outcome.judgement else None,
        "answer_ms": round(outcome.traffic.elapsed_ms, 2),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
