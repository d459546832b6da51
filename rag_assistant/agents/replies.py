"""Reading the RetrievalAgent's helper: its JSON, validated; what is wrong goes back to it."""

from dataclasses import dataclass
from typing import Any

from rag_assistant.errors import BadReply
from rag_assistant.tools.json_replies import read_object

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
    reply = read_object(written, REPLY_SCHEMA)
    quotes, sources = reply["relevant"], reply["source"]
    if len(quotes) != len(sources):
        raise BadReply(f"relevant has {len(quotes)} items and source has {len(sources)}.")
    if strangers := sorted(set(sources) - known_ids):
        raise BadReply(f"no entry with the id {strangers} was given.")
    return HelperReply(tuple(zip(quotes, sources, strict=True)), reply["confidence"])
