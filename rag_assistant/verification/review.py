"""What every answer goes through before anybody gets it, from whatever model it came.

Each check is a function of its own that adds what it found to the answer; none removes evidence.
"""

import asyncio
from collections.abc import Awaitable, Callable

from rag_assistant.claims.judging import with_support
from rag_assistant.claims.spans import with_spans
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.store.opening import kept_open
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.evidence import Answer
from rag_assistant.verification.contradictions import with_disagreements
from rag_assistant.verification.counted import rests_on_counts, with_certainty
from rag_assistant.verification.refusing import with_judgement

SecondReading = Callable[[Answer], Awaitable[Answer]]
"""Lets a model confirm what the words alone do not."""


async def reviewed(
    answer: Answer,
    found: SearchedDatabases,
    run_cache: RunCache,
    second: SecondReading | None = None,
    *,
    ended: bool = True,
) -> Answer:
    """Give an answer with what the checks found; they work in a thread.

    What is in the run's cache is not looked up again. `ended` is false for what there is of an
    answer whose run was stopped: it gets no `second` reading.
    """
    read = run_cache.read_once()
    checked = await asyncio.to_thread(lambda: with_support(with_spans(answer), read))
    if second and ended:
        checked = await second(checked)

    if rests_on_counts(checked):
        return with_certainty(checked)

    def judged() -> Answer:
        with kept_open():
            compared = with_disagreements(checked, found, run_cache)
            return with_judgement(compared, found, run_cache, ended=ended)

    return await asyncio.to_thread(judged)
