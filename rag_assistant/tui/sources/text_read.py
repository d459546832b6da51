"""What the threads of a source's text post: what was read of it."""

from textual.message import Message

from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.tui.sources.reading import OpenEntry


class MoreRead(Message):
    """What goes before (-1) or after (1) the text that is held was read."""

    def __init__(self, opened: OpenEntry, excerpt: Excerpt, side: int) -> None:
        super().__init__()
        self.opened = opened
        self.excerpt = excerpt
        self.side = side


class WindowRead(Message):
    """The text round another place, the character `at`, was read."""

    def __init__(self, opened: OpenEntry, excerpt: Excerpt, at: int) -> None:
        super().__init__()
        self.opened = opened
        self.excerpt = excerpt
        self.at = at
