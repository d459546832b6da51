"""What there is to know of an answer by now: how its quotes stand, what comes near it, and whether
there are documents that the question was not asked of.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass

from textual.worker import Worker

from rag_assistant.library.library import Library
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.values.evidence import EvidenceItem, QuoteState


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """The state of each quote by its number, and what comes nearest where nothing is cited.

    `can_widen`: there are documents that the question was not asked of.
    """

    quotes: Mapping[int, QuoteState]
    closest: tuple[EvidenceItem, ...]
    can_widen: bool = False


def look_up(library: Library, state: RunState) -> AnswerFacts:
    """Look up what there is to know of an answer. It blocks: call it in a thread."""
    from rag_assistant.tui.sources.passage import check_citations  # noqa: PLC0415 - in its thread

    closest = state.closest
    if state.answer and state.answer.unsupported and not closest:
        from rag_assistant.verification.nearest import nearest_passages  # noqa: PLC0415

        closest = nearest_passages(library, state.question, state.databases)
    left_out = [one.database for one in state.answer.coverage.left_out] if state.answer else []
    can_widen = bool(set(library.names()) - {*state.databases, *left_out})
    return AnswerFacts(check_citations(library, tuple(state.citations)), closest, can_widen)


class FactsQueue:
    """Looks up answers in `library`, one after another, and has those drawn of which more is known.

    `start_worker` runs what looks them up.
    """

    def __init__(
        self,
        library: Library,
        start_worker: Callable[[Coroutine[None, None, None]], Worker[None]],
    ) -> None:
        self._library = library
        self._start_worker = start_worker
        self._waiting: deque[Exchange] = deque()
        self._looks = False

    def put(self, exchange: Exchange) -> None:
        """Look up an answer when those before it are looked up."""
        state = exchange.state
        if state.citations or state.answer:
            self._waiting.append(exchange)
            if not self._looks:
                self._looks = True
                self._start_worker(self._look_up())

    async def _look_up(self) -> None:
        try:
            while self._waiting:
                exchange = self._waiting.popleft()
                state = exchange.state
                known = state.marks, state.closest, state.can_widen
                facts = await asyncio.to_thread(look_up, self._library, state)
                state.quotes, state.closest = facts.quotes, facts.closest
                state.can_widen = facts.can_widen
                if (state.marks, state.closest, state.can_widen) != known:
                    exchange.draw()
        finally:
            self._looks = False
