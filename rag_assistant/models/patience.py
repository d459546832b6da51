"""When a failed request is sent again, and how long is waited before.

Only failures that may pass are worth it, and only as long as nothing of a reply has come. What an
endpoint says itself is obeyed: a wait it asks for is kept, one that is too long for a person is
not waited for at all.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time

from rag_assistant.errors import ModelError

_BUSY = frozenset({408, 409, 425, 429})
"""Statuses below 500 that say: not now."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that failed before anything of a reply came.

    `wait` is how many seconds the endpoint wants to be left alone, None where it does not say.
    """

    fault: ModelError
    may_pass: bool = False
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is sent again, and the waits in seconds: the first, and the longest.

    Waits double, and are shortened by up to a quarter at random, so that many who failed together
    do not come back together.
    """

    retries: int = 3
    first: float = 0.5
    longest: float = 30.0

    def wait_after(self, failure: Failure, retried: int) -> float | None:
        """Give the seconds to wait before another attempt; None when there should be none."""
        if retried >= self.retries or not failure.may_pass:
            return None
        if failure.wait is not None:
            return failure.wait if failure.wait <= self.longest else None
        doubled: float = self.first * 2**retried
        return min(doubled, self.longest) * (1 - random.random() / 4)


def may_pass(status: int, headers: Mapping[str, str], code: object) -> bool:
    """Whether an answer with this status may be another a moment later."""
    told = headers.get("x-should-retry", "").lower()  # OpenAI's servers know it themselves
    if told in ("true", "false"):
        return told == "true"
    return (status in _BUSY or status >= 500) and code != "insufficient_quota"


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Give the seconds that an answer's headers ask to wait."""
    exact = retry_after_seconds(headers.get("retry-after-ms", ""))
    if exact is not None:
        return exact / 1000
    return retry_after_seconds(headers.get("retry-after", ""))


def retry_after_seconds(retry_after: str) -> float | None:
    """Give the wait a Retry-After header asks for: seconds, or a date (RFC 9110, 10.2.3)."""
    try:
        wait = float(retry_after)
    except ValueError:
        try:
            wait = parsedate_to_datetime(retry_after).timestamp() - time()
        except (ValueError, OverflowError):
            return None
    return wait if 0 < wait < 1e6 else None
