"""What the controllers of the main screen share: they hold its state and work beside it.

A controller is a widget without display, which gives it timers, workers and messages. What others
show of its state stands in its reactives; what they are to do is posted as a message.
"""

from dataclasses import dataclass
from functools import partial

from textual.content import Content
from textual.dom import DOMNode
from textual.message import Message
from textual.widget import Widget


class Controller(Widget):
    """One concern of a screen, with its state; it shows nothing itself."""

    DEFAULT_CSS = "Controller { display: none; }"

    @dataclass
    class Remarked(Message):
        """Something is to be said in passing."""

        text: str

    @dataclass
    class Noticed(Message):
        """Something is to be said that stays in the conversation."""

        lines: tuple[Content, ...]

    def remark(self, text: str) -> None:
        """Say something in passing, at once: its screen is told, not what lies between."""
        self.screen.post_message(self.Remarked(text))

    def notice(self, *lines: Content) -> None:
        """Say something that stays in the conversation."""
        self.screen.post_message(self.Noticed(lines))


def follow(follower: DOMNode, source: DOMNode, *names: str) -> None:
    """Keep reactives of `follower` equal to those of the same names of `source`."""
    for name in names:
        follower.watch(source, name, partial(setattr, follower, name))
