"""Frames, marks and arrows in ASCII, for terminals and fonts that have nothing else.

Every character is replaced by as many as it is wide, so nothing shifts. Letters of documents stay.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_MARKS = {
    **dict.fromkeys("─━═┄┅┈┉╌╍╴╶╸╺▔", "-"),
    **dict.fromkeys("│┃║┆┇┊┋╎╏╵╷╹╻▎▏▍▌▋▊▉▐▕", "|"),
    **dict.fromkeys("·•", "-"),
    **dict.fromkeys("❯▸›▶►→⇒", ">"),
    **dict.fromkeys("‹◂◀◄←", "<"),
    **dict.fromkeys("↑▲△", "^"),
    **dict.fromkeys("↓▾▼▽", "v"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’‚", "'"),
    **dict.fromkeys("–—−‐‑", "-"),
    **dict.fromkeys("●◉", "*"),
    **dict.fromkeys("○◌◯", "o"),
    **dict.fromkeys("✓✔", "+"),
    **dict.fromkeys("✗✘×", "x"),
    **dict.fromkeys("■▪", "#"),
    **dict.fromkeys("░▒", "."),
    "▁": "_",
    "…": ".",
    "≈": "~",
    "␣": "_",
    "\u00a0": " ",
    "\ufffd": "?",
    "🔎": "> ",
}

_TABLE = {
    **{code: "+" for code in range(0x2500, 0x2580)},  # box drawing: corners and crossings
    **{code: "#" for code in range(0x2580, 0x25A0)},  # blocks: bars and pictures
    **{code: "*" for code in range(0x2800, 0x2900)},  # Braille: what turns while something loads
    **{ord(character): mark for character, mark in _MARKS.items()},
}


class AsciiFilter(LineFilter):
    """Draws every line that leaves without frames and marks that are not ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Give the line in ASCII, but for letters."""
        return [
            segment
            if segment.control or segment.text.isascii()
            else Segment(segment.text.translate(_TABLE), segment.style)
            for segment in segments
        ]
