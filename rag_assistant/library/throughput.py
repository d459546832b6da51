"""How fast something goes, and how long the rest of it takes: an estimate of its latest seconds.

It knows nothing of what is done: work is counted in items, and in a weight that items have.
"""

from dataclasses import dataclass

WINDOW_SECONDS = 15.0
"""How far back it looks: what comes may be of another kind than what came first."""

STEP_SECONDS = 0.25
"""How often it looks."""

LEAST_SECONDS, LEAST_ITEMS = 1.0, 3
"""Below which nothing is said, because it would change at once."""


@dataclass(frozen=True, slots=True)
class ThroughputSample:
    """How much was done at a time."""

    seconds: float
    items: int
    weight: float


@dataclass(frozen=True, slots=True)
class Throughput:
    """How fast it goes: samples of the latest seconds, the oldest first."""

    samples: tuple[ThroughputSample, ...] = ()

    def after(self, seconds: float, items: int, weight: float) -> "Throughput":
        """Give the throughput when so much was done at `seconds`."""
        if self.samples and seconds - self.samples[-1].seconds < STEP_SECONDS:
            return self
        kept = [sample for sample in self.samples if sample.seconds >= seconds - WINDOW_SECONDS]
        # One from before the window stays where nothing moved within it: standing still tells, too.
        first = kept or list(self.samples[-1:])
        return Throughput((*first, ThroughputSample(seconds, items, weight)))

    @property
    def items_a_second(self) -> float | None:
        """The items done in a second; None too early on."""
        if not self._is_known:
            return None
        first, last = self.samples[0], self.samples[-1]
        return (last.items - first.items) / (last.seconds - first.seconds)

    def seconds_left(self, items: int, weight: float) -> float | None:
        """The time that so many items of so much weight take; None too early on.

        By their number or by their weight, whichever is longer: some take long for what they are,
        some because they are large, and it is better to be done before the time than after.
        """
        if not self._is_known:
            return None
        first, last = self.samples[0], self.samples[-1]
        passed = last.seconds - first.seconds
        by_number = items * passed / (last.items - first.items)
        moved = last.weight - first.weight
        return max(by_number, weight * passed / moved if moved > 0 else 0.0)

    @property
    def _is_known(self) -> bool:
        if len(self.samples) < 2:
            return False
        first, last = self.samples[0], self.samples[-1]
        return (
            last.seconds - first.seconds >= LEAST_SECONDS
            and last.items - first.items >= LEAST_ITEMS
        )
