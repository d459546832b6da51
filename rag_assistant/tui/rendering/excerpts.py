"""A part of a text with how it is rendered."""

from dataclasses import dataclass

from rag_assistant.tui.rendering.parts import Part


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text that ends at the end of a block or a line, if it can.

    `start` is its place, `parts` are what it is rendered as, in order.
    """

    start: int
    text: str
    parts: tuple[Part, ...] = ()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)
