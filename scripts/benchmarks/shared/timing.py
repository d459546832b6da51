"""Clocks: what some work takes, by the clock and of the processors, and how that is written."""

import os
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Took:
    """The seconds of something: by the clock, and of this process on the processors."""

    wall: float
    cpu: float


def timed(work: Callable[[], Given]) -> tuple[Given, Took]:
    """Give what some work gives, and the time it takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    given = work()
    return given, Took(time.perf_counter() - wall, time.process_time() - cpu)


def seconds_of(work: Callable[[], object]) -> float:
    """Give the seconds that some work takes by the clock."""
    return timed(work)[1].wall


def processor_seconds_of(work: Callable[[], object]) -> float:
    """Give what some work takes of the processors, by this process and all that it starts.

    That is steadier than the time on the clock where other programs run as well.
    """
    before = os.times()
    work()
    return sum(after - first for first, after in zip(before[:4], os.times()[:4], strict=True))


def in_turn(
    rounds: int, works: Callable[[int], Mapping[str, Callable[[], Given]]]
) -> dict[str, list[Given]]:
    """Do several things by turns, and give what they give; `works` are those of a round.

    There is one round more, the first, which warms the disk's cache and is left out.
    """
    found: dict[str, list[Given]] = {}
    for number in range(rounds + 1):
        for name, work in works(number).items():
            given = work()
            if number:
                found.setdefault(name, []).append(given)
    return found


async def milliseconds_of(
    act: Callable[[], Awaitable[object]], clock: Callable[[], float]
) -> float:
    """Give the milliseconds that something takes by a clock, such as `time.process_time`."""
    before = clock()
    await act()
    return (clock() - before) * 1000


def spread(seconds: list[float]) -> str:
    """Write the median with the least and the most, in milliseconds."""
    low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
    return f"{middle * 1000:.1f} ms ({low * 1000:.1f} to {high * 1000:.1f})"
