"""The last guard before the terminal: no control character leaves, whichever widget drew it.

Text is cleaned where it enters the interface; this holds even where that was forgotten, or where a
widget of Textual's shows what a person pasted.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from rag_assistant.text.safe_text import REPLACEMENT, clean


class EgressFilter(LineFilter):
    """Takes unsafe characters out of every line that is drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Give the line without them; they take no room on it, so nothing shifts."""
        return [
            segment
            if segment.control or _safe(segment.text)
            else Segment(_strip(segment.text), segment.style)
            for segment in segments
        ]


def _safe(text: str) -> bool:
    return text.isprintable() or (clean(text) == text and "\n" not in text)


def _strip(text: str) -> str:
    return "".join(
        character
        for character in text
        if character == REPLACEMENT or clean(character) not in (REPLACEMENT, "\n")
    )
