"""Reading the RetrievalAgent's helper: its JSON, validated; what is wrong goes back to it."""

import json
from dataclasses import dataclass
from typing import Any

from rag_assistant.errors import BadReply

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "relevant": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "source": {"type": "array", "items": {"type": "integer"}},
        "confidence": {"type": "integer", "minimum": 1, "maximum": 10},
    },
    "required": ["relevant", "source", "confidence"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class HelperReply:
    """What a helper model picked out: quotes, each with the id of its entry."""

    quotes: tuple[tuple[str, int], ...]
    confidence: int


def read_helper_reply(written: str, known_ids: set[int]) -> HelperReply:
    """Read a helper's reply; a code fence or words around the object are forgiven.

    Raises BadReply with the reason, worded for the model.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 100 ms, only a run needs it

    start, end = written.find("{"), written.rfind("}")
    if start < 0 or end < start:
        raise BadReply("it holds no JSON object.")
    try:
        reply = json.loads(written[start : end + 1])
    except ValueError as error:
        raise BadReply(f"it is not JSON ({error}).") from error
    problems = [
        f"{problem.json_path}: {problem.message}"
        for problem in Draft202012Validator(REPLY_SCHEMA).iter_errors(reply)
    ]
    if problems:
        raise BadReply("; ".join(problems[:3])[:500] + ".")
    quotes, sources = reply["relevant"], reply["source"]
    if len(quotes) != len(sources):
        raise BadReply(f"relevant has {len(quotes)} items and source has {len(sources)}.")
    if strangers := sorted(set(sources) - known_ids):
        raise BadReply(f"no entry with the id {strangers} was given.")
    return HelperReply(tuple(zip(quotes, sources, strict=True)), reply["confidence"])
