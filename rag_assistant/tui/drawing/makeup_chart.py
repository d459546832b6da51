"""What files a folder is made of, as a small chart: a bar for each kind, a column for each year."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from rag_assistant.library.makeup import Makeup
from rag_assistant.tui.drawing.layout import Indented, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain

KINDS_SHOWN = 5
"""Kinds with a bar of their own; the others share one."""

LONGEST_BAR = 24
"""Cells of the longest bar."""

MOST_TIMES = 24
"""Columns of years or months; of more, the latest."""

_LEFT = 8
_QUIET = "$foreground 60%"
_BAR = "$primary"
_HEIGHTS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class MakeupChart:
    """The chart of a folder's files; without lines where there is none."""

    makeup: Makeup

    def lines(self, width: int) -> list[Content]:
        """Draw it."""
        if not self.makeup.files:
            return []
        room = max(4, min(LONGEST_BAR, width - _LEFT - 10))
        lines = [*_bars(_few(self.makeup.kinds), room)]
        if len(self.makeup.times) > 1:
            lines.append(_columns(self.makeup.times[-MOST_TIMES:]))
        elif self.makeup.times:
            lines.append(_beside("dates", one_line(self.makeup.times[0][0], _QUIET)))
        sizes = ", ".join(f"{count:,} {name}" for name, count in self.makeup.sizes)
        drawn = [line.truncate(width, ellipsis=True) for line in lines]
        label = plain("sizes".ljust(_LEFT), _QUIET)
        said = Indented(Text(one_line(sizes, _QUIET)), label, plain(" " * _LEFT))
        return [*drawn, *said.lines(width)]


def _few(kinds: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    shown = list(kinds[:KINDS_SHOWN])
    rest = sum(count for _, count in kinds[KINDS_SHOWN:])
    return [*shown, *([("others", rest)] if rest else [])]


def _bars(kinds: Sequence[tuple[str, int]], room: int) -> list[Content]:
    most = max(count for _, count in kinds)
    return [
        _beside(
            kind[: _LEFT - 1],
            plain("█" * max(1, round(count * room / most)), _BAR),
            plain(f" {count:,}", _QUIET),
        )
        for kind, count in kinds
    ]


def _columns(times: Sequence[tuple[str, int]]) -> Content:
    most = max(count for _, count in times) or 1
    drawn = "".join(
        _HEIGHTS[-(-count * (len(_HEIGHTS) - 1) // most)] if count else " " for _, count in times
    )
    first, last = times[0][0], times[-1][0]
    drawn_between = (plain(f"{first} ", _QUIET), plain(drawn, _BAR), plain(f" {last}", _QUIET))
    return _beside("dates", *drawn_between)


def _beside(name: str, *parts: Content) -> Content:
    label = one_line(name, _QUIET)
    return joined([label, plain(" " * (_LEFT - label.cell_length)), *parts])
