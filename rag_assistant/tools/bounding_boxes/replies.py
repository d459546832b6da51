"""Boxes as a model writes them, checked number by number; what is wrong goes back to it.

Coordinates are shares of the image from 0 to 1, each under its name: pixels and thousandths, which
other models are used to, are told apart from them by their size, and no order can be mistaken. The
form with `x_min`, `found`, `confidence` and `description`, for one box or several, is taken too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_assistant.errors import BadReply
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.json_replies import checked, parsed_object

MOST_BOXES = 50
"""With more of them an image can no longer be read."""

_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_CORNERS = ("x0", "y0", "x1", "y1")
_OTHER_NAMES = {"x_min": "x0", "y_min": "y0", "x_max": "x1", "y_max": "y1"}
_WITHIN = ("bounding_box", "box", "bbox")
_LONGEST_DESCRIPTION = 200

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "boxes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **dict.fromkeys(_CORNERS, _SHARE),
                    "confidence": _SHARE,
                    "description": {"type": "string"},
                },
                "required": list(_CORNERS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["boxes"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left and lower right corner, in shares of width and height.

    `confidence`, from 0 to 1, and `description` are the model's own, where it gave them.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float | None = None
    description: str = ""


def read_boxes(written: str) -> tuple[Box, ...]:
    """Read the boxes of a reply, of which there may be none.

    Raises BadReply with the reason, worded for the model.
    """
    reply = checked(_renamed(parsed_object(written)), REPLY_SCHEMA)
    boxes = tuple(Box(**corners) for corners in reply["boxes"])
    if len(boxes) > MOST_BOXES:
        raise BadReply(f"it has {len(boxes)} boxes; give the {MOST_BOXES} clearest at most.")
    for number, box in enumerate(boxes):
        for less, more in (("x0", "x1"), ("y0", "y1")):
            if not getattr(box, less) < getattr(box, more):
                raise BadReply(f"$.boxes[{number}]: {less} must be less than {more}.")
    return boxes


def _renamed(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Give a reply in the form of the schema, as far as it can be read so."""
    if reply.get("found") is False:
        return {"boxes": []}
    boxes = reply.get("boxes")
    if boxes is None and ("x_min" in reply or any(name in reply for name in _WITHIN)):
        boxes = [reply]
    if not isinstance(boxes, list):
        return dict(reply)
    return {"boxes": [_corners(box) for box in boxes]}


def _corners(box: object) -> object:
    """Give one box by the names of the schema; anything else as it is."""
    if not isinstance(box, Mapping):
        return box
    inner = [box[name] for name in _WITHIN if isinstance(box.get(name), Mapping)]
    within: Mapping[str, Any] = inner[0] if inner else {}
    named = {_OTHER_NAMES.get(name, name): value for name, value in {**box, **within}.items()}
    for name in ("found", *_WITHIN):
        named.pop(name, None)
    confidence = named.pop("confidence", None)
    if isinstance(confidence, int | float) and 0 <= confidence <= 1:
        named["confidence"] = confidence
    description = named.pop("description", None)
    if isinstance(description, str) and description.strip():
        named["description"] = clean_line(description)[:_LONGEST_DESCRIPTION]
    return named
