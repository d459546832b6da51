"""An answer's text as it streams: on a terminal block by block, of which the open one is drawn anew
as it grows; where nothing is drawn, line by line."""

import sys
import time
from typing import TYPE_CHECKING

from rag_assistant.cli.drawn import console_of, is_drawn, put
from rag_assistant.text.safe_text import clean

if TYPE_CHECKING:
    from rich.live import Live

_PACE = 0.08
"""Seconds between two drawings of the open block, at the least."""

_SHARE = 4
"""A drawing that took long is followed by so many times as long without one."""


class StreamedAnswer:
    """Shows pieces of a text as they come. What is told in between calls `end_block` before."""

    def __init__(self) -> None:
        self._open = ""
        self._live: Live | None = None
        self._next = 0.0
        self._printed = False

    def write(self, text: str) -> None:
        """Take another piece."""
        self._open += text
        if not is_drawn():
            whole, newline, self._open = self._open.rpartition("\n")
            if newline:
                print(clean(whole), flush=True)
            return
        now = time.monotonic()
        if now >= self._next:
            self._draw()
            took = time.monotonic() - now
            self._next = now + max(_PACE, _SHARE * took)

    def end_block(self) -> None:
        """Let what is open stand as it is."""
        if self._live:
            self._live.stop()
            self._live = None
        rest, self._open = self._open.rstrip(), ""
        if rest and is_drawn():
            self._print(rest)
        elif rest:
            print(clean(rest), flush=True)
        self._next, self._printed = 0.0, False

    def _draw(self) -> None:
        """Print the blocks that are whole, and draw the open one below them."""
        from markdown_it.tree import SyntaxTreeNode
        from rich.live import Live
        from rich.text import Text

        from rag_assistant.cli.drawn_markdown import markdown_lines
        from rag_assistant.text.shown_markdown import markdown_parser

        blocks = SyntaxTreeNode(markdown_parser().parse(clean(self._open))).children
        console = console_of(sys.stdout)
        if len(blocks) > 1 and (last := blocks[-1].map):
            # Whatever comes now, the blocks before the last one stay as they are.
            lines = clean(self._open).split("\n")
            if self._live:
                self._live.stop()
                self._live = None
            self._print("\n".join(lines[: last[0]]).rstrip())
            self._open = "\n".join(lines[last[0] :])
        if self._live is None:
            self._live = Live(
                console=console, auto_refresh=False, transient=True,
                redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()
        laid = markdown_lines(self._open, console)[-max(1, console.height - 2) :]
        if self._printed:
            laid = [Text(), *laid]
        for line in laid:
            line.truncate(console.width)
        self._live.update(Text("\n").join(laid), refresh=True)

    def _print(self, text: str) -> None:
        from rag_assistant.cli.drawn_markdown import draw_markdown

        if self._printed:
            put(console_of(sys.stdout), [])
        draw_markdown(text)
        self._printed = True
