"""What an evaluation found, as JSON for scripts, as a table for people and as a TREC run.

Keys of the JSON may be added; those that are here keep their names and meanings.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal
from urllib.parse import quote

from rag_assistant.evaluation.questions import BadLine, Question
from rag_assistant.evaluation.runner import (
    AnswerOutcome,
    AnswerResults,
    Metrics,
    SearchOutcome,
    SearchResults,
)
from rag_assistant.json_shapes import citation_json, coverage_json
from rag_assistant.safe_text import clean_line

Mode = Literal["search", "answer", "all"]
Json = dict[str, Any]

RANKS_SHOWN = 10
"""Documents of each ranking in the JSON; `write_run` writes all."""

TAG = "rag-assistant"
"""The name of the run in a TREC file."""

SCORE_STEP = 0.0001
"""The least distance of two scores in a TREC file; trec_eval holds them in single precision."""

LEAST_ROOM = 20
"""Columns that an explanation has, however narrow the terminal."""

EXPLANATIONS: Mapping[str, str] = {
    "nDCG@10": "how near the top the relevant files are; 1 is the ideal order",
    "R@10": "share of a question's relevant files among the first 10",
    "R@100": "share of a question's relevant files among the first 100",
    "MRR@10": "1 / rank of the first relevant file, 0 beyond the first 10",
    "MAP": "precision at the rank of each relevant file, 100 hits deep",
    "search_p50_ms": "half of the searches took no longer, in milliseconds",
    "search_p95_ms": "95 of 100 searches took no longer, in milliseconds",
    "answered": "share of the answerable questions answered with a citation",
    "quote_recall": "share of reference quotes cited (80% of their words)",
    "quote_token_recall": "share of the reference quotes' words that are cited",
    "evidence_quote_recall": "quote_recall of all evidence found, cited or not",
    "token_f1": "words shared with the nearest reference; long answers lose",
    "exact_match": "share of answers that are a reference answer to the word",
    "answer_contains": "share of answers that hold a reference answer to the word",
    "citation_verified": "share of an answer's citations found in their source",
    "sentences_quoted": "share of an answer's claims in the words of a quote found",
    "sentences_supported": "share of them that quotes found bear out in other words",
    "sentences_unsupported": "share of them that rest on no quote found",
    "sentences_no_claim": "share of all its sentences that claim nothing",
    "refusal_precision": "of the questions refused, the share that has no answer",
    "refusal_recall": "of the questions that have no answer, the share refused",
    "stopped": "share of all runs that broke off at a limit or an error",
    "answer_p50_ms": "half of the answers took no longer, in milliseconds",
    "answer_p95_ms": "95 of 100 answers took no longer, in milliseconds",
}


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an evaluation. `notes` say what a reader of the figures must know."""

    name: str
    mode: Mode
    questions: tuple[Question, ...]
    search: SearchResults | None
    answers: AnswerResults | None
    bad_lines: tuple[BadLine, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> Metrics:
        """All metrics by name; None where the questions give nothing to measure one on."""
        parts = [part.metrics for part in (self.search, self.answers) if part]
        return {name: value for part in parts for name, value in part.items()}

    @property
    def ranked(self) -> int:
        """The number of questions whose ranking can be judged."""
        return sum(question.ranks for question in self.questions)

    @property
    def answerable(self) -> int:
        """The number of questions whose answer is in the documents."""
        return sum(question.answerable for question in self.questions)


def report_json(report: Report) -> Json:
    """Give the report as an object; a metric that could not be measured is null."""
    searches = report.search.outcomes if report.search else ()
    answers = report.answers.outcomes if report.answers else ()
    found = {outcome.question.id: _search_json(outcome) for outcome in searches}
    said = {outcome.question.id: _answer_json(outcome) for outcome in answers}
    return {
        "questions": len(report.questions),
        "answerable": report.answerable,
        "ranked": report.ranked,
        "mode": report.mode,
        "metrics": {name: _rounded(value) for name, value in report.metrics.items()},
        "questions_at_once": report.answers.questions_at_once if report.answers else None,
        "per_question": [
            {
                "id": question.id,
                "question": question.text,
                "answerable": question.answerable,
                "databases": list(question.databases),
                **_merged(found.get(question.id, {}), said.get(question.id, {})),
            }
            for question in report.questions
        ],
        "bad_lines": [asdict(line) for line in report.bad_lines],
        "notes": list(report.notes),
    }


def _merged(search: Json, answer: Json) -> Json:
    measures = {**search.get("metrics", {}), **answer.get("metrics", {})}
    return {**search, **answer, "metrics": measures}


def _search_json(outcome: SearchOutcome) -> Json:
    grades = outcome.question.relevant
    shown = outcome.ranking[:RANKS_SHOWN]
    return {
        "metrics": {name: _rounded(value) for name, value in outcome.measures.items()},
        "relevant": dict(grades),
        "ranking": [{**asdict(r), "grade": grades.get(r.document, 0)} for r in shown],
        "search_ms": round(outcome.elapsed_ms, 2),
    }


def _answer_json(outcome: AnswerOutcome) -> Json:
    answer = outcome.answer
    return {
        "metrics": {name: _rounded(value) for name, value in outcome.measures.items()},
        "outcome": outcome.outcome,
        "stopped": outcome.stopped,
        "answer": answer.text,
        "citations": [citation_json(citation) for citation in answer.citations],
        "coverage": coverage_json(answer.coverage),
        "confidence": answer.confidence or None,
        "draft": answer.draft,
        "model": answer.model,
        "answer_ms": answer.elapsed_ms,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def report_table(report: Report, width: int = 100) -> str:
    """Give the report as aligned plain text, each metric with what it says.

    `width` is in columns; a narrow one breaks the explanations, never the figures.
    """
    unanswerable = len(report.questions) - report.answerable
    lines = [
        clean_line(
            f"{report.name}: {len(report.questions)} questions, "
            f"{unanswerable} of them without an answer in the documents"
        )
    ]
    if report.search:
        over = f"Search, over the {report.ranked} answerable questions with relevant files"
        lines += ["", over, *_rows(report.search.metrics, width)]
    if report.answers:
        at_once = report.answers.questions_at_once
        lines += [
            "",
            f"Answers, questions at once: {at_once}",
            *_rows(report.answers.metrics, width),
        ]
    remarks = [*report.notes, *(_left_out(line) for line in report.bad_lines)]
    if remarks:
        lines += ["", *(clean_line(remark) for remark in remarks)]
    return "\n".join(lines)


def _rows(metrics: Metrics, width: int) -> list[str]:
    widest = max(len(name) for name in EXPLANATIONS)
    rows: list[str] = []
    for name, value in metrics.items():
        head = f"  {name:<{widest}}  {_shown(name, value):>8}  "
        room = max(LEAST_ROOM, width - len(head))
        first, *rest = wrap(EXPLANATIONS[name], room)
        rows += [head + first, *(" " * len(head) + line for line in rest)]
    return rows


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if name.endswith("_ms") else f"{value:.3f}"


def _left_out(line: BadLine) -> str:
    return f"Left out: {line.file}, line {line.line}: {line.reason}"


def write_run(path: Path, outcomes: Sequence[SearchOutcome], tag: str = TAG) -> None:
    """Write rankings in the run format of TREC: `qid Q0 docid rank score tag` on each line.

    Fields are parted by spaces, so white space and "%" in ids are percent-encoded and
    `urllib.parse.unquote` gives the id back; other ids stay as they are. Scores decrease strictly,
    because trec_eval reads the order from the scores alone and breaks ties by docid. Questions
    without hits have no line. Raises OSError when the file cannot be written.
    """
    # A path that is not UTF-8 on disk goes back to the bytes it was.
    with path.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for outcome in outcomes:
            qid = _encoded(outcome.question.id)
            score = float("inf")
            for rank, ranked in enumerate(outcome.ranking, 1):
                score = min(round(ranked.score, 4), score - SCORE_STEP)
                document = _encoded(ranked.document)
                file.write(f"{qid} Q0 {document} {rank} {score:.4f} {tag}\n")


def _encoded(name: str) -> str:
    return re.sub(r"[\s%]", lambda match: quote(match[0], safe=""), name)
