"""How far a run may go: what it has used of its limits, and when they are near or met.

A model is told before a limit bites, so that it spends what is left on what matters; the last
request comes while there is still room for one.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rag_assistant.config import Limits
from rag_assistant.values.messages import Usage

NEAR = 0.8
"""The share of a limit from which on the model is told what is left."""

RAISE = "Raise it under [limits] in the configuration."


def count_of(number: int, what: str) -> str:
    """Write a number with what it counts."""
    return f"{number} {what}{'' if number == 1 else 's'}"


class LimitReached(Exception):
    """A limit of the run was met; the message says which one."""


@dataclass(slots=True)
class RunBudget:
    """What one run has used. `largest` is the tokens of the largest step so far.

    `heard` is the moment of the last sign of life, of a model or a tool: time is limited by their
    silence, whatever the whole takes.
    """

    limits: Limits
    steps: int = 0
    searches: int = 0
    tokens: int = 0
    largest: int = 0
    heard: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float:
        """Seconds that silence may still last, 0 when it has lasted too long."""
        return max(0.0, self.heard + self.limits.seconds - time.monotonic())

    def hear(self) -> None:
        """Note a sign of life."""
        self.heard = time.monotonic()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock: a person is being waited for."""
        since = time.monotonic()
        try:
            yield
        finally:
            self.heard += time.monotonic() - since

    @property
    def tokens_left(self) -> int:
        """Tokens until the limit."""
        return self.limits.tokens - self.tokens

    def begin_step(self, added: int) -> str:
        """Count a request that is `added` tokens longer than the largest one.

        Gives the limit for which it must be the last, empty when another may follow. Raises
        LimitReached when there is no room even for this one.
        """
        limits = self.limits
        expected = self.largest + added if self.largest else 0
        if self.tokens >= limits.tokens or self.tokens + expected > limits.tokens:
            raise LimitReached(f"{limits.tokens} tokens")
        if self.steps >= limits.steps:
            raise LimitReached(count_of(limits.steps, "step"))
        self.steps += 1
        self.hear()
        if self.steps == limits.steps:
            return count_of(limits.steps, "step")
        if self.tokens + 2 * expected > limits.tokens:
            return f"{limits.tokens} tokens"
        return ""

    def spend(self, usage: Usage, *, request: bool = False) -> None:
        """Count tokens, as the endpoint did; `request` for those of the main model."""
        self.tokens += usage.total_tokens
        if request:
            self.largest = max(self.largest, usage.total_tokens)

    def take_search(self) -> bool:
        """Count a search, if there is one left."""
        if self.searches >= self.limits.searches:
            return False
        self.searches += 1
        return True

    def extend(self, least_steps: int) -> None:
        """Give as many steps and searches again to another model."""
        self.limits = replace(
            self.limits,
            steps=self.steps + max(self.limits.steps, least_steps),
            searches=self.searches + self.limits.searches,
        )
        self.largest = 0
        self.hear()

    def left_for_quoting(self) -> "RunBudget":
        """Give what is left when a limit is met: a model that costs nothing may still quote."""
        return replace(self, tokens=0, heard=time.monotonic())

    def scarce(self) -> str:
        """Say what is nearly used up, for the model; empty while nothing is."""
        limits = self.limits
        # The last reply of all cannot call tools, and the present one is counted already.
        counted = (
            ("rounds of tool calls", self.steps - 1, limits.steps - 1),
            ("searches", self.searches, limits.searches),
        )
        left = [
            f"{name}: {total - used}"
            for name, used, total in counted
            if used >= NEAR * total or total - used <= 1
        ]
        if self.tokens >= NEAR * limits.tokens:
            left.append(f"tokens: {limits.tokens - self.tokens}")
        return ", ".join(left)


def met_limits(last: str, allowed: int, refused: int) -> dict[str, str]:
    """Give the limits that an answer met, each with the line that tells of it.

    `last` names the one that was near, if any; `refused` searches were not made, of those that went
    beyond the `allowed`.
    """
    met: dict[str, str] = {}
    if last:
        near = f"The limit of {last} was near: this was the last request. {RAISE}"
        met[f"{last} (nearly)"] = near
    if refused:
        told = f"The limit of searches ({allowed}) was met: {refused} not made. {RAISE}"
        met[f"searches ({allowed}), {refused} more not made"] = told
    return met
