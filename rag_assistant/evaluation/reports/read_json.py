"""Reading the JSON of a report back, as `eval --json` printed it, also by another version."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.figures import Figures
from rag_assistant.evaluation.measuring.ranking import FOUND
from rag_assistant.evaluation.measuring.verdicts import Verdict, relevant
from rag_assistant.evaluation.runs.header import Header
from rag_assistant.history.decoding import NotUnderstood, value_of

_TEXT, _NUMBER = {"type": "string"}, {"type": ["number", "null"], "maximum": 1e15, "minimum": -1e15}
_MEASURES = {"type": "object", "additionalProperties": {**_NUMBER, "type": "number"}}
_GRADED = {
    "type": "object",
    "required": ["grade"],
    "properties": {"grade": {"type": "integer"}},
}
_CITATION = {"type": "object", "required": ["quote"], "properties": {"quote": _TEXT}}
_SHAPE = {
    "type": "object",
    "required": ["metrics", "per_question"],
    "properties": {
        "metrics": {"type": "object", "additionalProperties": _NUMBER},
        "per_question": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "question", "answerable", "databases", "metrics"],
                "properties": {
                    "id": _TEXT,
                    "question": _TEXT,
                    "answerable": {"type": "boolean"},
                    "databases": {"type": "array", "items": _TEXT},
                    "metrics": _MEASURES,
                    "relevant": {"type": "object", "additionalProperties": {"type": "integer"}},
                    "ranking": {"type": "array", "items": _GRADED},
                    "outcome": _TEXT,
                    "answer": _TEXT,
                    "citations": {"type": "array", "items": _CITATION},
                },
            },
        },
    },
}


def read_report(path: Path) -> Figures:
    """Read the figures of a report in a file. Raises QuestionSetError where it holds none."""
    try:
        said = json.loads(path.read_text(encoding="utf-8-sig"), parse_constant=_no_number)
        _check(said)
    except OSError as error:
        raise QuestionSetError(
            f"{path} cannot be read: {error.strerror or error}.", hint=_WANTED
        ) from error
    except (ValueError, RecursionError) as error:
        raise QuestionSetError(f"{path} is no report: {error}.", hint=_WANTED) from error
    return Figures(str(path), _header(said), said["metrics"], tuple(verdicts_of(said)))


_WANTED = "Write one: rag-assistant eval FILE --report OUT.json"


def _no_number(written: str) -> float:
    raise ValueError(f"{written} is no figure")


def _check(said: object) -> None:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow, and only a file needs it
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    fault = best_match(Draft202012Validator(_SHAPE).iter_errors(said))
    if fault:
        where = "/".join(map(str, fault.absolute_path))
        raise ValueError(f"{where}: {fault.message[:200]}" if where else fault.message[:200])


def _header(said: Mapping[str, Any]) -> Header | None:
    """Give what the run was made with; None where it is not said, as in reports of old."""
    try:
        return value_of(Header, said.get("run") or {})
    except NotUnderstood:
        return None


def verdicts_of(report: Mapping[str, Any]) -> tuple[Verdict, ...]:
    """Judge each question of a report's JSON."""
    return tuple(map(_verdict, report["per_question"]))


def _verdict(said: Mapping[str, Any]) -> Verdict:
    wanted = relevant(said.get("relevant", {}))
    rank = None
    if said["answerable"] and wanted and "ranking" in said:
        ranks = enumerate(said["ranking"][:FOUND], 1)
        rank = next((place for place, each in ranks if each["grade"] > 0), 0)
    return Verdict(
        said["id"],
        said["question"],
        tuple(said["databases"]),
        said["answerable"],
        wanted,
        rank,
        said.get("outcome", ""),
        said.get("answer", ""),
        said["metrics"],
        tuple(dict.fromkeys(cited["quote"] for cited in said.get("citations", ()))),
    )
