"""Python's long rounds of collecting garbage, made while nobody types.

One of them goes through all objects there are, which takes longer than a key press may. While the
program starts there is none at all, by `begin_without`: what is loaded then is no garbage, and to
look for some among it takes a fifteenth of the time until the first picture.
"""

import gc
from typing import Protocol

QUIET_SECONDS = 1.0
"""How long no key was pressed when it is the time for one."""

SHORT_ROUNDS = 10
"""Short rounds after which a long one is worth its time; Python's own measure."""

MOST_SHORT_ROUNDS = 500
"""Short rounds after which it is made in any case, lest memory grow under a person who never rests.
"""


class Typing(Protocol):
    """What knows when a key was last pressed."""

    @property
    def quiet_seconds(self) -> float:
        """Seconds since the last key."""
        ...


def begin_without() -> None:
    """Collect nothing before an `IdleCollection` is started, or stopped."""
    gc.disable()


class IdleCollection:
    """Puts long rounds off while it is started, until there is a pause in `typing`."""

    def __init__(self, typing: Typing) -> None:
        self._typing = typing
        self._before = gc.get_threshold()
        self._waits = True

    def start(self) -> None:
        """Put long rounds off from now on, and leave what there is to the first of them."""
        self._before = gc.get_threshold()
        gc.set_threshold(*self._before[:2], MOST_SHORT_ROUNDS)
        gc.freeze()
        gc.enable()

    def look(self) -> bool:
        """Make a round if this is the time for one; tells whether it was."""
        if self._typing.quiet_seconds < QUIET_SECONDS or gc.get_count()[2] < SHORT_ROUNDS:
            return False
        if self._waits:
            gc.unfreeze()
        gc.collect()
        if self._waits:
            # What the program itself is made of stays for good: no round goes through it again.
            gc.freeze()
            self._waits = False
        return True

    def stop(self) -> None:
        """Leave it to Python again."""
        gc.set_threshold(*self._before)
        gc.unfreeze()
        gc.enable()
