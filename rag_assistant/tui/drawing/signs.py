"""The colours, signs and small pieces of text that all parts of the screen share."""

from collections.abc import Sequence

from textual.content import Content

from rag_assistant.errors import with_stop
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain

MARGIN = plain("  ")
QUIET = "$foreground 60%"
GOOD = "$text-success"
WARN = "$text-warning"
BAD = "$text-error"
SEPARATOR = plain(" · ", QUIET)


def image_token(number: int, name: str) -> Content:
    """Give what stands for an image that goes along with a question."""
    return one_line(f"[image {number}: {name}]", "$text-secondary")


def problem(reason: str, hint: str) -> Content:
    """Give an error as one line: what is wrong, and the next step."""
    parts = [plain("✗ ", BAD), one_line(in_keys(with_stop(reason) if hint else reason))]
    if hint:
        parts += [plain(" "), one_line(in_keys(hint), QUIET)]
    return joined(parts)


def seconds(value: float) -> str:
    """Give a duration for reading: milliseconds below one second."""
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def letters(actions: Sequence[tuple[str, str, str]]) -> Content:
    """Give keys with what they do, each of which can be clicked: key, words, action."""
    parts = [
        clickable(joined([plain(key, "bold"), plain(f" {words}", QUIET)]), {"action": action})
        for key, words, action in actions
    ]
    return joined(parts, plain("  "))


def hint_lines(lines: Sequence[tuple[str, str]], widest: int = 0) -> list[LayoutBlock]:
    """Give aligned lines of a key, in `widest` cells or what they need, and what it does."""
    widest = max(widest, *(len(key) for key, _ in lines))
    return [
        Indented(Text(plain(text, QUIET)), plain(f"{key.ljust(widest)}  ", "bold"))
        for key, text in lines
    ]
