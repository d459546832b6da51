"""What stands in the conversation as long as nothing was said: what to do, and the first keys."""

from rag_assistant.tui.drawing.layout import LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import plain
from rag_assistant.tui.drawing.signs import QUIET, hint_lines

FIRST_STEPS = [
    ("Ctrl+O", "add a folder: its files are indexed here and stay where they are"),
    ("F1", "all keys"),
    ("Ctrl+Q", "quit"),
]
HINTS = [
    ("Enter", "asks what you have written"),
    ("Ctrl+G", "opens the next source at the quoted words"),
    ("F1", "all keys"),
]


def welcome_blocks(*, has_databases: bool) -> tuple[LayoutBlock, ...]:
    """Say what to do, with documents at hand or before there are any."""
    title = "Ask your documents." if has_databases else "There is no database yet."
    more = (
        "Every answer cites its sources, and every citation opens at the quoted words."
        if has_databases
        else "A database is a folder of yours, indexed for questions."
    )
    keys = hint_lines(HINTS if has_databases else FIRST_STEPS)
    return (Text(plain(title, "bold")), Text(plain(more, QUIET)), Text(), *keys)
