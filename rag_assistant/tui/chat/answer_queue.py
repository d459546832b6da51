"""Questions answered one after another: each event goes to the exchange that shows it.

A question asked while another is being answered waits for its turn. Stopping closes the run at
once, and the next question starts when it is closed.
"""

import traceback
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path

from textual.worker import Worker

from rag_assistant.errors import RagError
from rag_assistant.tools.permission import Permit
from rag_assistant.tui.chat.dialogue import Dialogue
from rag_assistant.tui.chat.exchange import Exchange

CAUSES = 5
"""How many causes of an error are told."""

StartWorker = Callable[[Coroutine[None, None, None]], Worker[None]]


class AnswerQueue:
    """Runs questions of `dialogue`; `changed` is called after each event of an exchange.

    `permit` asks the person before a tool does more than read.
    """

    def __init__(
        self,
        dialogue: Dialogue,
        start_worker: StartWorker,
        changed: Callable[[Exchange], None],
        permit: Permit,
    ) -> None:
        self._dialogue = dialogue
        self._start_worker = start_worker
        self._changed = changed
        self._permit = permit
        self._waiting: deque[Exchange] = deque()
        self._running: Exchange | None = None
        self._worker: Worker[None] | None = None
        self._begun = False
        self._closed = False

    @property
    def running(self) -> bool:
        """Whether a question is being answered."""
        return self._running is not None

    def put(self, exchange: Exchange) -> None:
        """Answer this one when all before it are answered."""
        self._waiting.append(exchange)
        self._start_next()

    def take_out(self, exchange: Exchange) -> bool:
        """Take back a question that waits for its turn; tells whether it did."""
        if exchange not in self._waiting:
            return False
        self._waiting.remove(exchange)
        return True

    def stop(self) -> bool:
        """Stop the running answer; tells whether there was one."""
        if self._running is None or self._worker is None or self._running.state.over:
            return False
        # The mark comes first: closing a connection may take a moment, the person shall not wait.
        self._running.stop()
        if self._begun:
            self._worker.cancel()
        return True

    def clear(self) -> None:
        """Stop the running answer and forget what waits."""
        self._waiting.clear()
        self.stop()

    def close(self) -> None:
        """Start nothing more."""
        self._closed = True
        self._waiting.clear()

    def _start_next(self) -> None:
        if self._running is None and self._waiting and not self._closed:
            self._running = self._waiting.popleft()
            self._running.start()
            self._begun = False
            self._worker = self._start_worker(self._answer(self._running))

    async def _answer(self, exchange: Exchange) -> None:
        # A worker cancelled before this line would never reach the `finally` below.
        self._begun = True
        try:
            if not exchange.state.over:
                await self._run(exchange)
        except RagError as error:
            exchange.fail(error.message, error.hint, causes(error))
        except Exception as error:  # noqa: BLE001 - a defect must not take the conversation down
            reason = f"The answer failed with {type(error).__name__}: {error}."
            exchange.fail(reason, "Ask again.", causes(error))
        finally:
            self._running = self._worker = None
            # Cancelled by another than `stop`: the application ends.
            self._closed = self._closed or not exchange.state.over
            self._start_next()

    async def _run(self, exchange: Exchange) -> None:
        async with aclosing(self._dialogue.ask(exchange.state, self._permit)) as events:
            async for event in events:
                exchange.apply(event)
                exchange.state.kept = self._dialogue.place
                self._changed(exchange)


def causes(error: BaseException) -> tuple[str, ...]:
    """Say where an error comes from: the line of ours that met it, and what caused it."""
    told: list[str] = []
    for frame in traceback.extract_tb(error.__traceback__)[-1:]:
        told.append(f"in {Path(frame.filename).name}, line {frame.lineno}")
    cause = error.__cause__ or error.__context__
    while cause and len(told) < CAUSES:
        told.append(f"because of {type(cause).__name__}: {cause}")
        cause = cause.__cause__ or cause.__context__
    return tuple(told)
