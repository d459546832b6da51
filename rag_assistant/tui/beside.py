"""Asynchronous work beside what a widget does."""

from collections.abc import Callable, Coroutine

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
