"""When to search while somebody types: by words at each key, in full after a pause.

Of each kind one search runs at a time; the next one of its kind waits for it, and older ones that
have waited are forgotten.
"""

from collections.abc import Callable
from functools import partial

from textual.timer import Timer

from rag_assistant.search.ranking import Profile

PAUSE_SECONDS = 0.45
"""How long a pause must be before the words are ranked in full."""

PATIENCE_SECONDS = 0.3
"""How long a search may take before the screen says that it is searching."""

SetTimer = Callable[[float, Callable[[], object]], Timer]


class SearchPace:
    """Calls `start` with what is to be searched now, and `waiting` when it takes long."""

    def __init__(
        self, set_timer: SetTimer, start: Callable[[Profile], object], waiting: Callable[[], object]
    ) -> None:
        self._set_timer = set_timer
        self._start = start
        self._waiting = waiting
        self._running: set[Profile] = set()
        self._again: set[Profile] = set()
        self._timers: list[Timer] = []

    def changed(self) -> None:
        """Something else is wanted."""
        self.stop()
        self._timers = [
            self._set_timer(PAUSE_SECONDS, partial(self._begin, "question")),
            self._set_timer(PATIENCE_SECONDS, self._waiting),
        ]
        self._begin("typing")

    def stop(self) -> None:
        """Nothing is wanted; what runs already comes to its end."""
        for timer in self._timers:
            timer.stop()
        self._timers.clear()
        self._again.clear()

    def _begin(self, profile: Profile) -> None:
        if profile in self._running:
            self._again.add(profile)
        else:
            self._running.add(profile)
            self._start(profile)

    def ended(self, profile: Profile) -> None:
        """A search has come to its end."""
        self._running.discard(profile)
        if profile in self._again:
            self._again.discard(profile)
            self._begin(profile)
