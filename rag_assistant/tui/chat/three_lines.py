"""What went otherwise than asked, in three lines: what it comes to, why, and what can be done.

Everything else that is known of it is folded with the details of the answer.
"""

from textual.content import Content

from rag_assistant.errors import with_stop
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.layout import Ended, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET

REASON = 200
"""Characters of a cause that are shown in its line; the details have all of it."""

_UNDER = plain("  ")


def three_lines(
    sign: Content, headline: Content, cause: str, action: str, keys: Content
) -> list[LayoutBlock]:
    """Give a headline behind its sign, the cause, and what can be done with the keys for it."""
    blocks: list[LayoutBlock] = [Indented(Text(headline), sign, _UNDER)]
    return [*blocks, *two_lines(_UNDER, cause, action, keys)]


def two_lines(sign: Content, cause: str, action: str, keys: Content) -> list[LayoutBlock]:
    """Give the cause behind a sign, and what can be done, where the headline stands elsewhere."""
    blocks: list[LayoutBlock] = []
    if cause:
        said = one_line(with_stop(shortened(in_keys(cause))), QUIET)
        blocks.append(Indented(Text(said), sign, _UNDER))
    if action or keys:
        done = one_line(in_keys(action)) if action else EMPTY
        blocks.append(Indented(Ended(done, keys) if action else Text(keys), _UNDER))
    return blocks


def shortened(cause: str) -> str:
    """Give the beginning of a long cause."""
    return cause if len(cause) <= REASON else f"{cause[:REASON]}…"


def in_full(cause: str) -> list[LayoutBlock]:
    """Give all of a cause, where its line does not have it."""
    return [Indented(Text(plain(cause, QUIET)), _UNDER)] if len(cause) > REASON else []
