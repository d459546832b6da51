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
class Mark:
    """How much was done at a time."""

    seconds: float
    items: int
    weight: float


@dataclass(frozen=True, slots=True)
class Pace:
    """The marks of the latest seconds, the oldest first."""

    marks: tuple[Mark, ...] = ()

    def after(self, seconds: float, items: int, weight: float) -> "Pace":
        """Give the pace when so much was done at `seconds`."""
        if self.marks and seconds - self.marks[-1].seconds < STEP_SECONDS:
            return self
        kept = [mark for mark in self.marks if mark.seconds >= seconds - WINDOW_SECONDS]
        # One from before the window stays where nothing moved within it: standing still is a pace.
        first = kept or list(self.marks[-1:])
        return Pace((*first, Mark(seconds, items, weight)))

    @property
    def items_a_second(self) -> float | None:
        """The items done in a second; None too early on."""
        if not self._is_known:
            return None
        first, last = self.marks[0], self.marks[-1]
        return (last.items - first.items) / (last.seconds - first.seconds)

    def seconds_left(self, items: int, weight: float) -> float | None:
        """The time that so many items of so much weight take; None too early on.

        By their number or by their weight, whichever is longer: some take long for what they are,
        some because they are large, and it is better to be done before the time than after.
        """
        if not self._is_known:
            return None
        first, last = self.marks[0], self.marks[-1]
        passed = last.seconds - first.seconds
        by_number = items * passed / (last.items - first.items)
        moved = last.weight - first.weight
        return max(by_number, weight * passed / moved if moved > 0 else 0.0)

    @property
    def _is_known(self) -> bool:
        if len(self.marks) < 2:
            return False
        first, last = self.marks[0], self.marks[-1]
        return (
            last.seconds - first.seconds >= LEAST_SECONDS
            and last.items - first.items >= LEAST_ITEMS
        )
