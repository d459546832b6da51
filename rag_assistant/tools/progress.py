"""How far a tool has come, told while it runs to whoever waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LISTENER: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


def tell_progress(words: str) -> None:
    """Say in a line how far a tool has come; where nobody listens, nothing happens."""
    if listener := _LISTENER.get():
        listener(words)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Let tools whose tasks are started within tell `listener` how far they have come."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
