"""What stands in the conversation as long as nothing was said: what to do, and what there is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from rag_assistant.tui.drawing.layout import LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, hint_lines

if TYPE_CHECKING:
    from rag_assistant.library.makeup import Makeup

NAMED = 4
"""Databases that are named; of more it is only seen that there are."""

FIRST_STEPS = [
    ("Ctrl+O", "add a folder: its files are indexed here and stay where they are"),
    ("F1", "all keys"),
    ("Ctrl+Q", "quit"),
]


def welcome_blocks(names: Sequence[str], makeup: "Makeup | None" = None) -> tuple[LayoutBlock, ...]:
    """Say what to do, and what the named databases are made of once that is known."""
    if not names:
        more = "A database is a folder of yours, indexed for questions."
        steps = (Text(), *hint_lines(FIRST_STEPS))
        return _titled("There is no database yet.", plain(more, QUIET), steps)
    more = "Every answer cites its sources, and every citation opens at the quoted words."
    chart: tuple[LayoutBlock, ...] = ()
    if makeup and makeup.files:
        from rag_assistant.tui.drawing.makeup_chart import MakeupChart  # noqa: PLC0415

        listed = ", ".join(names[:NAMED]) + ("…" if len(names) > NAMED else "")
        files = f"{makeup.files:,} file{'' if makeup.files == 1 else 's'} of {listed}"
        chart = (Text(), Text(one_line(files, "bold")), MakeupChart(makeup))
    return _titled("Ask your documents.", plain(more, QUIET), chart)


def _titled(title: str, more: Content, below: Sequence[LayoutBlock]) -> tuple[LayoutBlock, ...]:
    return (Text(plain(title, "bold")), Text(more), *below)
