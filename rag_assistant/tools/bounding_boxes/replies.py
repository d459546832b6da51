"""Boxes as a model writes them, checked number by number; what is wrong goes back to it.

Coordinates are shares of the image from 0 to 1, each under its name: pixels and thousandths, which
other models are used to, are told apart from them by their size, and no order can be mistaken.
"""

from dataclasses import dataclass
from typing import Any

from rag_assistant.errors import BadReply
from rag_assistant.tools.json_replies import read_object

MOST_BOXES = 50
"""With more of them an image can no longer be read."""

_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_CORNERS = ("x0", "y0", "x1", "y1")

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "boxes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": dict.fromkeys(_CORNERS, _SHARE),
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
    """A rectangle by its upper left and lower right corner, in shares of width and height."""

    x0: float
    y0: float
    x1: float
    y1: float


def read_boxes(written: str) -> tuple[Box, ...]:
    """Read the boxes of a reply, of which there may be none.

    Raises BadReply with the reason, worded for the model.
    """
    boxes = tuple(Box(**corners) for corners in read_object(written, REPLY_SCHEMA)["boxes"])
    if len(boxes) > MOST_BOXES:
        raise BadReply(f"it has {len(boxes)} boxes; give the {MOST_BOXES} clearest at most.")
    for number, box in enumerate(boxes):
        for less, more in (("x0", "x1"), ("y0", "y1")):
            if not getattr(box, less) < getattr(box, more):
                raise BadReply(f"$.boxes[{number}]: {less} must be less than {more}.")
    return boxes
