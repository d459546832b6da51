"""The offer to go on where a session was when it ended without being closed."""

from textual.content import Content

from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.terminal.unfinished import Unfinished


def offer_lines(left: Unfinished) -> tuple[Content, ...]:
    """Say what is left and which command brings it back."""
    what = "the conversation" if left.conversation else ""
    if left.draft:
        what += f"{', and ' if what else ''}what you had written: "
    parts = [plain("/restore", "bold"), plain(f" brings back {what}")]
    if left.draft:
        parts.append(one_line(_begins(left.draft), QUIET))
    return (plain("! The last session ended without being closed.", WARN), joined(parts))


def _begins(draft: str) -> str:
    return f"“{draft[:60]}{'…' if len(draft) > 60 else ''}”"
