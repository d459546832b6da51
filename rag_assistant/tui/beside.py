"""Work beside what a widget does, and after it is drawn."""

from collections.abc import Callable, Coroutine
from typing import Any

from textual.dom import DOMNode
from textual.worker import Worker


def beside(
    node: DOMNode,
    work: Callable[[], Coroutine[None, None, None]],
    group: str,
    *,
    exclusive: bool = True,
) -> Worker[None]:
    """Run `work`; an `exclusive` one takes the place of its group's.

    It is called when it begins: a coroutine that gives way before that would never be awaited.
    """
    return node.run_worker(work, group=group, exclusive=exclusive, exit_on_error=False)


def once_drawn(node: DOMNode, work: Callable[[], Any]) -> None:
    """Call `work` when what is there now was drawn.

    As long as an application starts, Textual holds back what it draws, and only thinks that it was
    drawn: what is called after that refresh delays the first picture.
    """
    node.app.call_later(node.call_after_refresh, work)
