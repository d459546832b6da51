"""Runs as JSON and back: what the files of a kept run hold."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from rag_assistant.evaluation.runs.outcomes import (
    AnswerOutcome,
    EvidenceOutcome,
    Outcome,
    SearchOutcome,
    stage_of,
)
from rag_assistant.history.decoding import NotUnderstood, value_of
from rag_assistant.values.evidence import Answer, Evidence
from rag_assistant.values.json_shapes import Json, answer_json, evidence_json

_KINDS: Mapping[str, type[SearchOutcome] | type[EvidenceOutcome] | type[AnswerOutcome]] = {
    "search": SearchOutcome,
    "retrieve": EvidenceOutcome,
    "answer": AnswerOutcome,
}


def plain_json(value: object) -> Any:
    """Give a value as JSON that `value_of` reads back."""
    if isinstance(value, Answer):
        return answer_json(value)
    if isinstance(value, Evidence):
        return evidence_json(value)
    if is_dataclass(value):
        return {field.name: plain_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: plain_json(held) for key, held in value.items()}
    return [plain_json(one) for one in value] if isinstance(value, tuple | list) else value


def outcome_json(outcome: Outcome) -> Json:
    """Give an outcome as one object whose `stage` names its kind."""
    return {"stage": stage_of(outcome), **plain_json(outcome)}


def outcome_of(data: object) -> Outcome:
    """Read what `outcome_json` gave. Raises NotUnderstood."""
    kind = _KINDS.get(str(data.get("stage"))) if isinstance(data, dict) else None
    if kind is None or not isinstance(data, dict):
        raise NotUnderstood("the stage of an outcome")
    outcome: Outcome = value_of(kind, data)
    return outcome
