"""How long a model is waited for: limits are of silence, never of the whole.

Whatever comes on a connection is a sign of life. A model on this machine reads a prompt without a
word, at tens of tokens a second where it runs on a processor, so it is given time by what it reads.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rag_assistant.config import ModelSettings
from rag_assistant.egress.hosts import host_of, is_loopback
from rag_assistant.values.messages import ReplyPending

SILENCE_SECONDS = 120.0
"""How long an endpoint may stay silent where the settings leave it open."""
READ_TOKENS = 10
"""Tokens a second that a model on this machine reads at least, where the settings leave it open."""
CHARACTERS_OF_A_TOKEN = 4

TOLD_SECONDS = 5.0
"""How often it is said that a reply is waited for."""

KEPT_ALIVE = 10
"""So many times the silence a connection may be kept alive without anything of a reply."""


def silence_of(settings: ModelSettings, payload: Mapping[str, Any]) -> float:
    """Give the seconds that the endpoint may stay silent on a request."""
    if settings.timeout_seconds:
        return settings.timeout_seconds
    if not is_loopback(host_of(settings.base_url)):
        return SILENCE_SECONDS
    return SILENCE_SECONDS + _characters(payload) / CHARACTERS_OF_A_TOKEN / READ_TOKENS


def _characters(value: object) -> int:
    """Count the characters of all texts in a payload; pictures are short to read."""
    if isinstance(value, str):
        return 0 if value.startswith("data:") else len(value)
    if isinstance(value, Mapping):
        return sum(map(_characters, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_characters, value))
    return 0


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """What came of what was waited for."""

    value: Result


class KeptAlive(TimeoutError):
    """Signs of life came for so many `seconds`, and nothing else."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


async def watched(
    work: Coroutine[Any, Any, Result], silence: float, signs: Callable[[], int] = lambda: 0
) -> AsyncGenerator[ReplyPending | Done[Result], None]:
    """Do something; say from time to time that it is waited for, and give what came of it last.

    `signs` counts what came of it. Raises what it raises, TimeoutError after `silence` seconds
    without a sign, and KeptAlive where they lead to nothing. Closing this ends it.
    """
    task = asyncio.create_task(work)
    started = heard = time.monotonic()
    known = signs()
    try:
        while True:
            left = max(0.0, heard + silence - time.monotonic())
            if (await asyncio.wait({task}, timeout=min(TOLD_SECONDS, left)))[0]:
                yield Done(task.result())
                return
            now = time.monotonic()
            if (came := signs()) > known:
                known, heard = came, now
            if now - heard >= silence:
                raise TimeoutError
            if now - started >= KEPT_ALIVE * silence:
                raise KeptAlive(KEPT_ALIVE * silence)
            if now - started >= TOLD_SECONDS:
                yield ReplyPending(now - started)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
