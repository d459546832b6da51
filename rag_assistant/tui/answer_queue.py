"""Questions answered one after another: each event goes to the exchange that shows it.

A question asked while another is being answered waits for its turn. Stopping closes the run at
once, and the next question starts when it is closed.
"""

from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import aclosing

from textual.worker import Worker

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.tui.exchange import Exchange
from rag_assistant.tui.run_state import Phase

StartWorker = Callable[[Coroutine[None, None, None]], Worker[None]]


class AnswerQueue:
    """Runs questions by `assistant`; `changed` is called after each event of an exchange."""

    def __init__(
        self,
        assistant: Assistant,
        start_worker: StartWorker,
        changed: Callable[[Exchange], None],
    ) -> None:
        self._assistant = assistant
        self._start_worker = start_worker
        self._changed = changed
        self._waiting: deque[Exchange] = deque()
        self._running: Exchange | None = None
        self._worker: Worker[None] | None = None
        self._begun = False
        self._history: list[tuple[str, str]] = []

    def put(self, exchange: Exchange) -> None:
        """Answer this one when all before it are answered."""
        self._waiting.append(exchange)
        self._start_next()

    def stop(self) -> bool:
        """Stop the running answer; tells whether there was one."""
        if self._running is None or self._worker is None:
            return False
        # The mark comes first: closing a connection may take a moment, the person shall not wait.
        self._running.stop()
        if self._begun:
            self._worker.cancel()
        return True

    def _start_next(self) -> None:
        if self._running is None and self._waiting:
            self._running = self._waiting.popleft()
            self._running.start()
            self._begun = False
            self._worker = self._start_worker(self._answer(self._running))

    async def _answer(self, exchange: Exchange) -> None:
        state = exchange.state
        # A worker cancelled before this line would never reach the `finally` below.
        self._begun = True
        try:
            if not state.over:
                await self._run(exchange)
        except RagError as error:
            exchange.fail(error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - a defect must not take the conversation down
            exchange.fail(f"{type(error).__name__}: {error}", "Ask again, or run it as a command.")
        finally:
            if state.phase is Phase.ANSWERED:
                self._history.append((state.question, state.text))
            self._running = self._worker = None
            if exchange.is_attached and exchange.app.is_running:
                exchange.call_later(self._start_next)

    async def _run(self, exchange: Exchange) -> None:
        state = exchange.state
        history = tuple(self._history)
        run = self._assistant.ask(state.question, databases=state.databases, history=history)
        async with aclosing(run) as events:
            async for event in events:
                exchange.apply(event)
                self._changed(exchange)
