"""Signs of life of a model that a tool asks: whoever runs the tool hears of them.

A helper on a slow machine reads for minutes; the run that waits for its tool is told that it does.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rag_assistant.values.events import Waiting
from rag_assistant.values.messages import ReplyPending, ReplyPiece, Request

_CHARACTERS_OF_A_TOKEN = 4

Hearer = Callable[[Waiting | None], None]
"""Is told of each piece of a reply, and of what is waited for where that is what it says."""

_hearer: ContextVar[Hearer | None] = ContextVar("hearer", default=None)


@contextmanager
def hearing(hearer: Hearer) -> Iterator[None]:
    """Let `hearer` be told of replies that are asked for within, and by tasks that begin there."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)


def tell(model: str, request: Request, piece: ReplyPiece) -> None:
    """Tell whoever hears that a piece of a reply came."""
    if hearer := _hearer.get():
        hearer(waiting(model, request, piece) if isinstance(piece, ReplyPending) else None)


def waiting(model: str, request: Request, pending: ReplyPending) -> Waiting:
    """Say what is waited for: a model, and about how many tokens it was given to read."""
    characters = sum(len(message.text) for message in request.messages)
    tokens = characters // _CHARACTERS_OF_A_TOKEN
    return Waiting(model, pending.seconds, tokens, pending.is_working)
